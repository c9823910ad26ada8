"""Values of HCL's expressions, as far as they show in files: literals, templates, arithmetic, variables and locals.

All else (functions but for a few, conditions, ``for``, other resources' attributes) is `UNKNOWN`, as what a plan knows
only after apply is.
"""

import json
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from textwrap import dedent
from typing import Any, Final

from hcl2.utils import process_escape_sequences
from lark import Token

from warden.analyse.check.readers.terraform.syntax import Expression, get_children

__all__ = ["UNKNOWN", "Scope", "evaluate", "list_elements"]


class _Unknown:
    """What the files do not say."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()
"""The value of what the files do not say."""

_MAX_LENGTH = 65_536  # characters of a text, and parts of a local: what locals make of each other may double each time
_MAX_NUMBER = 2**64  # of a number; Kafka's have 64 bits
_ARITHMETIC: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "jsonencode": json.dumps,
    "merge": lambda *maps: {key: value for mapping in maps for key, value in mapping.items()},
    "tolist": lambda value: value,
    "tomap": lambda value: value,
    "toset": lambda value: value,
}
"""Functions without which hardly a topic is written; the value of any other is not known."""
_LITERALS: Mapping[str, Any] = {"true": True, "false": False, "null": None}


@dataclass(frozen=True)
class Scope:
    """What names stand for.

    Args:
        variables: Values of ``var``.
        locals: Expressions of ``local``.
        instance: Values by ``each.key``, ``each.value`` and ``count.index`` of the instance that is read.
        pending: Locals that are being evaluated: one that leads back to itself is not known.
        known: Values of locals that were evaluated.
    """

    variables: Mapping[str, Any] = field(default_factory=dict)
    locals: Mapping[str, Expression | None] = field(default_factory=dict)
    instance: Mapping[str, Any] = field(default_factory=dict)
    pending: frozenset[str] = frozenset()
    known: dict[str, Any] = field(default_factory=dict, repr=False)

    def look_up(self, root: str, name: str) -> Any:
        """Return what ``root.name`` stands for."""
        if root == "var":
            return self.variables.get(name, UNKNOWN)
        if root != "local":
            return self.instance.get(f"{root}.{name}", UNKNOWN)
        expression = self.locals.get(name)
        if expression is None or name in self.pending:
            return UNKNOWN
        if name not in self.known:
            value = evaluate(expression, replace(self, instance={}, pending=self.pending | {name}))
            self.known[name] = value if _is_small(value) else UNKNOWN
        return self.known[name]


def evaluate(tree: Expression, scope: Scope) -> Any:
    """Return the value of an expression: a document of JSON's types, with `UNKNOWN` where files do not say it.

    Args:
        tree: The expression.
        scope: What names stand for.
    """
    reader = _READERS.get(str(tree.data))
    return UNKNOWN if reader is None else reader(tree, scope)


def list_elements(tree: Expression, scope: Scope) -> list[tuple[Any, Expression, int]]:
    """Return key, value and line of each element, where an expression is an object that is written out; else nothing.

    Args:
        tree: The expression.
        scope: What names stand for.
    """
    while tree.data == "expr_term" and len(inner := get_children(tree)) == 1:
        tree = inner[0]
    if tree.data != "object":
        return []
    pairs = [(element, *get_children(element)) for element in get_children(tree)]
    return [(_read_key(key, scope), value, element.meta.line) for element, key, value in pairs]


def _evaluate_term(tree: Expression, scope: Scope) -> Any:
    inner = get_children(tree)
    return evaluate(inner[0], scope) if len(inner) == 1 else UNKNOWN


def _evaluate_number(tree: Expression, _scope: Scope) -> Any:
    text = str(tree.children[0])
    return _as_whole(int(text) if tree.data == "int_lit" and len(text) < len(str(_MAX_NUMBER)) else float(text))


def _as_whole(value: float) -> Any:
    if not -_MAX_NUMBER < value < _MAX_NUMBER:
        return UNKNOWN
    return int(value) if isinstance(value, int) or value.is_integer() else value


def _is_small(value: Any) -> bool:
    """Whether a value has no more than so many parts, written out."""
    waiting, seen = [value], 0
    while waiting and seen <= _MAX_LENGTH:
        item = waiting.pop()
        seen += 1
        waiting.extend(item.values() if isinstance(item, dict) else item if isinstance(item, list) else ())
    return seen <= _MAX_LENGTH


def _evaluate_literal(tree: Expression, _scope: Scope) -> Any:
    return _LITERALS[str(tree.children[0])]


def _evaluate_string(tree: Expression, scope: Scope) -> Any:
    parts = [_evaluate_part(child, scope) for child in get_children(tree)]
    if len(parts) == 1 and get_children(get_children(tree)[0]):
        return parts[0]  # "${var.partitions}" is a number where the variable is one
    if any(not isinstance(part, str | int | float) for part in parts):
        return UNKNOWN
    text = "".join(json.dumps(part) if isinstance(part, bool) else str(part) for part in parts)
    return text if len(text) <= _MAX_LENGTH else UNKNOWN


def _evaluate_part(tree: Expression, scope: Scope) -> Any:
    (child,) = tree.children
    if not isinstance(child, Token):
        return evaluate(get_children(child)[0], scope) if child.data == "interpolation" else UNKNOWN
    if child.type == "STRING_CHARS":
        return process_escape_sequences(str(child))
    return str(child)[1:]  # $${ and %%{ stand for ${ and %{


def _evaluate_heredoc(tree: Expression, _scope: Scope) -> Any:
    text = str(tree.children[0])
    if "${" in text or "%{" in text:
        return UNKNOWN
    body = "".join(f"{line}\n" for line in text.rstrip().split("\n")[1:-1])
    return dedent(body) if tree.data.endswith("_trim") else body


def _evaluate_tuple(tree: Expression, scope: Scope) -> Any:
    return [evaluate(child, scope) for child in get_children(tree)]


def _evaluate_object(tree: Expression, scope: Scope) -> Any:
    elements = [(_read_key(key, scope), value) for key, value in map(get_children, get_children(tree))]
    if any(not isinstance(key, str) for key, _ in elements):
        return UNKNOWN
    return {key: evaluate(value, scope) for key, value in elements}


def _read_key(tree: Expression, scope: Scope) -> Any:
    """A key: a name as it stands, else the value of an expression."""
    (key,) = get_children(tree)
    plain = get_children(key) if key.data == "expr_term" and len(key.children) == 1 else [key]
    if len(plain) == 1 and plain[0].data in ("identifier", "keyword", "literal_value"):
        return str(plain[0].children[0])
    value = evaluate(key, scope)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _evaluate_attribute(tree: Expression, scope: Scope) -> Any:
    of, get = get_children(tree)
    name = str(get_children(get)[0].children[0])
    root = get_children(of)
    if len(root) == 1 and root[0].data == "identifier":
        return scope.look_up(str(root[0].children[0]), name)
    value = evaluate(of, scope)
    return value.get(name, UNKNOWN) if isinstance(value, dict) else UNKNOWN


def _evaluate_index(tree: Expression, scope: Scope) -> Any:
    of, index = get_children(tree)
    value = evaluate(of, scope)
    inner = get_children(index)
    at = evaluate(inner[0], scope) if inner else UNKNOWN
    if isinstance(value, dict) and isinstance(at, str):
        return value.get(at, UNKNOWN)
    is_within = isinstance(value, list) and type(at) is int and 0 <= at < len(value)
    return value[at] if is_within else UNKNOWN


def _evaluate_sign(tree: Expression, scope: Scope) -> Any:
    value = evaluate(get_children(tree)[0], scope)
    return -value if str(tree.children[0]) == "-" and type(value) in (int, float) else UNKNOWN


def _evaluate_operation(tree: Expression, scope: Scope) -> Any:
    left, term = get_children(tree)[:2]
    sign, right = get_children(term)[:2]
    compute = _ARITHMETIC.get(str(sign.children[0]))
    values = evaluate(left, scope), evaluate(right, scope)
    if compute is None or any(type(value) not in (int, float) for value in values):
        return UNKNOWN
    try:
        return _as_whole(compute(*values))
    except ZeroDivisionError:
        return UNKNOWN


def _evaluate_call(tree: Expression, scope: Scope) -> Any:
    name, *rest = get_children(tree)
    compute = _FUNCTIONS.get(str(name.children[0]))
    if compute is None or len(rest) != 1 or any(isinstance(node, Token) and node == "..." for node in rest[0].children):
        return UNKNOWN
    try:
        return compute(*(evaluate(argument, scope) for argument in get_children(rest[0])))
    except (AttributeError, TypeError):  # something in it is not known, or is none that it takes
        return UNKNOWN


_READERS: Mapping[str, Callable[[Expression, Scope], Any]] = {
    "expr_term": _evaluate_term,
    "int_lit": _evaluate_number,
    "float_lit": _evaluate_number,
    "literal_value": _evaluate_literal,
    "string": _evaluate_string,
    "heredoc_template": _evaluate_heredoc,
    "heredoc_template_trim": _evaluate_heredoc,
    "tuple": _evaluate_tuple,
    "object": _evaluate_object,
    "get_attr_expr_term": _evaluate_attribute,
    "index_expr_term": _evaluate_index,
    "unary_op": _evaluate_sign,
    "binary_op": _evaluate_operation,
    "function_call": _evaluate_call,
}
"""Kind of a syntax tree → what reads it; what has no reader is not known."""
