"""Groups by the topics that they read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.read.brokers import Cluster
from warden.state.sources.kafka.read.groups import GroupGap, read_groups

__all__ = ["ReadConsumers", "parse_consumers", "read_consumers"]

_UNSEEN = "not every group could be seen, which takes DESCRIBE on the cluster and on each group"


@dataclass(frozen=True)
class ReadConsumers:
    """What was read of groups.

    Args:
        groups: The contract's ``groups``; None where one may have gone unseen.
        consumers: The contract's ``consumers``; None as they are.
        denied: Whether the principal's rights kept groups from being seen.
    """

    groups: dict[str, dict[str, Any]] | None
    consumers: dict[str, dict[str, Any]] | None
    denied: bool


def read_consumers(connection: Connection, cluster: Cluster, gaps: list[str]) -> ReadConsumers:
    """Return the groups, by name and by the topics that they read.

    Args:
        connection: The cluster.
        cluster: Its brokers.
        gaps: Gets a line for what is not known.
    """
    missing: list[GroupGap] = []
    assigned: dict[str, set[str]] = {}
    groups = read_groups(connection, [broker.id for broker in cluster.live_brokers], missing, assigned)
    gaps += map(str, missing)
    denied = not cluster.describes_cluster or any(gap.denied for gap in missing)
    # Members that cannot be counted still show that there may be some; offsets that cannot be had hide readers.
    if cluster.describes_cluster and all(gap.kind == "members" for gap in missing):
        return ReadConsumers(groups, parse_consumers(groups, assigned), denied)
    gaps += [f"{part}: {_UNSEEN}" for part in ("consumers", "groups")]
    return ReadConsumers(None, None, denied)


def parse_consumers(
    groups: Mapping[str, Mapping[str, Any]], assigned: Mapping[str, set[str]] | None = None
) -> dict[str, dict[str, Any]]:
    """Return the contract's ``consumers``: for each topic the groups that committed offsets of it, or read it now.

    Args:
        groups: The contract's ``groups``.
        assigned: Topics by group that its members read now, whether or not they commit.
    """
    by_topic: dict[str, dict[str, Any]] = {}
    for name, group in groups.items():
        rest = {key: value for key, value in group.items() if key != "offsets"}
        for topic in sorted(group["offsets"].keys() | (assigned or {}).get(name, set())):
            by_topic.setdefault(topic, {})[name] = {**rest, "offsets": dict(group["offsets"].get(topic, {}))}
    return dict(sorted(by_topic.items()))
