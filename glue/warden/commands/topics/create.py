"""``warden topics create``."""

from collections.abc import Mapping
from typing import Any

import click

from warden.base.errors import ConfigurationError
from warden.commands.topics.change import TopicRequest, carry_out_change
from warden.commands.topics.options import ChangeOptions, add_change_options, define_topic_options, topic
from warden.commands.topics.values import parse_key_values, parse_replica_assignment

__all__ = ["command"]


@click.command()
@topic
@define_topic_options(
    partitions="Number of partitions.  [default: the broker's]",
    assignment="Brokers of each partition, in place of --partitions and --replication-factor.",
    config="A topic config; repeatable.",
)
@click.option("--replication-factor", type=int, help="Replicas of each partition.  [default: the broker's]")
@click.option("--label", "labels", multiple=True, metavar="KEY=VALUE", help="A label for the policy; repeatable.")
@click.option("--if-not-exists", is_flag=True, help="Leave topics that exist as they are.")
@add_change_options
def command(
    topics: tuple[str, ...],
    partitions: int | None,
    replication_factor: int | None,
    assignment: str | None,
    configs: tuple[str, ...],
    labels: tuple[str, ...],
    if_not_exists: bool,
    **options: Any,
) -> int:
    """Create topics, each if the policy allows it; configs that the policy wants replace yours.

    \b
    Examples:
      warden topics create --bootstrap-server localhost:9092 --topic shop.orders.created \\
                           --partitions 6 --replication-factor 3 --config retention.ms=86400000
      warden topics create --bootstrap-server localhost:9092 --topic shop.orders.created --validate-only
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    replicas = parse_replica_assignment(assignment)
    if replicas and (partitions is not None or replication_factor is not None):
        raise ConfigurationError(
            "--replica-assignment says how many partitions and replicas there are: "
            "leave out --partitions and --replication-factor"
        )
    new = {
        "numPartitions": -1 if partitions is None else partitions,
        "replicationFactor": -1 if replication_factor is None else replication_factor,
        "assignments": [{"partitionIndex": index, "brokerIds": ids} for index, ids in enumerate(replicas)],
        "configs": [{"name": name, "value": value} for name, value in parse_key_values("--config", configs).items()],
    }

    def build_requests(state: Mapping[str, Any]) -> list[TopicRequest]:
        names = [name for name in topics if not (if_not_exists and name in state["topics"])]
        return [TopicRequest("CreateTopics", {"topics": [{"name": name, **new} for name in names]})] if names else []

    labelled = parse_key_values("--label", labels)
    by_topic = dict.fromkeys(topics, labelled) if labelled else None
    return carry_out_change(ChangeOptions.from_options(options), topics, build_requests, "created", labels=by_topic)
