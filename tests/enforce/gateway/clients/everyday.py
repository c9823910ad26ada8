"""Twenty changes that a platform team makes on any day, each with one like it that makes something worse.

`docs/explain/change.md` shows them; `test_everyday_changes.py` sends them through the gateway.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

__all__ = ["EVERYDAY", "Everyday", "Sent"]

Sent = tuple[str, dict[str, Any]]
"""A request of Kafka's protocol, by its name and its fields; ``TOPIC`` in its texts stands for the topic."""

_OPS: Final = {"SET": 0, "DELETE": 1}
_TOPIC, _BROKER = 2, 4


@dataclass(frozen=True, slots=True)
class Everyday:
    """A change, and the one that makes something worse.

    Args:
        before: What is there, as the page says it.
        passes: What passes, as the page says it.
        worse: What does not.
        request: What passes, as it is sent.
        denied: What does not.
        configs: Overrides of the topic.
        replicas: The replicas of its partitions.
        node: The broker that the requests go to, None where any will do.
    """

    before: str
    passes: str
    worse: str
    request: Sent
    denied: Sent
    configs: Mapping[str, str] = field(default_factory=dict)
    replicas: tuple[tuple[int, ...], ...] = ((1,),)
    node: int | None = None


def _alter(sets: Mapping[str, str | None], kind: int = _TOPIC, name: str = "TOPIC") -> Sent:
    """What kafka-configs.sh sends; None deletes."""
    configs = [
        {"name": key, "configOperation": _OPS["DELETE" if value is None else "SET"], "value": value}
        for key, value in sets.items()
    ]
    resources = [{"resourceType": kind, "resourceName": name, "configs": configs}]
    return "IncrementalAlterConfigs", {"resources": resources, "validateOnly": False}


def _replace(entries: Mapping[str, str]) -> Sent:
    """All overrides at once, as clients do that know no other request."""
    configs = [{"name": key, "value": value} for key, value in entries.items()]
    resources = [{"resourceType": _TOPIC, "resourceName": "TOPIC", "configs": configs}]
    return "AlterConfigs", {"resources": resources, "validateOnly": False}


def _grow(count: int) -> Sent:
    topics = [{"name": "TOPIC", "count": count, "assignments": None}]
    return "CreatePartitions", {"topics": topics, "timeoutMs": 60_000, "validateOnly": False}


def _move(targets: Mapping[int, tuple[int, ...]]) -> Sent:
    """What kafka-reassign-partitions.sh and Cruise Control send."""
    partitions = [{"partitionIndex": p, "replicas": list(replicas)} for p, replicas in targets.items()]
    topics = [{"name": "TOPIC", "partitions": partitions}]
    return "AlterPartitionReassignments", {"timeoutMs": 60_000, "topics": topics}


def _create(replicas: int, configs: Mapping[str, str]) -> Sent:
    topic = {
        "name": "TOPIC-new",
        "numPartitions": 3,
        "replicationFactor": replicas,
        "assignments": [],
        "configs": [{"name": key, "value": value} for key, value in configs.items()],
    }
    return "CreateTopics", {"topics": [topic], "timeoutMs": 60_000, "validateOnly": False}


_THREE: Final = ((1, 2, 3), (2, 3, 1), (3, 1, 2))
_SOUND: Final = {"min.insync.replicas": "2", "retention.ms": "604800000"}

