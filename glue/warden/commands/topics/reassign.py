"""``warden topics reassign``."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from warden.commands.shared.place_option import LocalPath
from warden.commands.topics.change import TopicRequest, carry_out_change
from warden.commands.topics.options import ChangeOptions, add_change_options
from warden.commands.topics.values import parse_partitions

__all__ = ["command"]


@click.command()
@click.option(
    "--reassignment-json-file",
    required=True,
    type=LocalPath(path_type=Path, dir_okay=False),
    help="Which partitions go to which brokers.",
)
@click.option("--cancel", is_flag=True, help="Cancel the reassignments of these partitions that are running.")
@click.option(
    "--disallow-replication-factor-change", is_flag=True, help="Have Kafka refuse another number of replicas."
)
@add_change_options
def command(
    reassignment_json_file: Path, cancel: bool, disallow_replication_factor_change: bool, **options: Any
) -> int:
    """Move partitions to other brokers, or change their number of replicas, of each topic if the policy allows it.

    With --validate-only the policy decides and nothing is moved.

    \b
    The file, as kafka-reassign-partitions.sh reads it:
      {"version": 1, "partitions": [{"topic": "shop.orders.created", "partition": 0, "replicas": [1, 2, 3]}]}
    \b
    Examples:
      warden topics reassign --bootstrap-server localhost:9092 --reassignment-json-file move.json
      warden topics reassign --bootstrap-server localhost:9092 --reassignment-json-file move.json --cancel
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    by_topic = parse_partitions(reassignment_json_file, "replicas")
    topics = [
        {
            "name": name,
            "partitions": [
                {"partitionIndex": element["partition"], "replicas": None if cancel else element["replicas"]}
                for element in elements
            ],
        }
        for name, elements in by_topic.items()
    ]
    fields: dict[str, Any] = {"topics": topics}
    if disallow_replication_factor_change:
        fields["allowReplicationFactorChange"] = False

    def build_requests(_state: Mapping[str, Any]) -> list[TopicRequest]:
        return [TopicRequest("AlterPartitionReassignments", fields)]

    done = "reassignment cancelled" if cancel else "being reassigned"
    return carry_out_change(ChangeOptions.from_options(options), by_topic, build_requests, done)
