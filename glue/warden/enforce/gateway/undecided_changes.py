"""Changes that no decision is about: what becomes of them, and the answers to those that are refused.

The contract has no operation for them, so a site says by API whether they pass, are logged, or are refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from warden.enforce.gateway.frames import Buffer, Head, ProtocolError, frame, peek_head, varint
from warden.enforce.gateway.responses import response

__all__ = ["UNDECIDED_CHANGES", "Course", "UndecidedChange", "encode_refusal", "peek_request"]

Course = Literal["refuse", "log", "pass"]

_DENIED: Final = 44
_MESSAGE: Final = b"the gateway's configuration refuses this request: no policy decides about it"

_LAYOUTS: Final = {
    "AddRaftVoter": "tem",
    "AlterReplicaLogDirs": "",
    "CreateDelegationToken": "",
    "ExpireDelegationToken": "ext",
    "RemoveRaftVoter": "tem",
    "RenewDelegationToken": "ext",
    "UnregisterController": "tem",
}
"""The fields of a response with an error: throttle time, error, message, and a time of expiry."""

UNDECIDED_CHANGES: Final = frozenset(_LAYOUTS)
"""The names of all of them."""


@dataclass(frozen=True, slots=True)
class UndecidedChange:
    """A request that no decision is about.

    Args:
        head: Its head.
        name: One of `UNDECIDED_CHANGES`.
        course: What becomes of it.
    """

    head: Head
    name: str
    course: Course


def peek_request(data: Buffer, courses: Mapping[str, Course]) -> tuple[Head, bool, UndecidedChange | None] | None:
    """Return as `warden.enforce.gateway.frames.peek_head`, and what the request would change undecided.

    Args:
        data: The beginning of its frame.
        courses: What becomes of such changes, by name; one that is not named is logged.

    Raises:
        ProtocolError: As of `warden.enforce.gateway.frames.peek_head`.
    """
    found = peek_head(data)
    return (*found, _find_change(found[0], courses)) if found is not None else None


def _find_change(head: Head, courses: Mapping[str, Course]) -> UndecidedChange | None:
    name = head.api.name
    return UndecidedChange(head, name, courses.get(name, "log")) if name in _LAYOUTS else None


def encode_refusal(head: Head) -> bytes:
    """Return the response to a change that is refused: POLICY_VIOLATION, with a sentence where the API has one.

    Args:
        head: The request's head.

    Raises:
        ProtocolError: The API has no error for the whole request, so that the connection has to be closed.
    """
    flexible = head.api.is_flexible(head.version)
    if head.api.name == "CreateDelegationToken":
        return response(head, {"errorCode": _DENIED})
    layout = _LAYOUTS[head.api.name]
    if not layout:
        raise ProtocolError(f"{head.api.name} v{head.version}: refused by the configuration (undecided)")
    body = b"".join(_field(one) for one in layout)
    tags = b"\0" if flexible else b""
    return frame(head.correlation_id.to_bytes(4, "big", signed=True), tags, body, tags)


def _field(kind: str) -> bytes:
    fields: dict[str, bytes] = {
        "t": bytes(4),
        "e": _DENIED.to_bytes(2, "big"),
        "m": varint(len(_MESSAGE) + 1) + _MESSAGE,
        "x": bytes(8),
    }
    return fields[kind]
