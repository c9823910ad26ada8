"""Changes that no policy decides about: what becomes of them, and the answers to those that are refused.

The contract has no operation for them, so a site says by API whether they pass, are logged, or are refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from warden.enforce.gateway.wire.frames import RequestHeader
from warden.enforce.gateway.wire.responses import encode_response
from warden.policy.adapter.results import POLICY_VIOLATION

__all__ = ["UNGOVERNED_CHANGES", "UngovernedAction", "UngovernedChange", "encode_refusal", "find_change"]

UngovernedAction = Literal["refuse", "log", "pass"]

_MESSAGE: Final = "the gateway's configuration refuses this request: no policy decides about it"

UNGOVERNED_CHANGES: Final = frozenset({"UnregisterController"})
"""The names of all of them; the response to each has an error and a message."""


@dataclass(frozen=True, slots=True)
class UngovernedChange:
    """A request that no policy decides about.

    Args:
        head: Its head.
        name: One of `UNGOVERNED_CHANGES`.
        action: What becomes of it.
    """

    head: RequestHeader
    name: str
    action: UngovernedAction


def find_change(head: RequestHeader, actions: Mapping[str, UngovernedAction]) -> UngovernedChange | None:
    """Return what a request would change that no policy decides about; None for most.

    Args:
        head: Its head.
        actions: What becomes of such changes, by name; one that is not named is logged.
    """
    name = head.api.name
    return UngovernedChange(head, name, actions.get(name, "log")) if name in UNGOVERNED_CHANGES else None


def encode_refusal(head: RequestHeader) -> bytes:
    """Return the response to a change that is refused: POLICY_VIOLATION with a sentence.

    Args:
        head: The request's head.
    """
    return encode_response(head, {"throttleTimeMs": 0, "errorCode": POLICY_VIOLATION, "errorMessage": _MESSAGE})
