"""Names of topics that a request gives by id: the request for them, and what the broker has answered."""

from collections.abc import Iterable
from typing import Any, Final

from warden.enforce.gateway.login.upstream import encode_request as own_request
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.apis import APIS
from warden.enforce.gateway.wire.frames import LENGTH, Raw, RequestHeader
from warden.enforce.gateway.wire.responses import extract_response_body
from warden.policy.adapter.topic_ids import format_topic_id

__all__ = ["encode_lookup", "read_names"]

_METADATA: Final = 3
_LOOKUP: Final = 12  # the first version of Metadata that finds topics by their ids


def encode_lookup(head: RequestHeader, ids: Iterable[Any]) -> bytes | None:
    """Return the request that asks the broker for the names of topics; None where no id is given.

    Args:
        head: The head of the request that gives them.
        ids: Ids of topics; what is none, as Kafka's zero id, is left out.
    """
    topic_ids = [id_ for id_ in ids if format_topic_id(id_)]
    if not topic_ids:
        return None
    fields = {"topics": [{"topicId": id_, "name": None} for id_ in topic_ids], "allowAutoTopicCreation": False}
    return own_request("Metadata", _LOOKUP, head.correlation_id, fields)[1]


def read_names(head: RequestHeader, raw: Raw) -> dict[str, str]:
    """Return the names by id that the broker answered; without those it does not show this client.

    Args:
        head: As of `encode_lookup`.
        raw: The broker's answer.

    Raises:
        Undecodable: It is none.
    """
    answered = RequestHeader(APIS[_METADATA], _LOOKUP, head.correlation_id, None, LENGTH)
    topics = codec.decode(_METADATA, _LOOKUP, "Response", extract_response_body(answered, raw)).fields["topics"]
    names = {format_topic_id(topic["topicId"]): topic["name"] for topic in topics if topic["errorCode"] == 0}
    return {id_: name for id_, name in names.items() if id_ is not None and name}