EVERYDAY: Final = (
    Everyday(
        "one replica",
        "`max.message.bytes=1000000`",
        "`max.message.bytes=20000000`",
        _alter({"max.message.bytes": "1000000"}),
        _alter({"max.message.bytes": "20000000"}),
    ),
    Everyday(
        "one replica",
        "`retention.ms=691200000`, eight days",
        "`retention.ms=1000`",
        _alter({"retention.ms": "691200000"}),
        _alter({"retention.ms": "1000"}),
    ),
    Everyday(
        "`retention.ms=1000`",
        "`retention.ms=100000`",
        "`retention.ms=900`",
        _alter({"retention.ms": "100000"}),
        _alter({"retention.ms": "900"}),
        configs={"retention.ms": "1000"},
    ),
    Everyday(
        "`retention.ms` of 40 days",
        "35 days",
        "50 days",
        _alter({"retention.ms": "3024000000"}),
        _alter({"retention.ms": "4320000000"}),
        configs={"retention.ms": "3456000000"},
    ),
    Everyday(
        "one replica",
        "`compression.type=lz4`",
        "`cleanup.policy=compact`",
        _alter({"compression.type": "lz4"}),
        _alter({"cleanup.policy": "compact"}),
    ),
    Everyday(
        "three replicas, `min.insync.replicas` of Kafka's default, 1",
        "`min.insync.replicas=2`",
        "`min.insync.replicas=3`",
        _alter({"min.insync.replicas": "2"}),
        _alter({"min.insync.replicas": "3"}),
        replicas=_THREE,
    ),
    Everyday(
        "three replicas, `min.insync.replicas=2`",
        "`segment.ms=86400000`",
        "`--delete-config min.insync.replicas`",
        _alter({"segment.ms": "86400000"}),
        _alter({"min.insync.replicas": None}),
        configs=_SOUND,
        replicas=_THREE,
    ),
    Everyday(
        "`unclean.leader.election.enable=true`, one replica",
        "`unclean.leader.election.enable=false`",
        "`min.insync.replicas=2`, more than there are replicas",
        _alter({"unclean.leader.election.enable": "false"}),
        _alter({"min.insync.replicas": "2"}),
        configs={"unclean.leader.election.enable": "true"},
    ),
    Everyday(
        "three replicas",
        "`--partitions 6`, of three",
        "`unclean.leader.election.enable=true`",
        _grow(6),
        _alter({"unclean.leader.election.enable": "true"}),
        replicas=_THREE,
    ),
    Everyday(
        "101 partitions of one replica, the maximum is 100",
        "`retention.ms=691200000`",
        "`--partitions 102`",
        _alter({"retention.ms": "691200000"}),
        _grow(102),
        replicas=((1,),) * 101,
    ),
    Everyday(
        "two replicas",
        "reassigned to three",
        "reassigned to one",
        _move({0: (1, 2, 3)}),
        _move({0: (1,)}),
        replicas=((1, 2),),
    ),
    Everyday(
        "one replica",
        "reassigned to two",
        "`min.insync.replicas=2`",
        _move({0: (1, 2)}),
        _alter({"min.insync.replicas": "2"}),
    ),
    Everyday(
        "three replicas",
        "the same brokers in another order, for another leader",
        "two of them, for one of three partitions",
        _move({0: (2, 3, 1)}),
        _move({1: (2, 3)}),
        configs=_SOUND,
        replicas=_THREE,
    ),
    Everyday(
        "one replica",
        "reassigned to another broker",
        "`unclean.leader.election.enable=true`",
        _move({0: (2,)}),
        _alter({"unclean.leader.election.enable": "true"}),
    ),
    Everyday(
        "three replicas, `min.insync.replicas` of Kafka's default",
        "`leader.replication.throttled.replicas=*` and the followers', as Cruise Control sets them",
        "the same with `cleanup.policy=compact`",
        _alter({"leader.replication.throttled.replicas": "*", "follower.replication.throttled.replicas": "*"}),
        _alter({"leader.replication.throttled.replicas": "*", "cleanup.policy": "compact"}),
        replicas=_THREE,
    ),
    Everyday(
        "a topic with throttles, one replica",
        "`--delete-config leader.replication.throttled.replicas`",
        "`--delete-config retention.ms`",
        _alter({"leader.replication.throttled.replicas": None}),
        _alter({"retention.ms": None}),
        configs={"leader.replication.throttled.replicas": "*", "retention.ms": "691200000"},
    ),
    Everyday(
        "a broker with Kafka's defaults",
        "`leader.replication.throttled.rate=10000000` of it",
        "`unclean.leader.election.enable=true` of it",
        _alter({"leader.replication.throttled.rate": "10000000"}, _BROKER, "1"),
        _alter({"unclean.leader.election.enable": "true"}, _BROKER, "1"),
        node=1,
    ),
    Everyday(
        "a broker with Kafka's defaults",
        "`log.cleaner.threads=2` of all brokers",
        "`unclean.leader.election.enable=true` of all brokers",
        _alter({"log.cleaner.threads": "2"}, _BROKER, ""),
        _alter({"unclean.leader.election.enable": "true"}, _BROKER, ""),
    ),
    Everyday(
        "`retention.ms` and `segment.ms` set, one replica",
        "Terraform's provider sends all that is set, and `max.message.bytes=900000`",
        "it leaves out `retention.ms`, which removes it",
        _replace({"retention.ms": "604800000", "segment.ms": "86400000", "max.message.bytes": "900000"}),
        _replace({"segment.ms": "86400000"}),
        configs={"retention.ms": "604800000", "segment.ms": "86400000"},
    ),
    Everyday(
        "a cluster whose topics have one replica",
        "a new topic of three replicas, `min.insync.replicas=2`",
        "a new topic of one replica",
        _create(3, _SOUND),
        _create(1, {"retention.ms": "604800000"}),
    ),
)
