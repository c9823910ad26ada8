"""Status of a remediator: written by its thread, read by the probes and the metrics."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

__all__ = ["RemediatorStatus"]


@dataclass
class RemediatorStatus:
    """Facts about one remediator.

    Attributes:
        loaded: Whether all objects have been decided about since the start.
        objects: Objects that are watched.
        due: Objects that a decision is due about.
        pending: Objects that are to be patched.
        refused: Objects that policy or the API server refuses to have patched.
        late: Namespaces about whose objects OPA does not decide in time.
        put_off: Objects that could not be patched, and are tried again.
        leader: The remediator that patches, where that is another one; None where it is this one.
        leads: Whether this remediator patches.
        held: Why nothing is patched until a person says so.
        opa_error: Why OPA does not decide now.
        late_error: Why OPA does not decide about some namespaces now.
        server_error: Why the API server cannot be read or written now.
        patch_error: Why some objects cannot be patched now.
        counts: Events since the start, by (name, label).
    """

    loaded: bool = False
    objects: int = 0
    due: int = 0
    pending: int = 0
    refused: int = 0
    late: int = 0
    put_off: int = 0
    leader: str | None = None
    leads: bool = False
    held: str | None = None
    opa_error: str | None = None
    late_error: str | None = None
    server_error: str | None = None
    patch_error: str | None = None
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def count_event(self, event: str, label: str = "") -> None:
        """Count an event."""
        self.counts[event, label] += 1

    @property
    def problem(self) -> str | None:
        """Why the remediator is not ready, None where it is."""
        errors = (self.held, self.opa_error, self.late_error, self.server_error, self.patch_error)
        reasons = [reason for reason in errors if reason]
        if not self.loaded and not reasons:
            return "not all objects have been decided about yet"
        return "; ".join(reasons) or None

    def to_document(self) -> dict[str, Any]:
        """Return what ``/readyz`` shows."""
        return {
            "ready": self.problem is None,
            "problem": self.problem,
            "leads": self.leads,
            "leader": self.leader,
            "objects": self.objects,
            "due": self.due,
            "pending": self.pending,
            "refused": self.refused,
            "putOff": self.put_off,
            "late": self.late,
        }
