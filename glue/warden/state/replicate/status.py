"""Status of the replication of one source: written by its two threads, read by the probes and the metrics."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

__all__ = ["SourceStatus"]

_MAX_AHEAD_SECONDS = 60.0  # of a state to this machine's clock


@dataclass
class SourceStatus:
    """Facts about one source; each field is set by one thread only, and read by any.

    Args:
        name: The source's name.
        kind: The source's kind.
        max_age: Seconds after which a replica is too old to call the replicator ready.

    Attributes:
        observed: When what OPA holds was read from the source (UTC); None where OPA holds nothing of it.
        loaded: Whether OPA has held a replica since the start.
        leader: The replicator whose replica is in OPA, where that is another one.
        source_error: Why the source cannot be read now.
        opa_error: Why OPA cannot be written now.
        held: Which loss is held back.
        bundle_error: Why OPA's bundle is refused: it is older than one seen before, or nobody can tell.
        entries: Entries that the replica has, by its top-level key.
        lag: Seconds from the reading of the last change to OPA's having it.
        counts: Events since the start, by (name, label).
    """

    name: str
    kind: str
    max_age: float
    observed: datetime | None = None
    loaded: bool = False
    leader: str | None = None
    source_error: str | None = None
    opa_error: str | None = None
    held: str | None = None
    bundle_error: str | None = None
    revision: str | None = None
    entries: dict[str, int] = field(default_factory=dict)
    lag: float | None = None
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def count_event(self, event: str, label: str = "", by: int = 1) -> None:
        """Count an event."""
        self.counts[event, label] += by

    def compute_age(self, now: datetime | None = None) -> float | None:
        """Return the age of what OPA holds, in seconds; None where it holds nothing."""
        observed = self.observed
        return None if observed is None else max(0.0, ((now or datetime.now(UTC)) - observed).total_seconds())

    def find_problem(self, now: datetime | None = None) -> str | None:
        """Return why this source makes the replicator not ready, None where it does not."""
        age = self.compute_age(now)
        reasons = (self.bundle_error, self.held, self.opa_error, self.source_error)
        why = "; ".join(reason for reason in reasons if reason)
        if not self.loaded:
            return f"not loaded yet{f': {why}' if why else ''}"
        if self.bundle_error or self.held or self.opa_error:
            return why
        if age is None or age > self.max_age:
            age_text = "of unknown age" if age is None else f"{age:.1f} s old, more than {self.max_age:g} s"
            return f"the state in OPA is {age_text}{f': {why}' if why else ''}"
        ahead = (self.observed - (now or datetime.now(UTC))).total_seconds() if self.observed else 0.0
        if ahead > _MAX_AHEAD_SECONDS:
            return f"the state in OPA was observed {ahead:.1f} s after this machine's time of day: correct the clocks"
        return None

    def to_document(self, now: datetime | None = None) -> dict[str, Any]:
        """Return what ``/readyz`` shows of this source."""
        age, problem = self.compute_age(now), self.find_problem(now)
        return {
            "ready": problem is None,
            "problem": problem,
            "age": None if age is None else round(age, 3),
            "revision": self.revision,
            "leader": self.leader,
            "entries": dict(self.entries),
        }
