"""Comparison of two decisions on the same input, one of each bundle. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from warden.analyse.scan.decision_rows import ALLOW, ERROR
from warden.policy.contract.effect import format_message

__all__ = [
    "CHANGED",
    "NEWLY_ALLOWED",
    "NEWLY_DENIED",
    "NOT_EVALUATED",
    "UNCHANGED",
    "DecisionChange",
    "RuleChange",
    "compare",
]

NEWLY_DENIED = "newly denied"
NEWLY_ALLOWED = "newly allowed"
CHANGED = "changed"
UNCHANGED = "unchanged"
NOT_EVALUATED = "not evaluated"


@dataclass(frozen=True)
class RuleChange:
    """What changed about one rule on one input.

    Args:
        rule: Its id; empty for a refusal that names no rule, or an input that could not be evaluated.
        severity: As the bundle has it that reports the violation, the candidate where both do.
        change: ``denies`` (it did not), ``allows`` (it denied), ``message`` (denies in other words), ``found`` (it says
            that something was so before the change, does not deny it, and denied nothing before), or ``notes``: another
            violation that does not deny (a warning, a dry run, one that is waived) came, went or reads otherwise.
            `NOT_EVALUATED` of an input that neither policy evaluates.
        before, after: What it says, several violations joined by "; ", with the effect in front of those that do not
            deny; empty where it says nothing.
        later: Of a resource that turns non-compliant by this rule, what the rule says under the candidate of a change
            that leaves the resource as it is: ``denies``, ``notes`` (warns, or records) or ``nothing``; ``unknown``
            where that was not evaluated, and empty for all else.
    """

    rule: str
    severity: str
    change: str
    before: str
    after: str
    later: str = ""


@dataclass(frozen=True)
class DecisionChange:
    """What changed about the decision on one input.

    Args:
        kind: `NEWLY_DENIED`, `NEWLY_ALLOWED`, `CHANGED` (same answer, other words), `UNCHANGED`, or `NOT_EVALUATED`
            where neither policy evaluates the input.
        rules: One for each rule that says something else, by id; of what is not evaluated one, whose ``after`` says
            why.
    """

    kind: str
    rules: tuple[RuleChange, ...]

    def to_document(self) -> dict[str, Any]:
        """Return the change as JSON-ready values."""
        return {"kind": self.kind, "rules": [asdict(rule) for rule in self.rules]}


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> DecisionChange:
    """Compare two decision rows of `warden.analyse.scan.evaluate.evaluate` on the same input.

    An input that one of them could not evaluate, or refused without a rule, is not allowed by it: fail closed.
    """
    if before["status"] == after["status"] == ERROR:
        return DecisionChange(NOT_EVALUATED, (_explain_gap(before["error"], after["error"]),))
    said = _group_statements(before), _group_statements(after)
    rules = tuple(
        change
        for rule in sorted(said[0].keys() | said[1].keys())
        if (change := _find_rule_change(rule, said[0].get(rule, ()), said[1].get(rule, ()))) is not None
    )
    was, will = before["status"] == ALLOW, after["status"] == ALLOW
    if was != will:
        return DecisionChange(NEWLY_DENIED if was else NEWLY_ALLOWED, rules)
    return DecisionChange(CHANGED if rules else UNCHANGED, rules)


_Statement = tuple[bool, str, str, bool]
"""Whether it denies, its severity, its message, and whether it was found there before the change."""


def _group_statements(decision: Mapping[str, Any]) -> dict[str, tuple[_Statement, ...]]:
    by_rule: dict[str, tuple[_Statement, ...]] = {}
    for violation in decision["violations"]:
        denies, text = violation["effect"] == "deny", format_message(violation)
        shown = text if denies else f"({violation['effect']}) {text}"
        said = (denies, violation["severity"], shown, violation.get("cause") == "found")
        by_rule[violation["rule"]] = (*by_rule.get(violation["rule"], ()), said)
    if decision["error"]:
        by_rule[""] = ((True, "", decision["error"], False),)
    return by_rule


def _explain_gap(before: str, after: str) -> RuleChange:
    reason = after if before == after else f"baseline: {before}; candidate: {after}"
    return RuleChange("", "", NOT_EVALUATED, before, reason)


def _find_rule_change(rule: str, before: Iterable[_Statement], after: Iterable[_Statement]) -> RuleChange | None:
    was, will = sorted(before), sorted(after)
    if [(denies, text) for denies, _, text, _ in was] == [(denies, text) for denies, _, text, _ in will]:
        return None
    denied, denies = any(said[0] for said in was), any(said[0] for said in will)
    notes = "found" if will and all(said[3] for said in will) else "notes"
    change = {(False, True): "denies", (True, False): "allows", (True, True): "message"}.get((denied, denies), notes)
    return RuleChange(rule, (will or was)[0][1], change, _join_statements(was), _join_statements(will))


def _join_statements(said: Iterable[_Statement]) -> str:
    return "; ".join(text for _, _, text, _ in said)
