"""``warden topics delete``."""

from collections.abc import Mapping
from typing import Any

import click

from warden.commands.topics.change import TopicRequest, carry_out_change
from warden.commands.topics.options import ChangeOptions, add_change_options, topic

__all__ = ["command"]


@click.command()
@topic
@click.option("--if-exists", is_flag=True, help="Pass over topics that do not exist.")
@add_change_options
def command(topics: tuple[str, ...], if_exists: bool, **options: Any) -> int:
    """Delete topics, each if the policy allows it.

    With --validate-only the policy decides and nothing is deleted; Kafka itself has no such request (KIP-201).

    \b
    Examples:
      warden topics delete --bootstrap-server localhost:9092 --topic shop.orders.created --validate-only
      warden topics delete --bootstrap-server localhost:9092 --topic shop.orders.created --if-exists
    """  # noqa: D301 - \b is click's mark for lines that stay as they are

    def build_requests(state: Mapping[str, Any]) -> list[TopicRequest]:
        names = [name for name in topics if name in state["topics"] or not if_exists]
        named = [{"name": name, "topicId": None} for name in names]
        return [TopicRequest("DeleteTopics", {"topics": named})] if names else []

    return carry_out_change(ChangeOptions.from_options(options), topics, build_requests, "deleted", activity=True)
