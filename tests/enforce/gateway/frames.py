"""Frames for tests: requests and responses in bytes."""

import time
from collections.abc import Mapping
from typing import Any

from warden.enforce.gateway.connection.connection import ClientConnection
from warden.enforce.gateway.connection.connection_options import ConnectionOptions
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.apis import APIS
from warden.enforce.gateway.wire.frames import LENGTH, RequestHeader, encode_frame
from warden.enforce.gateway.wire.responses import encode_response

__all__ = [
    "ALLOWED",
    "DENIED",
    "KEYS",
    "connection",
    "create_topics",
    "decode_response",
    "new_word",
    "raw_request",
    "raw_response",
    "taken",
]

KEYS = {api.name: key for key, api in APIS.items()}
"""Numbers of APIs by name."""

ALLOWED = {"allowed": True, "errors": [], "error": None, "violations": []}
_ERROR = {"code": 44, "name": "POLICY_VIOLATION", "message": "no"}
DENIED = {"allowed": False, "errors": ["no"], "error": _ERROR, "violations": []}


def raw_request(name: str, version: int, body: bytes | Mapping[str, Any], correlation_id: int = 1) -> bytes:
    """Return a request of client ``me``."""
    api = APIS[KEYS[name]]
    content = body if isinstance(body, bytes) else codec.encode(api.key, version, "Request", body)
    head = api.key.to_bytes(2, "big") + version.to_bytes(2, "big") + correlation_id.to_bytes(4, "big")
    return encode_frame(head, b"\0\x02me", b"\0" if api.is_flexible(version) else b"", content)


def raw_response(name: str, version: int, fields: Mapping[str, Any], correlation_id: int = 1) -> bytes:
    """Return a response."""
    return encode_response(RequestHeader(APIS[KEYS[name]], version, correlation_id, "me", 0), fields)


def create_topics(*names: str | None, correlation_id: int = 1, version: int = 7) -> bytes:
    """Return a request that creates topics."""
    topics: list[dict[str, Any]] = [
        {"name": name, "numPartitions": 1, "replicationFactor": 1, "assignments": [], "configs": []} for name in names
    ]
    return raw_request("CreateTopics", version, {"topics": topics, "timeoutMs": 600_000}, correlation_id)


def connection(**options: Any) -> ClientConnection:
    """A connection whose clients know broker 1 as gateway:1001."""
    return ClientConnection(lambda broker: ("gateway", 1000 + broker), ConnectionOptions(**options))


def taken(core: ClientConnection) -> tuple[bytes, bytes]:
    """Bytes to the client, and to the broker."""
    output = core.take_output()
    return b"".join(output.to_client), b"".join(output.to_broker)


def decode_response(name: str, version: int, raw: bytes) -> Mapping[str, Any]:
    """Return the fields of a whole response."""
    start = LENGTH + (5 if APIS[KEYS[name]].is_flexible(version) else 4)
    return codec.decode(KEYS[name], version, "Response", raw[start:]).fields


def new_word() -> str:
    """Letters that were not returned before, as a part of a topic's name which no topic has yet."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(time.monotonic_ns()))
