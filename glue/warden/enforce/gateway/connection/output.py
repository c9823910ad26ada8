"""The output of a connection: bytes for both sides, and the results of guarded requests."""

from dataclasses import dataclass, field

from warden.enforce.gateway.guards import guarded_request
from warden.enforce.gateway.guards.ungoverned_changes import UngovernedChange
from warden.enforce.gateway.pending_changes.settlements import Settlement
from warden.enforce.gateway.wire.frames import Raw
from warden.policy.adapter.evaluation import Evaluation

__all__ = ["AuditRecord", "Output"]


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """What became of a guarded request.

    Args:
        request: The request.
        principal: Whose it is.
        evaluation: The decisions.
        extent: As of `warden.enforce.gateway.guards.guarded_request.GuardResult`.
    """

    request: guarded_request.GuardedRequest
    principal: str
    evaluation: Evaluation
    extent: str


@dataclass(slots=True)
class Output:
    """What has to leave the connection.

    Args:
        to_client: Bytes, in order.
        to_broker: Bytes, in order.
        audit_records: Guarded requests that were decided.
        settlements: What became of changes.
        ungoverned: Changes that no policy decides about, each with its principal.
    """

    to_client: list[Raw] = field(default_factory=list)
    to_broker: list[bytes] = field(default_factory=list)
    audit_records: list[AuditRecord] = field(default_factory=list)
    settlements: list[Settlement] = field(default_factory=list)
    ungoverned: list[tuple[UngovernedChange, str]] = field(default_factory=list)
