"""Groups by the topics that they read."""

from collections.abc import Iterable, Mapping
from typing import Any

from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.read.brokers import Cluster
from warden.state.sources.kafka.read.groups import read_groups

__all__ = ["has_hidden_groups", "parse_consumers", "read_consumers"]

_UNSEEN = "not every group could be seen, which takes DESCRIBE on the cluster and on each group"


def read_consumers(
    connection: Connection, cluster: Cluster, gaps: list[str]
) -> tuple[dict[str, dict[str, Any]] | None, dict[str, dict[str, Any]] | None]:
    """Return the contract's ``groups`` and ``consumers``; both are None where a group may have gone unseen.

    Args:
        connection: The cluster.
        cluster: Its brokers.
        gaps: Gets a line for what is not known.
    """
    group_problems: list[str] = []
    assigned: dict[str, set[str]] = {}
    groups = read_groups(connection, [broker.id for broker in cluster.live_brokers], group_problems, assigned)
    gaps += group_problems
    # Members that cannot be counted still show that there may be some; offsets that cannot be had hide readers.
    if cluster.describes_cluster and all(line.partition(": ")[0].endswith(".members") for line in group_problems):
        return groups, parse_consumers(groups, assigned)
    gaps += [f"{part}: {_UNSEEN}" for part in ("consumers", "groups")]
    return None, None


def has_hidden_groups(cluster: Cluster, gaps: Iterable[str]) -> bool:
    """Return whether the principal's rights kept groups from being seen.

    Args:
        cluster: As `read_consumers` was given.
        gaps: What it said.
    """
    return not cluster.describes_cluster or any("AUTHORIZATION_FAILED" in line for line in gaps)


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
