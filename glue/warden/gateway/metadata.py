"""Requests for metadata, which by default create the topics that they ask for."""

from warden.gateway import codec
from warden.gateway.frames import LENGTH, Head, ProtocolError, frame

__all__ = ["without_creation"]


def without_creation(head: Head, raw: bytes) -> bytes:
    """Return a Metadata request that creates nothing: a topic that is not there is answered as unknown.

    Args:
        head: Its head, of version 4 or later: versions before have no field that says so.
        raw: Its frame.

    Raises:
        ProtocolError: It says more than the gateway can read, so that it cannot be changed.
        Undecodable: It is none.
    """
    message = codec.decode(head.api.key, head.version, "Request", raw[head.body :])
    if not message.fields["allowAutoTopicCreation"] or not message.fields["topics"]:
        return raw
    if not message.exact:
        raise ProtocolError(f"{head.api.name} v{head.version}: a request that the gateway cannot read all of")
    fields = {**message.fields, "allowAutoTopicCreation": False}
    return frame(raw[LENGTH : head.body], codec.encode(head.api.key, head.version, "Request", fields))
