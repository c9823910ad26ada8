"""What can be changed in a rule: each mutation is one small change of its text, found through OPA's own parse tree."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["Mutation", "mutations"]

_FLIPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}

# Where the pattern stands among the operands of a call, and what matches everything.
_WIDENED = {
    "regex.match": (1, '".*"'),
    "glob.match": (1, '"**"'),
    "startswith": (2, '""'),
    "endswith": (2, '""'),
    "contains": (2, '""'),
}


@dataclass(frozen=True)
class Mutation:
    """A changed rule.

    Args:
        row: Line of the change, from 1.
        what: The change, for a person.
        text: The whole module after the change.
    """

    row: int
    what: str
    text: str


def mutations(source: str, tree: list[dict[str, Any]]) -> Iterator[Mutation]:
    """Yield every mutation of a module's rules.

    Not of the operations that a `deny` begins with: these are held to its METADATA (policies/checks/rules/form.rego).

    Args:
        source: The module's text.
        tree: What `opa parse --format json --json-include locations` prints of it.
    """
    held = [rule["body"][0] for rule in tree if _is_held_to_metadata(rule)]
    for expression in _expressions(tree):
        if expression in held or _is_assignment(expression) or _is_no_condition(expression):
            continue
        place = _place(source, expression)
        yield _replaced(source, expression, place, "true", "drop")
        if expression.get("negated"):
            yield _replaced(source, expression, place, _text(expression).removeprefix("not "), "un-negate")
        yield from _memberships(source, expression)
    for terms in _calls(tree):
        yield from _comparisons(source, terms)
        yield from _patterns(source, terms)


def _expressions(node: Any) -> Iterator[dict[str, Any]]:
    """Every statement of every rule's body, those in comprehensions and `every` among them, but no parts of texts."""
    if isinstance(node, list):
        for item in node:
            yield from _expressions(item)
    elif isinstance(node, dict):
        if "terms" in node and "index" in node and "location" in node:
            yield node
        if node.get("type") == "templatestring":
            return
        for key, value in node.items():
            if key not in ("location", "annotations", "comments"):
                yield from _expressions(value)


def _is_held_to_metadata(rule: dict[str, Any]) -> bool:
    return rule["head"].get("name") == "deny" and _text(rule["body"][0]).startswith("input.operation ")


def _is_assignment(expression: dict[str, Any]) -> bool:
    terms = expression["terms"]
    operator = terms[0].get("value") if isinstance(terms, list) else None
    name = operator[0].get("value") if isinstance(operator, list) and operator else None
    return name in ("assign", "eq") or (isinstance(terms, dict) and "symbols" in terms)


def _is_no_condition(expression: dict[str, Any]) -> bool:
    """Whether it is the body that OPA gives to a rule without one: `true`, at the place of something else."""
    terms = expression["terms"]
    return isinstance(terms, dict) and terms.get("value") is True


def _calls(node: Any) -> Iterator[list[dict[str, Any]]]:
    """The operator and the operands of every call, wherever it stands: a statement, a value, or inside of another."""
    if isinstance(node, list):
        for item in node:
            yield from _calls(item)
    elif isinstance(node, dict):
        terms = node.get("value") if node.get("type") == "call" else node.get("terms")
        if isinstance(terms, list):
            yield terms
        for key, value in node.items():
            if key not in ("location", "annotations", "comments"):
                yield from _calls(value)


def _comparisons(source: str, terms: list[dict[str, Any]]) -> Iterator[Mutation]:
    operator = terms[0]
    if "location" in operator and (text := _text(operator)) in _FLIPPED:
        yield _replaced(source, operator, _place(source, operator), _FLIPPED[text], "flip")


def _patterns(source: str, terms: list[dict[str, Any]]) -> Iterator[Mutation]:
    """Let a literal pattern, prefix or suffix match everything."""
    name = ".".join(str(part["value"]) for part in terms[0]["value"]) if isinstance(terms[0].get("value"), list) else ""
    place, wide = _WIDENED.get(name, (0, ""))
    if place and place < len(terms) and terms[place].get("type") == "string":
        yield _replaced(source, terms[place], _place(source, terms[place]), wide, "widen")


def _memberships(source: str, expression: dict[str, Any]) -> Iterator[Mutation]:
    """Leave each element out of a literal set, such as the operations that a rule is about."""
    terms = expression["terms"] if isinstance(expression["terms"], list) else []
    for term in terms:
        if term.get("type") == "set" and len(term["value"]) > 1:
            for element in term["value"]:
                kept = ", ".join(_text(other) for other in term["value"] if other is not element)
                yield _replaced(source, term, _place(source, term), f"{{{kept}}}", f"leave {_text(element)} out of")


def _replaced(source: str, node: dict[str, Any], place: int, new: str, verb: str) -> Mutation:
    old = _text(node)
    return Mutation(
        node["location"]["row"], f"{verb} {' '.join(old.split())}", source[:place] + new + source[place + len(old) :]
    )


def _text(node: dict[str, Any]) -> str:
    return base64.b64decode(node["location"]["text"]).decode()


def _place(source: str, node: dict[str, Any]) -> int:
    lines = source.split("\n")
    row, column = int(node["location"]["row"]), int(node["location"]["col"])
    return sum(len(line) + 1 for line in lines[: row - 1]) + column - 1
