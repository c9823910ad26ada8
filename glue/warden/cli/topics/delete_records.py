"""``warden topics delete-records``."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from warden.cli.topics.change import Request, change
from warden.cli.topics.options import ChangeOptions, change_options
from warden.cli.topics.values import partitions_of_file

__all__ = ["command"]


@click.command()
@click.option(
    "--offset-json-file",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Which records: below which offset of which partition; -1 is the high watermark.",
)
@change_options
def command(offset_json_file: Path, **options: Any) -> int:
    """Delete records from the beginning of partitions, of each topic if the policy allows it.

    With --validate-only the policy decides and nothing is deleted; Kafka itself has no such question (KIP-201).

    \b
    The file, as kafka-delete-records.sh reads it:
      {"version": 1, "partitions": [{"topic": "shop.orders.created", "partition": 0, "offset": 1234}]}
    \b
    Examples:
      warden topics delete-records --bootstrap-server localhost:9092 --offset-json-file offsets.json --validate-only
      warden topics delete-records --bootstrap-server localhost:9092 --offset-json-file offsets.json
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    by_topic = partitions_of_file(offset_json_file, "offset")
    topics = [
        {
            "name": name,
            "partitions": [{"partitionIndex": one["partition"], "offset": one["offset"]} for one in elements],
        }
        for name, elements in by_topic.items()
    ]

    def requests(_state: Mapping[str, Any]) -> list[Request]:
        return [Request("DeleteRecords", {"topics": topics})]

    return change(ChangeOptions.take(options), by_topic, requests, "records deleted", activity=True)
