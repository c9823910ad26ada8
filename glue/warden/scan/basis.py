"""What verdicts rest on besides their inputs: the policy's revision, and the days on which it changes its mind."""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from warden.errors import OpaRefused, OpaUndefined

if TYPE_CHECKING:
    from warden.opa.client import OpaClient

__all__ = ["Basis", "ask_basis"]

_FORM = 5  # of what is remembered; another one is another basis


@dataclass(frozen=True)
class Basis:
    """The policy as OPA serves it.

    Args:
        revision: Of Warden's bundle.
        others: Name → revision of bundles beside it, such as a site's own rules.
        dates: The days on which decisions change (``kafka/dates``); None where OPA does not tell.
        cut: How audits of topics are cut into parts (``kafka/parts/cut``); None where they may not be.
    """

    revision: str
    others: Mapping[str, str] = field(default_factory=dict)
    dates: Sequence[str] | None = ()
    cut: Mapping[str, Any] | None = None

    @property
    def context(self) -> str:
        """A name for the whole policy: verdicts of one context may stand in for each other."""
        text = json.dumps([_FORM, self.revision, sorted(self.others.items())])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def epoch(self, now: datetime) -> str:
        """Name the time around ``now`` in which no verdict changes by the clock.

        It lasts from one of ``dates`` to the next. Where OPA does not tell them it is the day; where there are rules
        besides Warden's, which may look at the clock, it is the very second.
        """
        if self.others:
            return f"{now:%Y-%m-%dT%H:%M:%SZ}"
        if self.dates is None:
            return f"{now:%Y-%m-%d}"
        return str(bisect_right(self.dates, f"{now:%Y-%m-%d}"))


def ask_basis(client: "OpaClient") -> Basis:
    """Ask OPA for the basis of its verdicts.

    Raises:
        OpaError: OPA cannot be reached, or serves no bundle of Warden.
    """
    revisions = client.revisions()
    revision = client.revision()
    others = {name: found for name, found in revisions.items() if name != "warden"}
    cut = _told(client, "kafka/parts/cut")
    return Basis(
        revision, others, _told(client, "kafka/dates"), cut if cut and cut["divisible"] and not others else None
    )


def _told(client: "OpaClient", path: str) -> Any:
    """None where the bundle is an older one that does not tell."""
    try:
        return client.evaluate(path, {})
    except (OpaUndefined, OpaRefused):
        return None
