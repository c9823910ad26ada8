"""A site's own rules, as the OPA that decides has them: what they read, and a hash that changes when they do."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from warden.base.errors import OpaError, OpaUndefined

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["SiteRules", "read_site_rules"]

# Packages of Warden's own bundle, whose revision stands for them.
_OWN = (("kafka",), ("catalog",), ("settings",), ("io", "k8s", "federation"), ("system", "authz"), ("system", "log"))
_READS_EVERYTHING = {"state": ["*"], "clusters": ["*"], "topic": True, "clock": True}


@dataclass(frozen=True)
class SiteRules:
    """The rules that are loaded besides Warden's.

    Args:
        rules_hash: Hash of their text; a bundle need not have a revision.
        digest: Hash of their text and of the data that they read.
        found: What they read, as ``kafka/dependencies/found`` says it; everything where that cannot be found out.
        uncacheable_reasons: Sentences that say why what they decide cannot be remembered; none where it can.
    """

    rules_hash: str
    digest: str
    found: Mapping[str, Any]
    uncacheable_reasons: tuple[str, ...] = ()


def read_site_rules(client: "OpaClient") -> SiteRules:
    """Find out what the rules read that an OPA has besides Warden's.

    Args:
        client: Its token may read policies and ``data.site``; where it may not, nothing is known of the rules.
    """
    try:
        modules = {
            policy["id"]: policy["raw"]
            for policy in client.list_policies()
            if not any(_extract_package(policy)[: len(own)] == own for own in _OWN)
        }
        found = client.evaluate("kafka/dependencies/found", {"modules": modules})
    except (OpaError, KeyError, TypeError) as error:
        return SiteRules("", "", _READS_EVERYTHING, (f"what the site's rules read cannot be found out: {error}",))
    doubts = [*found["unknown"], *found["unstable"]]
    data: dict[str, Any] = {}
    for root in sorted({"site", *found["data"]}):
        try:
            data[root] = client.get_data([root])
        except OpaUndefined:
            data[root] = None
        except OpaError as error:
            doubts.append(f"data.{root}, which the site's rules read, cannot be read: {error}")
    return SiteRules(_hash(modules), _hash([modules, data]), found, tuple(doubts))


def _hash(document: Any) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:16]


def _extract_package(policy: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(piece["value"]) for piece in policy["ast"]["package"]["path"][1:])
