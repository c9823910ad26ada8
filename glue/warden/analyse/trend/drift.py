"""Drift of an estate from what was declared, compared by what values mean to Kafka: the policies say (kafka/changes).

A value that is declared and only in force by default is no drift, nor is an override that says what would be in force
anyway. What cannot be put right by an alteration is said to be so.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from warden.analyse.trend.declarations import DeclaredTopic
from warden.base.did_you_mean import did_you_mean
from warden.base.errors import InputError
from warden.policy.bundle.catalog import read_catalog
from warden.state.snapshot.directory import read_partition
from warden.state.snapshot.layout import SnapshotPartition

__all__ = ["Drift", "iter_drift", "list_drift"]

_DRIFTED: Final = (
    "{topic: data.kafka.changes.drifted(each.declared, each.overrides, input.defaults) |"
    " some topic, each in input.topics}"
)


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

    def to_document(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return asdict(self)


def iter_drift(
    cluster: str, state: Mapping[str, Any], declared: Iterable[DeclaredTopic], catalog: Mapping[str, Any]
) -> Iterator[Drift]:
    """Yield the differences of one cluster, by topic.

    Args:
        cluster: Its name.
        state: The contract's cluster state.
        declared: What is declared for it.
        catalog: Kafka's topic configs by name.

    Raises:
        BundleError: OPA refused the policies.
    """
    declared_topics = {topic.topic: topic for topic in declared}
    topics = state.get("topics", {})
    drifted = _select_drifted(
        {
            name: (declared_topics[name].configs, _select_overrides(topics[name]))
            for name in declared_topics.keys() & topics.keys()
        },
        state.get("defaults", {}),
    )
    for name in sorted(declared_topics.keys() | topics.keys()):
        if name not in topics:
            yield Drift(cluster, name, "missing", "", declared_topics[name].file, None)
        elif name not in declared_topics:
            if not topics[name].get("internal"):
                yield Drift(cluster, name, "undeclared", "", None, None)
        else:
            yield from _iter_topic_drift(declared_topics[name], topics[name], drifted.get(name, ()), catalog)


def list_drift(declared: Sequence[DeclaredTopic], partitions: Iterable[SnapshotPartition]) -> list[Drift]:
    """Return the differences between declarations and the clusters of a snapshot, by cluster and topic.

    Args:
        declared: From `warden.analyse.trend.declarations.read_declared_topics`.
        partitions: The clusters, one day of each.

    Raises:
        InputError: A declaration names a cluster that is not there, or the snapshot is damaged.
    """
    by_cluster, catalog = {partition.cluster: partition for partition in partitions}, read_catalog("topic")["configs"]
    for topic in declared:
        if topic.cluster not in by_cluster:
            raise InputError(
                f"{topic.file}: cluster {topic.cluster} is not in the snapshot, "
                f"which holds {', '.join(sorted(by_cluster))}{did_you_mean(topic.cluster, by_cluster)}"
            )
    return [
        drift
        for cluster, partition in sorted(by_cluster.items())
        for drift in iter_drift(
            cluster, read_partition(partition), [e for e in declared if e.cluster == cluster], catalog
        )
    ]


def _iter_topic_drift(
    declared: DeclaredTopic, topic: Mapping[str, Any], drifted: Collection[str], catalog: Mapping[str, Any]
) -> Iterator[Drift]:
    """Numbers are compared as they are; that Kafka takes no partitions away, a decision about AlterTopic says too."""
    where = declared.cluster, declared.topic
    partitions, replicas = topic["numPartitions"], topic["replicationFactor"]
    if declared.partitions not in (None, partitions):
        fewer = "Kafka cannot take partitions away: declare as many, or make the topic anew"
        note = fewer if int(declared.partitions or 0) < partitions else "keys move to other partitions"
        yield Drift(*where, "partitions", "", str(declared.partitions), str(partitions), note)
    if declared.replicas not in (None, replicas):
        yield Drift(*where, "replicas", "", str(declared.replicas), str(replicas), "needs a reassignment")
    for name in sorted(drifted):
        note = "" if name in catalog else "not a config of Kafka's own"
        yield Drift(*where, "config", name, declared.configs.get(name), topic.get("configs", {}).get(name), note)


def _select_overrides(topic: Mapping[str, Any]) -> dict[str, str]:
    return {name: value for name, value in topic.get("configs", {}).items() if value is not None}


def _select_drifted(
    configs: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]], defaults: Mapping[str, Any]
) -> Mapping[str, Collection[str]]:
    """Return which configs have another value than the declared one, by topic.

    Args:
        configs: What is declared and what is set, by topic; OPA is run only where they differ.
        defaults: The cluster's.
    """
    from warden.base.resources import find_shipped
    from warden.base.toolchain.opa import find_opa
    from warden.policy.bundle.opa import run_opa_json

    differing = {
        topic: {"declared": declared, "overrides": overrides}
        for topic, (declared, overrides) in configs.items()
        if declared != overrides
    }
    if not differing:
        return {}
    bundles = [f"--bundle={find_shipped(name)}" for name in ("policies", "bundle")]
    document = json.dumps({"topics": differing, "defaults": defaults})
    names: Mapping[str, Collection[str]]
    (names,) = run_opa_json(find_opa(), "eval", *bundles, "--stdin-input", "--format=values", _DRIFTED, stdin=document)
    return names
