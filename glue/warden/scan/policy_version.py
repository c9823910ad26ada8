"""Cache key of the policy: bundle revisions, and the dates on which a waiver or enforcement changes a decision."""

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

__all__ = ["PolicyVersion", "read_policy_version", "read_shared_parts"]

_FORM = 6  # of what is remembered; another one is another policy version


@dataclass(frozen=True)
class PolicyVersion:
    """The policy as OPA serves it.

    Args:
        revision: Of Warden's bundle.
        others: Name → revision of bundles beside it, such as a site's own rules.
        dates: The days on which decisions change (``kafka/change_dates``); None where OPA does not tell.
        cut: How audits of topics are cut into parts (``kafka/audit_parts/plan``); None where they may not be.
        shared: Operation → what of a cluster's state the inputs of a scan share (``kafka/required_state``).
    """

    revision: str
    others: Mapping[str, str] = field(default_factory=dict)
    dates: Sequence[str] | None = ()
    cut: Mapping[str, Any] | None = None
    shared: Mapping[str, Any] = field(default_factory=dict)

    @property
    def context(self) -> str:
        """A name for the whole policy: decisions of one context may stand in for each other."""
        text = json.dumps([_FORM, self.revision, sorted(self.others.items())])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def validity_window(self, now: datetime) -> str:
        """Name the time around ``now`` in which no decision changes by the clock.

        It lasts from one of ``dates`` to the next. Where OPA does not tell them it is the day; where there are rules
        besides Warden's, which may look at the clock, it is the very second.
        """
        if self.others:
            return f"{now:%Y-%m-%dT%H:%M:%SZ}"
        if self.dates is None:
            return f"{now:%Y-%m-%d}"
        return str(bisect_right(self.dates, f"{now:%Y-%m-%d}"))


def read_policy_version(client: "OpaClient") -> PolicyVersion:
    """Read the version of the policy that OPA decides by.

    Raises:
        OpaError: OPA cannot be reached, or serves no bundle of Warden.
    """
    revisions = client.revisions()
    revision = client.revision()
    others = {name: other for name, other in revisions.items() if name != "warden"}
    cut = _evaluate(client, "kafka/audit_parts/plan")
    return PolicyVersion(
        revision,
        others,
        _evaluate(client, "kafka/change_dates"),
        cut if cut and cut["divisible"] and not others else None,
        read_shared_parts(client),
    )


def read_shared_parts(client: "OpaClient") -> Mapping[str, Any]:
    """Return what of a cluster's state the inputs of a scan share, by operation.

    Raises:
        OpaError: OPA cannot be reached, or serves no bundle of Warden.
    """
    shared: Mapping[str, Any] = client.evaluate("kafka/required_state", {})["shared"]
    return shared


def _evaluate(client: "OpaClient", path: str) -> Any:
    """Return a document of the bundle; None where an older bundle does not have it."""
    try:
        return client.evaluate(path, {})
    except (OpaUndefined, OpaRefused):
        return None
