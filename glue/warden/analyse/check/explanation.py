"""Why a decision is what it is: the rules it rests on, those broken, and which line of which file decided."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from warden.base.errors import OpaError
from warden.policy.contract.decision_text import escape_line, iter_decision_lines

if TYPE_CHECKING:
    from warden.policy.bundle.effective_rules import RuleInForce
    from warden.policy.opa.client import OpaClient

__all__ = ["explain_decision", "iter_explanation_lines"]


def explain_decision(
    client: "OpaClient",
    place: str,
    document: Mapping[str, Any],
    decision: Mapping[str, Any],
    in_force: "Mapping[str, RuleInForce]",
) -> dict[str, Any]:
    """Return a decision with the rules that it rests on, as JSON-ready values.

    Args:
        client: Of the OPA that decided.
        place: Where the decision input is from.
        document: The decision input.
        decision: The contract's decision.
        in_force: The rules for its cluster and enforcement point, by id; empty where their files are not known.

    Returns:
        ``place``, ``input``, ``decision``, ``broken``, ``rules`` (id → result and settings with their origins) and
        ``leftOut`` (rules that the enforcement point leaves out → the origin of that).
    """
    where = {"cluster": document["cluster"], "enforcementPoint": document.get("enforcementPoint", "")}
    operation = document["operation"]
    applicable = client.evaluate("kafka/applicable_rules", where).get(operation, [])
    broken = sorted({violation["rule"] for violation in decision["violations"]})
    explanation: dict[str, Any] = {"place": place, "input": document, "decision": decision, "broken": broken}
    left_out = _list_left_out(client, where, operation, applicable)
    explanation["leftOut"] = {id: in_force[id].origins.get("mode", "") if id in in_force else "" for id in left_out}
    explanation["rules"] = {
        id: _describe_rule(id, explanation, in_force.get(id)) for id in sorted({*applicable, *broken})
    }
    return explanation


def _list_left_out(
    client: "OpaClient", where: Mapping[str, str], operation: str, applicable: Iterable[str]
) -> list[str]:
    """The rules that only this enforcement point leaves out; none where the caller may not state another."""
    with suppress(OpaError):
        everywhere = client.evaluate("kafka/applicable_rules", {**where, "enforcementPoint": ""})
        return sorted({*everywhere.get(operation, [])} - {*applicable})
    return []


def _describe_rule(id: str, explanation: Mapping[str, Any], rule: "RuleInForce | None") -> dict[str, Any]:
    left_out = {row["rule"]: row["unknown"] for row in explanation["decision"].get("notEvaluated", [])}
    evaluated = id not in left_out and "invalidInput" not in explanation["decision"]
    result = "broken" if id in explanation["broken"] else "passed" if evaluated else "not evaluated"
    shown: dict[str, Any] = {"result": result}
    if id in left_out:
        shown["unknown"] = left_out[id]
    if rule is not None:
        values = {"mode": rule.mode, "enforceFrom": rule.enforce_from, **rule.params}
        shown["settings"] = {name: {"value": values[name], "from": origin} for name, origin in rule.origins.items()}
    return shown


def iter_explanation_lines(explanation: Mapping[str, Any]) -> Iterator[str]:
    """Yield an explanation as lines of text.

    Args:
        explanation: From `explain_decision`.
    """
    yield from map(escape_line, _iter_lines(explanation))


def _iter_lines(explanation: Mapping[str, Any]) -> Iterator[str]:
    place, document = explanation["place"], explanation["input"]
    point = document.get("enforcementPoint", "")
    yield f"{place}: {document['operation']}, cluster {document['cluster']}, enforcement point {point or 'none'}"
    yield from iter_decision_lines(explanation["decision"], dryrun=True)
    for violation in explanation["decision"]["violations"]:
        if waiver := violation.get("waiver"):
            yield f"  waiver of {violation['rule']}: {json.dumps(waiver, ensure_ascii=False)}"
    for result in ("broken", "not evaluated"):
        for id, rule in explanation["rules"].items():
            if rule["result"] == result:
                yield f"{result} {id}" + (f" (reads {', '.join(rule['unknown'])})" if "unknown" in rule else "")
                yield from (
                    f"  {name} {json.dumps(setting['value'], ensure_ascii=False)}  {setting['from']}"
                    for name, setting in rule.get("settings", {}).items()
                )
    for id, origin in explanation["leftOut"].items():
        yield f"left out at the enforcement point {point}: {id}  {origin}".rstrip()
    passed = [id for id, rule in explanation["rules"].items() if rule["result"] == "passed"]
    yield f"passed {len(passed)} of {len(explanation['rules'])}: {' '.join(passed)}"
