"""A resource of HCL as the instances that it declares, each with its attributes as a plan has them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from warden.analyse.check.model import UnusableDeclaration
from warden.analyse.check.readers.terraform.syntax import Block
from warden.analyse.check.readers.terraform.values import UNKNOWN, Scope, evaluate, list_elements

__all__ = ["Instance", "iter_instances", "list_lines"]

_MAX_INSTANCES: Final = 10_000  # instances of a resource
_REPEATS: Final = ("count", "for_each")


@dataclass(frozen=True)
class Instance:
    """One of what a resource declares.

    Args:
        key: What is behind its address, such as ``["a"]``; empty where there is one.
        values: Its attributes; those of which nothing is known are left out.
        unknown: What of them is not known, in the same shape with true at the leaves.
    """

    key: str
    values: Mapping[str, Any]
    unknown: Mapping[str, Any]


def iter_instances(block: Block, scope: Scope) -> Iterator[Instance]:
    """Yield what a resource declares, none where ``count`` or ``for_each`` says so.

    Where it cannot be known how many there are, it is one, of which the key is not known.

    Args:
        block: The resource.
        scope: What names stand for.

    Raises:
        UnusableDeclaration: It declares too many.
    """
    keys = list(_iter_keys(block, scope))
    if len(keys) > _MAX_INSTANCES:
        raise UnusableDeclaration(
            block.line,
            f"more than {_MAX_INSTANCES} of one resource are not read: check the plan (terraform show -json)",
        )
    for key, names in keys:
        values = _evaluate_body(block, replace(scope, instance=names))
        values = {name: value for name, value in values.items() if name not in _REPEATS}
        known, unknown = _split(values)
        yield Instance(key, known, unknown or {})


def list_lines(block: Block, scope: Scope) -> dict[str, int]:
    """Return the line of each attribute, and of each element of one behind a ``/``.

    Args:
        block: The resource.
        scope: What names stand for.
    """
    lines: dict[str, int] = {}
    for name, attribute in block.attributes.items():
        lines[name] = attribute.line
        elements = list_elements(attribute.expression, scope)
        lines |= {f"{name}/{key}": line for key, _, line in elements if isinstance(key, str)}
    for inner in block.blocks:
        lines[inner.kind] = inner.line
        lines |= {f"{inner.kind}/{name}": attribute.line for name, attribute in inner.attributes.items()}
    return lines


def _iter_keys(block: Block, scope: Scope) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if "count" in block.attributes:
        number = evaluate(block.attributes["count"].expression, scope)
        if type(number) is not int:
            yield "[…]", {}
            return
        for index in range(min(number, _MAX_INSTANCES + 1)):
            yield f"[{index}]", {"count.index": index}
    elif "for_each" in block.attributes:
        for_each = evaluate(block.attributes["for_each"].expression, scope)
        if isinstance(for_each, list) and all(isinstance(key, str) for key in for_each):
            for_each = dict(zip(for_each, for_each, strict=True))
        if not isinstance(for_each, dict):
            yield "[…]", {}
            return
        for key, value in for_each.items():
            yield f'["{key}"]', {"each.key": key, "each.value": value}
    else:
        yield "", {}


def _evaluate_body(block: Block, scope: Scope) -> dict[str, Any]:
    values = {name: evaluate(attribute.expression, scope) for name, attribute in block.attributes.items()}
    for inner in block.blocks:
        if inner.kind == "dynamic":
            values |= dict.fromkeys(inner.labels[:1], UNKNOWN)
        elif isinstance(held := values.setdefault(inner.kind, []), list):
            held.append(_evaluate_body(inner, scope))
    return values


def _split(value: Any) -> tuple[Any, Any]:
    """What is known of a value, and what is not: true, or a mapping or list in its shape; None where all is known."""
    if value is UNKNOWN:
        return None, True
    if isinstance(value, dict):
        parts = {key: _split(member) for key, member in value.items()}
        unknown = {key: pair[1] for key, pair in parts.items() if pair[1]}
        return {key: pair[0] for key, pair in parts.items() if pair[1] is not True}, unknown or None
    if isinstance(value, list):
        items = [_split(item) for item in value]
        return [pair[0] for pair in items], [pair[1] or False for pair in items] if any(
            pair[1] for pair in items
        ) else None
    return value, None
