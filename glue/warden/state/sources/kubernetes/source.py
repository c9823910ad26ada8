"""Objects of one Kubernetes API server, of any types, as ``data.kubernetes``: by full lists, and then by watches.

The document is ``{plural: {name: object}}``, or ``{plural: {namespace: {name: object}}}`` for types with namespaces,
and ``clusterIndex`` where objects of a type are clusters.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from warden.base.errors import (
    ConfigurationError,
    KubernetesError,
    OpaUndefined,
    OpaUnreachable,
    SourceStale,
    SourceUnreachable,
)
from warden.state.sources.kubernetes.access import Access
from warden.state.sources.kubernetes.cluster_index import CLUSTER_INDEX, ClusterIndex
from warden.state.sources.kubernetes.live import Collection, Informer, ObjectSelector
from warden.state.sources.kubernetes.types import guess_plural
from warden.state.sources.kubernetes.watching import WatchTimings
from warden.state.sources.source import REMOVED, Change

__all__ = ["KubernetesSource"]

_RESERVED = (CLUSTER_INDEX, "meta")
_PATIENCE = 30.0  # seconds to wait for OPA to index what has changed
_PAUSE = 0.5  # seconds between two attempts


class KubernetesSource:
    """See `warden.state.sources.source.Source`.

    Args:
        name: In logs and metrics.
        access: Finds the API server; called at each load.
        selected: What is replicated.
        clusters: The keys whose objects are clusters to the placement rules.
        index: Makes the index of clusters at each load; None where there is to be none.
        timings: How long and how often.
        piece: Objects to list at a time.
    """

    kind = "kubernetes"
    root = ("kubernetes",)
    meta = ("kubernetes", "meta")
    depth = 3

    def __init__(
        self,
        name: str,
        access: Callable[[], Access],
        selected: Sequence[ObjectSelector],
        *,
        clusters: Sequence[str] = (),
        index: Callable[[], ClusterIndex] | None = None,
        timings: WatchTimings = WatchTimings(),
        piece: int = 500,
    ) -> None:
        self.name = name
        self.observed: datetime | None = None
        self.details: Mapping[str, Any] = {}
        self.entries = _choose_guard_key(selected, clusters)
        self._access, self._selected, self._timings, self._piece = access, tuple(selected), timings, piece
        self._clusters, self._new_index = tuple(clusters), index
        self._index: ClusterIndex | None = None
        self._live: Informer | None = None
        self._names: dict[tuple[str, str], set[str]] = {}  # in each namespace of each key
        self._waiting: list[Change] = []  # changes whose index OPA has not made yet
        self._written = 0.0  # when there were none
        self._closed = threading.Event()

    def load(self) -> dict[str, Any]:
        """List everything, and watch from there on."""
        self._end()
        begun = datetime.now(UTC)
        try:
            live = self._live = Informer(self._access(), self._selected, self._timings)
            details = {"server": live.api.access.server} | live.read_identity()
            document = self._list(live)
            live.watch()
        except BaseException as error:
            self._end()
            if isinstance(error, KubernetesError):
                raise SourceUnreachable(str(error)) from error
            raise
        self.observed = begun
        self.details = details
        self._waiting, self._written = [], time.monotonic()
        if self._closed.is_set():
            self._end()
        return document

    def poll(self, timeout: float) -> list[Change]:
        """Return what the watches brought."""
        live = self._live
        if live is None:
            return []
        try:
            alive, came = live.take_changes(timeout)
        except KubernetesError as error:
            raise (SourceStale if error.status == 410 else SourceUnreachable)(str(error)) from error
        self._waiting += self._build_changes(came)
        try:
            indexed = self._list_index_changes(self._waiting)
        except (OpaUnreachable, OpaUndefined):
            # OPA restarts, say. Nothing can be written either: better to wait than to list everything again.
            if time.monotonic() - self._written > _PATIENCE:
                raise
            self._closed.wait(_PAUSE)
            return []
        changes, self._waiting, self._written = self._waiting + indexed, [], time.monotonic()
        self.observed = max(self.observed or alive, alive)
        return changes

    def close(self) -> None:
        """End the watches."""
        self._closed.set()
        self._end()

    def _end(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.close()

    def _list_index_changes(self, changes: Sequence[Change]) -> list[Change]:
        """What becomes of the index of clusters."""
        if self._index is None:
            return []
        return self._index.update(change for change in changes if change.path[0] in self._clusters)

    def _list(self, live: Informer) -> dict[str, Any]:
        document: dict[str, Any] = {}
        self._names = {}
        for collection in live.collections:
            self._check(collection)
            below = document.setdefault(collection.key, {})
            for object_key, obj in live.iter_objects(collection, self._piece):
                if collection.type.namespaced:
                    space, name = object_key
                    below.setdefault(space, {})[name] = obj
                    self._names.setdefault((collection.key, space), set()).add(name)
                else:
                    below[object_key[0]] = obj
        self._index = None
        if self._new_index is not None and not document.keys().isdisjoint(self._clusters):
            self._index = self._new_index()
            document[CLUSTER_INDEX] = self._index.load(document)
        return document

    def _check(self, collection: Collection) -> None:
        wanted, key = collection.selected, collection.key
        elsewhere = "name another place with as:"
        if key in _RESERVED:
            raise ConfigurationError(f"{wanted} cannot go to data.kubernetes.{key}: {elsewhere}")
        if wanted.namespace and not collection.type.namespaced:
            raise ConfigurationError(f"{wanted} has no namespaces: leave namespace: out")
        if key in self._clusters and collection.type.namespaced:
            raise ConfigurationError(
                f"{wanted} has namespaces, and to the rules data.kubernetes.{key} are clusters by name: {elsewhere}"
            )

    def _build_changes(self, came: Mapping[tuple[str, ...], Any]) -> list[Change]:
        """Changes of objects; a namespace goes with its last object, so that the replica is what a full load makes."""
        touched = set()
        for path, obj in came.items():
            if len(path) == 3:
                key, space, name = path
                names = self._names.setdefault((key, space), set())
                names.discard(name) if obj is None else names.add(name)
                touched.add((key, space))
        empty = {namespace for namespace in touched if not self._names[namespace]}
        for namespace in empty:
            del self._names[namespace]
        changes = [Change(path, REMOVED if obj is None else obj) for path, obj in came.items() if path[:2] not in empty]
        return [Change(namespace, REMOVED) for namespace in sorted(empty)] + changes


def _choose_guard_key(selected: Sequence[ObjectSelector], clusters: Sequence[str]) -> str | None:
    """What the guard counts: clusters, where there are any, else the objects of the only type."""
    keys = [selector.key or guess_plural(selector.kind) for selector in selected]
    return next((key for key in keys if key in clusters), keys[0] if len(keys) == 1 else None)
