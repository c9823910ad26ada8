"""Metadata before version 4, at which a broker creates every topic that is named: sent to it in version 4.

From version 4 on a request says whether missing topics are created (KAFKA-5291), so that those can be decided first.
"""

import struct
from dataclasses import replace
from typing import Final

from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError, Raw, RequestHeader, encode_frame
from warden.enforce.gateway.wire.response_queue import Mend
from warden.enforce.gateway.wire.responses import encode_response, extract_response_body

__all__ = ["build_downgrade", "downgrade", "is_old", "upgrade"]

_VERSION: Final = 4
_INT16: Final = struct.Struct(">h")


def is_old(head: RequestHeader) -> bool:
    """Return whether a request creates topics without saying so."""
    return head.api.name == "Metadata" and head.version < _VERSION


def upgrade(head: RequestHeader, raw: bytes) -> tuple[RequestHeader, bytes]:
    """Return a request in the version that says that missing topics are created; its head keeps the client's version.

    Version 0 has no other way to ask for all topics than to name none.

    Args:
        head: Its head, of an old version.
        raw: Its frame.

    Raises:
        ProtocolError: It says more than the gateway can read.
        Undecodable: Its body is none.
    """
    message = codec.decode(head.api.key, head.version, "Request", raw[head.body_start :])
    if not message.exact:
        raise ProtocolError(f"{head.api.name} v{head.version}: bytes behind its end")
    topics = message.fields["topics"]
    fields = {"topics": None if head.version == 0 and not topics else topics, "allowAutoTopicCreation": True}
    start = (raw[LENGTH : LENGTH + 2], _INT16.pack(_VERSION), raw[LENGTH + 4 : head.body_start])
    return (
        replace(head, version=_VERSION, client_version=head.version),
        encode_frame(*start, codec.encode(head.api.key, _VERSION, "Request", fields)),
    )


def downgrade(head: RequestHeader, raw: Raw) -> Raw:
    """Return a response in the version of the client's request: the very bytes where that is the broker's.

    Args:
        head: The head of the request, as of `upgrade`.
        raw: The response.

    Raises:
        Undecodable: It is none.
    """
    if head.client_version is None:
        return raw
    fields = codec.decode(head.api.key, head.version, "Response", extract_response_body(head, raw)).fields
    return encode_response(replace(head, version=head.client_version), fields)


def build_downgrade(head: RequestHeader, mend: Mend | None) -> Mend | None:
    """Return what is done to a response, followed by `downgrade` where the client's version is another one."""
    if head.client_version is None:
        return mend

    def convert(raw: Raw) -> Raw | None:
        mended = raw if mend is None else mend(raw)
        return None if mended is None else downgrade(head, mended)

    return convert
