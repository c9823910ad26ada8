"""Topic ids (KIP-516): 16 bytes that requests may give in place of a name."""

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

__all__ = ["TopicIds", "find_no_name", "format_topic_id", "index_topic_ids"]

TopicIds = Callable[[str], str | None]
"""Returns the name of the topic with an id, written as Kafka prints it (URL-safe base64); None where there is none."""


def find_no_name(_id: str) -> None:
    """Know no topic: there is a name for no id."""
    return


def format_topic_id(value: Any) -> str | None:
    """Return a topic id as Kafka prints it (URL-safe base64, 22 characters); None for Kafka's zero id or none at all.

    What is not an id at all is returned as a text that no topic has, so that it is refused as unknown.
    """
    if value is None or value == "":
        return None
    raw = _encode_id(value)
    if raw is None:
        return f"not an id: {value}"
    return None if raw == bytes(16) else base64.urlsafe_b64encode(raw).decode().rstrip("=")


def index_topic_ids(state: Mapping[str, Any]) -> TopicIds:
    """Return the names by id in a cluster's state, for topics whose ``topicId`` it has."""
    topics: Mapping[str, Any] = state.get("topics", {})
    names = {format_topic_id(topic["topicId"]): name for name, topic in topics.items() if topic.get("topicId")}
    return names.get


def _encode_id(value: Any) -> bytes | None:
    if isinstance(value, UUID):
        return value.bytes
    try:
        return UUID(value).bytes if len(value) != 22 else base64.urlsafe_b64decode(value + "==")
    except (ValueError, TypeError, AttributeError, binascii.Error):
        return None
