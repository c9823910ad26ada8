"""The faults of the embedded estate: one row for each, with how often it occurs and what it does to a topic.

The shares are per mille of a cluster's user topics by environment. They are chosen to look like an estate that has
rules on paper only: production mostly right, the further from it the more is left at whatever was typed first.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

__all__ = ["FAULTS", "DemoFault"]

_DAY_MS = 86_400_000


@dataclass(frozen=True)
class DemoFault:
    """One kind of fault.

    Args:
        name: What it is called in tests and documentation.
        per_mille: How many of a thousand user topics have it: (prod, staging, test, dev).
        rename: New name of the topic from (random, name), or None where the name stays.
        change: Changes the topic in place, from (random, topic), or None.
    """

    name: str
    per_mille: tuple[int, int, int, int]
    rename: Callable[[Random, str], str] | None = None
    change: Callable[[Random, dict[str, Any]], None] | None = None


def _build_config_change(**values: str) -> Callable[[Random, dict[str, Any]], None]:
    """A change that sets configs; ``_`` in a keyword stands for Kafka's ``.``."""
    named = {key.replace("_", "."): value for key, value in values.items()}
    return lambda _, topic: topic["configs"].update(named)


def _build_choice_change(key: str, values: list[str]) -> Callable[[Random, dict[str, Any]], None]:
    return lambda random, topic: topic["configs"].update({key: random.choice(values)})


def _build_replica_change(count: int) -> Callable[[Random, dict[str, Any]], None]:
    """A change to ``count`` replicas; min.insync.replicas follows, as nobody could produce to the topic otherwise."""

    def set_replicas(_: Random, topic: dict[str, Any]) -> None:
        topic["replicationFactor"] = min(count, topic["replicationFactor"])
        topic["configs"]["min.insync.replicas"] = "1"
        topic["replicasAssignments"] = {p: on[:count] for p, on in topic["replicasAssignments"].items()}

    return set_replicas


def _set_min_isr_to_rf(_: Random, topic: dict[str, Any]) -> None:
    topic["configs"]["min.insync.replicas"] = str(topic["replicationFactor"])


def _build_partition_change(least: int, most: int) -> Callable[[Random, dict[str, Any]], None]:
    def set_partitions(random: Random, topic: dict[str, Any]) -> None:
        placed = list(topic["replicasAssignments"].values())
        topic["numPartitions"] = random.randrange(least, most, 10)
        topic["replicasAssignments"] = {str(p): placed[p % len(placed)] for p in range(topic["numPartitions"])}

    return set_partitions


def _remove_owner(_: Random, topic: dict[str, Any]) -> None:
    del topic["labels"]["owner"]


def _build_camel_name(_: Random, name: str) -> str:
    """orders.shop.line-item → OrdersShopLineItem"""
    return "".join(word.capitalize() for word in name.replace("-", ".").split("."))


def _build_snake_name(_: Random, name: str) -> str:
    return name.replace(".", "_").replace("-", "_")


def _build_scratch_name(random: Random, name: str) -> str:
    return (
        f"{random.choice(['test', 'tmp', 'foo', 'my-topic', 'copy-of'])}-{name.split('.')[-2]}-{random.randrange(1000)}"
    )


def _build_changelog_name(random: Random, name: str) -> str:
    """As long as what a stream processor makes of nested operators: the legal length is nearly used up."""
    application, number = _build_camel_name(random, name), random.randrange(10**10)
    return f"{application}-KSTREAM-AGGREGATE-STATE-STORE-{number:010d}-changelog".ljust(240, "x")


FAULTS: tuple[DemoFault, ...] = (
    # naming
    DemoFault("name in camel case", (4, 10, 16, 30), rename=_build_camel_name),
    DemoFault("name in snake case", (6, 12, 16, 24), rename=_build_snake_name),
    DemoFault("scratch name", (1, 4, 20, 50), rename=_build_scratch_name),
    DemoFault("generated name", (2, 2, 3, 3), rename=_build_changelog_name),
    # durability
    DemoFault("one replica", (2, 10, 30, 70), change=_build_replica_change(1)),
    DemoFault("two replicas", (8, 20, 30, 40), change=_build_replica_change(2)),
    DemoFault("min.insync.replicas equals replicas", (6, 5, 3, 2), change=_set_min_isr_to_rf),
    DemoFault(
        "unclean leader election", (2, 4, 6, 8), change=_build_config_change(unclean_leader_election_enable="true")
    ),
    DemoFault("forced flush", (2, 2, 1, 1), change=_build_config_change(flush_messages="1")),
    # capacity
    DemoFault("too many partitions", (5, 6, 4, 3), change=_build_partition_change(110, 400)),
    DemoFault("far too many partitions", (1, 1, 0, 0), change=_build_partition_change(1000, 2000)),
    # retention
    DemoFault("kept for ever", (10, 10, 8, 8), change=_build_config_change(retention_ms="-1")),
    DemoFault(
        "kept for years",
        (8, 6, 4, 4),
        change=_build_choice_change("retention.ms", [str(_DAY_MS * d) for d in (365, 730, 3650)]),
    ),
    DemoFault(
        "kept for minutes", (1, 3, 8, 12), change=_build_choice_change("retention.ms", ["60000", "300000", "600000"])
    ),
    DemoFault(
        "segments outlive retention",
        (5, 5, 5, 5),
        change=_build_config_change(retention_ms="3600000", segment_ms="604800000"),
    ),
    DemoFault("tiny segments", (2, 2, 4, 4), change=_build_config_change(segment_bytes="1048576")),
    # cleanup, lists, messages
    DemoFault("policy named twice", (1, 1, 2, 2), change=_build_config_change(cleanup_policy="delete,delete")),
    DemoFault(
        "huge messages", (3, 3, 3, 3), change=_build_choice_change("max.message.bytes", ["20971520", "104857600"])
    ),
    DemoFault(
        "recompressed by the broker", (8, 8, 6, 6), change=_build_choice_change("compression.type", ["gzip", "snappy"])
    ),
    # governance
    DemoFault("no owner", (10, 20, 30, 60), change=_remove_owner),
)
