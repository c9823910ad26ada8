"""``warden topics alter``."""

from collections.abc import Mapping
from typing import Any

import click

from warden.base.errors import ConfigurationError
from warden.commands.topics.change import TopicRequest, carry_out_change
from warden.commands.topics.options import ChangeOptions, add_change_options, define_topic_options, topic
from warden.commands.topics.values import parse_key_values, parse_replica_assignment
from warden.policy.contract.names import CONFIG_RESOURCE_TYPES

__all__ = ["command"]

_TOPIC = CONFIG_RESOURCE_TYPES["topic"]
_SET, _DELETE = 0, 1  # AlterConfigOp.OpType


@click.command()
@topic
@define_topic_options(
    partitions="The new number of partitions; Kafka only ever adds.",
    assignment="With --partitions: the brokers of every partition; those of the ones that exist are passed over.",
    config="A topic config to set; repeatable.",
)
@click.option("--delete-config", "deleted", multiple=True, metavar="KEY", help="An override to remove; repeatable.")
@click.option("--if-exists", is_flag=True, help="Pass over topics that do not exist.")
@add_change_options
def command(
    topics: tuple[str, ...],
    partitions: int | None,
    assignment: str | None,
    configs: tuple[str, ...],
    deleted: tuple[str, ...],
    if_exists: bool,
    **options: Any,
) -> int:
    """Add partitions to topics and change their configs, of each topic all or nothing.

    \b
    Examples:
      warden topics alter --bootstrap-server localhost:9092 --topic shop.orders.created --partitions 12
      warden topics alter --bootstrap-server localhost:9092 --topic shop.orders.created \\
                          --config retention.ms=86400000 --delete-config retention.bytes
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    replicas = parse_replica_assignment(assignment)
    ops = [
        *(
            {"name": name, "configOperation": _SET, "value": text}
            for name, text in parse_key_values("--config", configs).items()
        ),
        *({"name": name, "configOperation": _DELETE, "value": None} for name in deleted),
    ]
    if partitions is None and not ops:
        raise ConfigurationError("nothing to alter: give --partitions, --config or --delete-config")
    if replicas and partitions is None:
        raise ConfigurationError("--replica-assignment is of new partitions: give --partitions too")

    def build_requests(state: Mapping[str, Any]) -> list[TopicRequest]:
        names = [name for name in topics if name in state["topics"] or not if_exists]
        changes = []
        if names and partitions is not None:
            grown = [
                {"name": name, "count": partitions, "assignments": _build_new_assignments(replicas, state, name)}
                for name in names
            ]
            changes.append(TopicRequest("CreatePartitions", {"topics": grown}))
        if names and ops:
            resources = [{"resourceType": _TOPIC, "resourceName": name, "configs": ops} for name in names]
            changes.append(TopicRequest("IncrementalAlterConfigs", {"resources": resources}))
        return changes

    return carry_out_change(ChangeOptions.from_options(options), topics, build_requests, "altered")


def _build_new_assignments(
    replicas: list[list[int]], state: Mapping[str, Any], topic: str
) -> list[dict[str, Any]] | None:
    """The brokers of the partitions that the topic does not have yet; None leaves the choice to Kafka."""
    existing = state["topics"].get(topic, {}).get("numPartitions", 0)
    return [{"brokerIds": ids} for ids in replicas[existing:]] if replicas else None
