"""``warden topics delete-records``."""

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
    "--offset-json-file",
    required=True,
    type=LocalPath(path_type=Path, dir_okay=False),
    help="Which records: below which offset of which partition; -1 is the high watermark.",
)
@add_change_options
def command(offset_json_file: Path, **options: Any) -> int:
    """Delete records from the beginning of partitions, of each topic if the policy allows it.

    With --validate-only the policy decides and nothing is deleted; Kafka itself has no such request (KIP-201).

    \b
    The file, as kafka-delete-records.sh reads it:
      {"version": 1, "partitions": [{"topic": "shop.orders.created", "partition": 0, "offset": 1234}]}
    \b
    Examples:
      warden topics delete-records --bootstrap-server localhost:9092 --offset-json-file offsets.json --validate-only
      warden topics delete-records --bootstrap-server localhost:9092 --offset-json-file offsets.json
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    by_topic = parse_partitions(offset_json_file, "offset")
    topics = [
        {
            "name": name,
            "partitions": [
                {"partitionIndex": element["partition"], "offset": element["offset"]} for element in elements
            ],
        }
        for name, elements in by_topic.items()
    ]

    def build_requests(_state: Mapping[str, Any]) -> list[TopicRequest]:
        return [TopicRequest("DeleteRecords", {"topics": topics})]

    return carry_out_change(
        ChangeOptions.from_options(options), by_topic, build_requests, "records deleted", activity=True
    )
