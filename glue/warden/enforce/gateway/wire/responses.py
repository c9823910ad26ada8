"""Responses that the gateway makes or mends: of what is denied, merged with a broker's, and the versions it carries."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from warden.base.errors import KafkaError
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.apis import API_VERSIONS, APIS
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError, Raw, RequestHeader, encode_frame
from warden.policy.adapter import ParsedRequest, Result, build_denied_elements, merge_response
from warden.policy.adapter.request_types import REQUEST_TYPES

__all__ = [
    "encode_merged_response",
    "encode_response",
    "encode_versions_refusal",
    "extract_response_body",
    "trim_versions",
]


def encode_response(head: RequestHeader, fields: Mapping[str, Any]) -> bytes:
    """Return a response as a frame; fields that are missing have their defaults."""
    body = codec.encode(head.api.key, head.version, "Response", fields)
    tags = b"\0" if head.api.is_flexible(head.version) and head.api.key != API_VERSIONS else b""
    return encode_frame(head.correlation_id.to_bytes(4, "big", signed=True), tags, body)


def encode_versions_refusal(head: RequestHeader, code: int) -> bytes:
    """Return the response with an error to a request for versions, whichever version that has.

    It has the versions in which they can be requested, of which the client takes its highest (KIP-511).
    """
    supported = (
        head if head.api.supports_version(head.version) else RequestHeader(head.api, 0, head.correlation_id, None, 0)
    )
    low, high = head.api.advertised
    return encode_response(
        supported, {"errorCode": code, "apiKeys": [{"apiKey": API_VERSIONS, "minVersion": low, "maxVersion": high}]}
    )


def extract_response_body(head: RequestHeader, raw: Raw) -> bytes:
    """Return the body of a response's frame.

    Raises:
        ProtocolError: Its head has tagged fields, which no version of Kafka knows.
    """
    start = LENGTH + 4
    if head.api.is_flexible(head.version) and head.api.key != API_VERSIONS:
        if raw[start : start + 1] != b"\0":
            raise ProtocolError(f"{head.api.name} v{head.version}: a response whose head has tagged fields")
        start += 1
    return bytes(memoryview(raw)[start:])


def encode_merged_response(
    head: RequestHeader, parsed: ParsedRequest, results: Mapping[str, Result], broker: Raw | None
) -> bytes:
    """Return the response to a request of which a broker has seen a part, in the request's order.

    Args:
        head: The head of the request.
        parsed: The request.
        results: What became of each item; a broker has seen those that are allowed.
        broker: The broker's response as a frame; None where it has seen nothing.

    Raises:
        Undecodable: The broker's response is none.
        ProtocolError: The broker has not answered about all that it has seen.
    """
    row = REQUEST_TYPES[head.api.name]
    if not row.lists:
        (refusal,) = build_denied_elements(parsed, results)
        if refusal["errorCode"] and head.version < row.whole_since:
            raise ProtocolError(f"{head.api.name} v{head.version}: denied, which its response cannot say")
        return encode_response(head, refusal)
    fields: Mapping[str, Any] = {"errorMessage": None} if head.api.name == "AlterPartitionReassignments" else {}
    if broker is not None:
        fields = codec.decode(head.api.key, head.version, "Response", extract_response_body(head, broker)).fields
    answered = fields.get(row.response, ())
    if row.identify is None:
        requested = [element for name in row.lists for element in parsed.request.get(name) or ()]
        elements = sorted([*answered, *build_denied_elements(parsed, results)], key=_build_sort_key(requested))
    else:
        try:
            elements = merge_response(parsed, results, answered)
        except KafkaError as error:
            raise ProtocolError(str(error)) from None
    return encode_response(head, {**fields, row.response: elements})


def _build_sort_key(requested: Sequence[Any]) -> Callable[[Mapping[str, Any]], int]:
    """Return where an element's resource stands in the request; one that is not in it comes last."""
    positions: dict[Any, int] = {}
    for index, element in enumerate(requested):
        for identity in _list_identities(element):
            positions.setdefault(identity, index)
    return lambda element: min(
        (positions.get(key, len(requested)) for key in _list_identities(element)), default=len(requested)
    )


def _list_identities(element: Any) -> list[Any]:
    if isinstance(element, str):
        return [("name", element)]
    if "resourceName" in element:
        return [(element.get("resourceType"), element["resourceName"])]
    if "groupId" in element:
        return [("name", element["groupId"])]
    return [(name, element[name]) for name in ("topicId", "name") if element.get(name) is not None]


def trim_versions(head: RequestHeader, raw: Raw) -> Raw:
    """Return a broker's answer to ApiVersions with only the APIs and versions that the gateway carries.

    An error is passed on as it is: its body is version 0's, and says which versions the broker has of ApiVersions.
    """
    if raw[LENGTH + 4 : LENGTH + 6] != b"\0\0":
        return raw
    fields = codec.decode(head.api.key, head.version, "Response", extract_response_body(head, raw)).fields
    kept = []
    for row in fields["apiKeys"]:
        api = APIS.get(row["apiKey"])
        if api is None or api.handling == "refuse":
            continue
        low, high = api.advertised
        low, high = max(low, row["minVersion"]), min(high, row["maxVersion"])
        if low <= high:
            kept.append({**row, "minVersion": low, "maxVersion": high})
    return encode_response(head, {**fields, "apiKeys": kept})
