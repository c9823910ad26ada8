"""Waivers that hold in a scan, those that end first at the top. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

__all__ = ["SOON_DAYS", "WaiverCounter", "WaiverUse"]

SOON_DAYS = 30
"""A waiver that ends within so many days is one to look at."""


@dataclass(frozen=True)
class WaiverUse:
    """One waiver and what it covers.

    Args:
        id, owner, reason, ticket, expires: As in the settings.
        rules: The rules that it waives here.
        findings: How many findings it waives.
        days: Days from the run to its last day; negative never, for then it does not hold. None where its date is not
            one.
    """

    id: str
    owner: str
    reason: str
    ticket: str
    expires: str
    rules: tuple[str, ...]
    findings: int
    days: int | None

    @property
    def is_ending_soon(self) -> bool:
        """Whether it ends soon."""
        return self.days is None or self.days <= SOON_DAYS


@dataclass
class WaiverCounter:
    """Counts the waivers of findings that pass by."""

    _uses: dict[str, tuple[Mapping[str, Any], set[str], int]] = field(default_factory=dict)

    def iter_counted(self, findings: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the findings as they are, and count on the way."""
        for finding in findings:
            if finding["effect"] == "waived":
                waiver = finding["waiver"]
                used, rules, count = self._uses.get(waiver["id"], (waiver, set(), 0))
                self._uses[waiver["id"]] = (used, rules | {finding["rule"]}, count + 1)
            yield finding

    def list_uses(self, day: date) -> list[WaiverUse]:
        """Return what was counted, soonest end first."""
        uses = [
            WaiverUse(
                id=str(waiver["id"]),
                owner=str(waiver.get("owner") or ""),
                reason=str(waiver.get("reason") or ""),
                ticket=str(waiver.get("ticket") or ""),
                expires=str(waiver.get("expires") or ""),
                rules=tuple(sorted(rules)),
                findings=count,
                days=_count_days(str(waiver.get("expires")), day),
            )
            for waiver, rules, count in self._uses.values()
        ]
        return sorted(uses, key=lambda use: (use.expires, use.id))


def _count_days(expires: str, today: date) -> int | None:
    try:
        return (date.fromisoformat(expires[:10]) - today).days
    except ValueError:
        return None
