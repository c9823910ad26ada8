"""The first look at a request: whether it passes as its bytes come, or is held for a decision."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from warden.enforce.gateway.connection.passthrough import is_passthrough
from warden.enforce.gateway.guards.commits import COMMITS, is_in_generation
from warden.enforce.gateway.guards.ungoverned_changes import (
    UngovernedAction,
    UngovernedChange,
    encode_refusal,
    find_change,
)
from warden.enforce.gateway.wire.frames import (
    MAX_HEAD_BYTES,
    Buffer,
    Incomplete,
    ProtocolError,
    RequestHeader,
    peek_head,
)
from warden.enforce.gateway.wire.responses import encode_versions_refusal

__all__ = ["RequestPreview", "peek_request"]

_UNSUPPORTED_VERSION: Final = 35


@dataclass(frozen=True, slots=True)
class RequestPreview:
    """The beginning of a request.

    Args:
        head: Its head.
        answered: Whether a response to it will come.
        passes: Whether it goes by, without a look at more of it.
        change: What it would change that no policy decides about; None for most.
    """

    head: RequestHeader
    answered: bool
    passes: bool
    change: UngovernedChange | None

    @property
    def is_refused(self) -> bool:
        """Whether the configuration refuses it, or it asks for versions in one that the gateway does not know.

        A broker that is as new as the client would answer that, in a form that nobody here can trim (KIP-511).
        """
        refused = self.change is not None and self.change.action == "refuse"
        return refused or not self.head.api.supports_version(self.head.version)

    def encode_refusal(self) -> bytes:
        """Return the response to a request that is refused."""
        if self.change is not None:
            return encode_refusal(self.head)
        return encode_versions_refusal(self.head, _UNSUPPORTED_VERSION)


def peek_request(data: Buffer, actions: Mapping[str, UngovernedAction]) -> RequestPreview | None:
    """Return what the beginning of a request tells; None while more bytes are needed.

    Args:
        data: The beginning of its frame.
        actions: As of `warden.enforce.gateway.guards.ungoverned_changes.find_change`.

    Raises:
        ProtocolError: As of `warden.enforce.gateway.wire.frames.peek_head`.
    """
    peeked = peek_head(data)
    if peeked is None:
        return None
    head, answered = peeked
    try:
        passes = is_in_generation(data, head) if head.api.name in COMMITS else is_passthrough(head)
    except Incomplete:
        if len(data) > MAX_HEAD_BYTES:
            raise ProtocolError(f"{head.api.name} v{head.version}: more than {MAX_HEAD_BYTES} bytes of names") from None
        return None
    return RequestPreview(head, answered, passes, find_change(head, actions))
