"""Keep ``data.kubernetes.clusterIndex``: what ``io/k8s/federation/index`` makes of the cluster objects.

The rule is OPA's, with the catalogue of its bundle. It is evaluated for all clusters at a full load and then for those
that changed; here the results are put together. Two parts: names by what clusters are (``{"region": {value: {name:
true}}}``), and what each cluster is (``{"facts": {name: facts}}``).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import yaml

from warden.base.errors import OpaError
from warden.base.resources import find_shipped
from warden.policy.opa.client import OpaClient
from warden.policy.opa.item_size import MAX_PART_BYTES, measure_json
from warden.state.sources.source import REMOVED, Change

__all__ = ["CLUSTER_INDEX", "ClusterIndex", "build_index", "read_cluster_types"]

CLUSTER_INDEX: Final = "clusterIndex"
_RULE = "io/k8s/federation/index"
_FACTS: Final = "facts"

_Entry = tuple[str, str]  # as in ("region", "europe-west1")


def read_cluster_types() -> tuple[str, ...]:
    """Return the types whose objects are clusters to the placement rules, the one that wins first."""
    catalog = find_shipped("bundle") / "catalog" / "placement" / "data.yaml"
    return tuple(yaml.safe_load(catalog.read_text(encoding="utf-8"))["clusterTypes"])


class ClusterIndex:
    """The index of one document of Kubernetes objects.

    Args:
        types: The types whose objects are clusters; of two of one name that of the first type counts.
        evaluate: Asks OPA: path and input to result.
    """

    def __init__(self, types: Iterable[str], evaluate: Callable[[str, Any], Any]) -> None:
        self._types = tuple(types)
        self._evaluate = evaluate
        self._clusters: dict[str, dict[str, Any]] = {}
        self._entries: dict[str, set[_Entry]] = {}  # of each cluster
        self._sizes: Counter[_Entry] = Counter()
        self._facts: dict[str, Any] = {}

    def load(self, document: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        """Return the index of a whole document.

        Raises:
            OpaError: OPA does not answer, or has no such rule.
        """
        self._clusters = {type: dict(document.get(type, {})) for type in self._types}
        index = self._evaluate_rule({name for objects in self._clusters.values() for name in objects})
        self._entries = _group_by_name(index)
        self._sizes = Counter(entry for entries in self._entries.values() for entry in entries)
        self._facts = dict(index.get(_FACTS, {}))
        return index

    def update(self, changes: Iterable[Change]) -> list[Change]:
        """Return what changes in the index, as changes below the document.

        Args:
            changes: Of the document, each of one object at (type, name).

        Raises:
            OpaError: As `load`. Only another `load` helps then.
        """
        changed = set()
        for (type, *names), value in changes:
            if type in self._types:
                (name,) = names
                changed.add(name)
                if value is REMOVED:
                    self._clusters[type].pop(name, None)
                else:
                    self._clusters[type][name] = value
        if not changed:
            return []
        index = self._evaluate_rule(changed)
        return self._update_entries(changed, _group_by_name(index)) + self._update_facts(changed, index.get(_FACTS, {}))

    def _update_facts(self, changed: Iterable[str], now: Mapping[str, Any]) -> list[Change]:
        changes = []
        for name in sorted(changed):
            had, has = self._facts.pop(name, REMOVED), now.get(name, REMOVED)
            if has is not REMOVED:
                self._facts[name] = has
            if has != had:
                changes.append(Change((CLUSTER_INDEX, _FACTS, name), has))
        return changes

    def _update_entries(self, changed: Iterable[str], now: Mapping[str, set[_Entry]]) -> list[Change]:
        gone: list[tuple[_Entry, str]] = []
        new: list[tuple[_Entry, str]] = []
        for name in sorted(changed):
            had, has = self._entries.pop(name, set()), now.get(name, set())
            gone += [(entry, name) for entry in sorted(had - has)]
            new += [(entry, name) for entry in sorted(has - had)]
            if has:
                self._entries[name] = has
        self._sizes.subtract(entry for entry, _ in gone)
        self._sizes.update(entry for entry, _ in new)
        out = [Change((CLUSTER_INDEX, *entry, name), REMOVED) for entry, name in gone if self._sizes[entry]]
        empty = [Change((CLUSTER_INDEX, *entry), REMOVED) for entry in dict(gone) if not self._sizes[entry]]
        return empty + out + [Change((CLUSTER_INDEX, *entry, name), True) for entry, name in new]

    def _evaluate_rule(self, names: Iterable[str]) -> dict[str, Any]:
        clusters = {name: cluster for name in names if (cluster := self._find_cluster(name)) is not None}
        index: dict[str, Any] = {}
        for some in _split_clusters(clusters):
            part = self._evaluate(_RULE, {"clusters": some})
            if not isinstance(part, dict):
                raise OpaError(f"{_RULE} answers with {type(part).__name__}, not with an index: check OPA's bundle")
            _merge(index, part)
        return index

    def _find_cluster(self, name: str) -> Any:
        return next((objects[name] for objects in self._clusters.values() if name in objects), None)


def build_index(connect: Callable[[], OpaClient]) -> ClusterIndex:
    """Return a new index of the clusters that the placement rules know, made by an OPA."""

    def evaluate(path: str, document: Any) -> Any:
        with connect() as client:
            return client.evaluate(path, document)

    return ClusterIndex(read_cluster_types(), evaluate)


def _split_clusters(clusters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield all of it, once at least, in mappings that OPA reads in one request."""
    part: dict[str, Any] = {}
    full = 0
    for name, cluster in clusters.items():
        length = measure_json({name: cluster})
        if part and full + length > MAX_PART_BYTES:
            yield part
            part, full = {}, 0
        part[name] = cluster
        full += length
    yield part


def _merge(index: dict[str, Any], part: Mapping[str, Mapping[str, Any]]) -> None:
    for kind, values in part.items():
        merged = index.setdefault(kind, {})
        for value, entry in values.items():
            merged[value] = entry if kind == _FACTS else merged.get(value, {}) | entry


def _group_by_name(index: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, set[_Entry]]:
    entries: dict[str, set[_Entry]] = defaultdict(set)
    for kind, values in index.items():
        if kind == _FACTS:
            continue
        for value, names in values.items():
            for name in names:
                entries[name].add((kind, value))
    return dict(entries)
