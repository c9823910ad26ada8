"""Cache key of the policy: revision, a site's own rules, and the dates on which a waiver or enforcement changes."""

import hashlib
import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from warden.analyse.scan.dependencies import Dependencies, build_dependencies, with_site_rules
from warden.analyse.scan.site_rules import SiteRules, read_site_rules
from warden.base.errors import OpaRefused, OpaUndefined
from warden.policy.contract.names import OWNER_LABEL

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["PolicyVersion", "read_policy_version"]

_NO_REVISION = "Warden's bundle has no revision, so that nothing tells when it is another one"
_FORM = 7  # of what is remembered; another one is another policy version


@dataclass(frozen=True)
class PolicyVersion:
    """The policy as OPA serves it.

    Args:
        revision: Of Warden's bundle; empty where somebody built it without one.
        site: The rules of a site's own; None where there are none.
        dates: The days on which decisions change (``kafka/change_dates``); None where OPA does not tell.
        audit_part_plan: How audits of topics are cut into parts (``kafka/audit_parts/plan``); None where they are not.
        dependencies: Operation → what decisions about it depend on.
        owner_label: The label that names a topic's owner (``kafka/owner_label``).
    """

    revision: str
    site: SiteRules | None = None
    dates: Sequence[str] | None = ()
    audit_part_plan: Mapping[str, Any] | None = None
    dependencies: Mapping[str, Dependencies] = field(default_factory=dict)
    owner_label: str = OWNER_LABEL

    @property
    def context(self) -> str:
        """A name for the whole policy: decisions of one context may stand in for each other."""
        text = json.dumps([_FORM, self.revision, self.site.digest if self.site else None])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def rules_id(self) -> tuple[str, str | None]:
        """What a run is about from its beginning to its end; the data that a site's rules read may be live."""
        return self.revision, self.site.rules_hash if self.site else None

    @property
    def uncacheable_reasons(self) -> tuple[str, ...]:
        """Why decisions cannot be remembered, in sentences; none where they can."""
        return (() if self.revision else (_NO_REVISION,)) + (self.site.uncacheable_reasons if self.site else ())

    def compute_validity_window(self, operation: str, now: datetime) -> str:
        """Name the time around ``now`` in which no decision of an operation changes by the clock.

        It lasts from one of ``dates`` to the next. Where OPA does not tell them it is the day; where the time itself,
        or the age of the state, is decided by, it is the very second.
        """
        if self.dependencies[operation].clock:
            return f"{now:%Y-%m-%dT%H:%M:%SZ}"
        if self.dates is None:
            return f"{now:%Y-%m-%d}"
        return str(bisect_right(self.dates, f"{now:%Y-%m-%d}"))


def read_policy_version(client: "OpaClient") -> PolicyVersion:
    """Read the version of the policy that OPA decides by.

    Raises:
        OpaError: OPA cannot be reached, or serves no bundle of Warden.
    """
    revision = client.read_revision()
    required = client.evaluate("kafka/required_state", {})
    site = read_site_rules(client) if required["all"] else None
    dependencies = build_dependencies(required)
    if site:
        dependencies = {name: with_site_rules(own, site.found) for name, own in dependencies.items()}
    cut = _evaluate(client, "kafka/audit_parts/plan")
    return PolicyVersion(
        revision,
        site,
        _evaluate(client, "kafka/change_dates"),
        cut if cut and cut["divisible"] and revision else None,
        dependencies,
        _evaluate(client, "kafka/owner_label") or OWNER_LABEL,
    )


def _evaluate(client: "OpaClient", path: str) -> Any:
    """Return a document of the bundle; None where an older bundle does not have it."""
    try:
        return client.evaluate(path, {})
    except (OpaUndefined, OpaRefused):
        return None
