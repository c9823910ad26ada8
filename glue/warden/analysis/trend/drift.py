"""Drift of an estate from what was declared, compared by what values mean to Kafka.

A value that is declared and only in force by default is no drift, nor is an override that says what would be in force
anyway. What cannot be put right by an alteration is said to be so.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from warden.analysis.trend.declared import Declared
from warden.errors import InputError
from warden.snapshot.layout import Partition
from warden.snapshot.store import read_partition

__all__ = ["Drift", "drift_in", "drift_of", "topic_catalogue"]


@dataclass(frozen=True)
class Drift:
    """One difference.

    Args:
        cluster, topic: Where.
        kind: ``missing`` (declared, not there), ``undeclared`` (there, not declared), ``partitions``, ``replicas`` or
            ``config``.
        name: The config's name, empty for the other kinds.
        declared, actual: The values; None where there is none.
        note: What to know before putting it right, empty where an alteration does it.
    """

    cluster: str
    topic: str
    kind: str
    name: str
    declared: str | None
    actual: str | None
    note: str = ""

    def document(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return asdict(self)


def topic_catalogue() -> Mapping[str, Any]:
    """Return Kafka's topic configs by name: type and default."""
    from warden.bundle.constants import read_catalog
    from warden.resources import share

    configs: Mapping[str, Any] = read_catalog(share("bundle") / "catalog" / "topic")["configs"]
    return configs


def drift_of(
    cluster: str, state: Mapping[str, Any], declared: Iterable[Declared], catalogue: Mapping[str, Any]
) -> Iterator[Drift]:
    """Yield the differences of one cluster, by topic.

    Args:
        cluster: Its name.
        state: The contract's cluster state.
        declared: What is declared for it.
        catalogue: From `topic_catalogue`.
    """
    declared_topics = {each.topic: each for each in declared}
    topics, defaults = state.get("topics", {}), state.get("defaults", {})
    for name in sorted(declared_topics.keys() | topics.keys()):
        if name not in topics:
            yield Drift(cluster, name, "missing", "", declared_topics[name].file, None)
        elif name not in declared_topics:
            if not topics[name].get("internal") and not name.startswith("__"):
                yield Drift(cluster, name, "undeclared", "", None, None)
        else:
            yield from _topic(declared_topics[name], topics[name], defaults, catalogue)


def drift_in(declared: Sequence[Declared], partitions: Iterable[Partition]) -> list[Drift]:
    """Return the differences between declarations and the clusters of a snapshot, by cluster and topic.

    Args:
        declared: From `warden.analysis.trend.declared.read_declared`.
        partitions: The clusters, one day of each.

    Raises:
        InputError: A declaration names a cluster that is not there, or the snapshot is damaged.
    """
    by_cluster, catalogue = {part.cluster: part for part in partitions}, topic_catalogue()
    for each in declared:
        if each.cluster not in by_cluster:
            raise InputError(
                f"{each.file}: cluster {each.cluster} is not in the snapshot, "
                f"which holds {', '.join(sorted(by_cluster))}"
            )
    return [
        drift
        for cluster, part in sorted(by_cluster.items())
        for drift in drift_of(cluster, read_partition(part), [e for e in declared if e.cluster == cluster], catalogue)
    ]


def _topic(
    declared_topics: Declared, topic: Mapping[str, Any], defaults: Mapping[str, Any], catalogue: Mapping[str, Any]
) -> Iterator[Drift]:
    where = declared_topics.cluster, declared_topics.topic
    partitions, replicas = topic["numPartitions"], topic["replicationFactor"]
    if declared_topics.partitions not in (None, partitions):
        fewer = "Kafka cannot take partitions away: declare as many, or make the topic anew"
        note = fewer if int(declared_topics.partitions or 0) < partitions else "keys move to other partitions"
        yield Drift(*where, "partitions", "", str(declared_topics.partitions), str(partitions), note)
    if declared_topics.replicas not in (None, replicas):
        yield Drift(*where, "replicas", "", str(declared_topics.replicas), str(replicas), "needs a reassignment")
    overrides = {name: value for name, value in topic.get("configs", {}).items() if value is not None}
    for name in sorted(declared_topics.configs.keys() | overrides.keys()):
        definition = catalogue.get(name, {})
        default = defaults.get(name, definition.get("default"))
        should, does = declared_topics.configs.get(name, default), overrides.get(name, default)
        if _meaning(should, definition) != _meaning(does, definition):
            note = "" if definition else "not a config of Kafka's own"
            yield Drift(*where, "config", name, declared_topics.configs.get(name), overrides.get(name), note)


def _meaning(value: Any, definition: Mapping[str, Any]) -> Any:
    """What a text stands for to Kafka: 01 is 1, TRUE is true, and of a list the order is no matter."""
    text = None if value is None else str(value).strip()
    read = _READ.get(definition.get("type", ""))
    return text if text is None or read is None else read(text)


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _listed(text: str) -> list[str]:
    return sorted({each.strip() for each in text.split(",")})


_READ: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("int", "long", "short", "double"), _number),
    "boolean": str.lower,
    "list": _listed,
}
