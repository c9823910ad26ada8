"""The next change of a resource that turns non-compliant: one that leaves it as it is, under the candidate.

Such a resource is not closed: what was so before a change, and is no worse after it, is found, and as shipped only
warned of. Which rule denies it all the same is the policy's to say, so that it is evaluated. Pure.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from warden.analyse.impact.compare import NEWLY_DENIED, DecisionChange, RuleChange
from warden.analyse.scan.decision_rows import ERROR

__all__ = ["add_next_change", "build_noop_change", "needs_next_change"]

_NO_CONFIGS: Final = {"configs": {"mode": "incremental", "ops": []}}
# Audit → the operation that alters the same resource, and a change that alters nothing of it; an ACL is never altered.
_ALTERATIONS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "AuditTopic": ("AlterTopic", {}),
    "AuditBroker": ("AlterBroker", _NO_CONFIGS),
    "AuditClientConfigs": ("AlterClientConfigs", {"ops": []}),
}
# Who may alter client configs stands in the ACLs, which an audit does not have.
_ADMINISTRATOR: Final = {"type": "User", "name": "administrator"}
_ACLS: Final = {
    "User:administrator": [
        {
            "resourceType": "CLUSTER",
            "resourceName": "kafka-cluster",
            "patternType": "LITERAL",
            "principal": "User:administrator",
            "host": "*",
            "operation": "ALTER_CONFIGS",
            "permissionType": "ALLOW",
        }
    ]
}


def needs_next_change(operation: str, change: DecisionChange) -> bool:
    """Whether a change of what an audit is about has to be evaluated too."""
    return change.kind == NEWLY_DENIED and operation in _ALTERATIONS


def build_noop_change(operation: str, item: str) -> str:
    """Return the decision input of a change that leaves the audited resource as it is, at no enforcement point.

    Args:
        operation: The audit.
        item: Its own part of the audit's input, JSON text.
    """
    document = json.loads(item)
    alteration, nothing = _ALTERATIONS[operation]
    document |= {"operation": alteration, "enforcementPoint": "", "request": {**document.get("request", {}), **nothing}}
    if alteration == "AlterClientConfigs":
        state = {**document.get("clusterState", {}), "acls": _ACLS}
        document |= {"principal": _ADMINISTRATOR, "clusterState": state}
    return json.dumps(document)


def add_next_change(change: DecisionChange, decision: Mapping[str, Any]) -> DecisionChange:
    """Return a change with what the rules that deny say of such an input.

    Args:
        change: Of the audit.
        decision: The decision row of `build_noop_change`.
    """
    effects: dict[str, set[str]] = {}
    for violation in decision["violations"]:
        effects.setdefault(violation["rule"], set()).add(violation["effect"])
    failed = decision["status"] == ERROR
    return replace(change, rules=tuple(_with_later(rule, effects.get(rule.rule), failed) for rule in change.rules))


def _with_later(rule: RuleChange, effects: set[str] | None, failed: bool) -> RuleChange:
    if rule.change != "denies":
        return rule
    if failed:
        return replace(rule, later="unknown")
    return replace(rule, later="nothing" if effects is None else "denies" if "deny" in effects else "notes")
