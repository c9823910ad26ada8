"""What leaves a connection: bytes for both sides, and what became of guarded requests."""

from dataclasses import dataclass, field

from warden.adapter.evaluation import Evaluation
from warden.gateway import guard
from warden.gateway.frames import Raw

__all__ = ["Outcome", "Output"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a guarded request.

    Args:
        request: The request.
        principal: Whose it is.
        evaluation: The decisions.
        extent: As of `warden.gateway.guard.Decided`.
    """

    request: guard.GuardedRequest
    principal: str
    evaluation: Evaluation
    extent: str


@dataclass(slots=True)
class Output:
    """What has to leave the connection.

    Args:
        to_client: Bytes, in order.
        to_broker: Bytes, in order.
        outcomes: Guarded requests that were decided.
    """

    to_client: list[Raw] = field(default_factory=list)
    to_broker: list[bytes] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
