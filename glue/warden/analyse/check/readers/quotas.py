"""Quotas of files, from a form's keys to those of the contract."""

from collections.abc import Mapping, Sequence
from typing import Any

from warden.analyse.check.model import Declaration, UnusableDeclaration
from warden.analyse.check.nodes import Node, find_line, read_rate
from warden.base.did_you_mean import describe_unknown

__all__ = ["QUOTA_KEYS", "build_quota"]

_QUOTAS = {
    "producerByteRate": "producer_byte_rate",
    "consumerByteRate": "consumer_byte_rate",
    "requestPercentage": "request_percentage",
    "controllerMutationRate": "controller_mutation_rate",
}
QUOTA_KEYS = tuple(_QUOTAS.values())
"""Keys of a client's quota, as Kafka writes them."""


def build_quota(
    entity: Mapping[str, str | None],
    node: Node,
    known: Mapping[str, tuple[Node, Node]],
    where: Mapping[str, Any],
    *,
    removes: Sequence[str] = (),
) -> Declaration:
    """Return the change of a quota.

    Args:
        entity: Whose it is.
        node: Where it stands.
        known: Keys, as the form has them, with their nodes and values.
        where: Format, file and cluster.
        removes: Keys, in Kafka's words, that go where they are left out.

    Raises:
        UnusableDeclaration: A key is not a quota's, or its value is not a number.
    """
    ops: list[dict[str, Any]] = []
    lines: dict[str, int] = {}
    for key, (at, value) in known.items():
        if key not in _QUOTAS:
            raise UnusableDeclaration(find_line(at), describe_unknown("quota", key, _QUOTAS))
        lines[f"ops/{len(ops)}"] = find_line(at)
        ops.append({"key": _QUOTAS[key], "value": _read_rate(value, key)})
    ops += [{"key": name, "remove": True} for key, name in _QUOTAS.items() if name in removes and key not in known]
    return Declaration(
        operation="AlterQuota",
        request={"entity": entity, "ops": ops},
        line=find_line(node),
        lines=lines,
        **where,
    )


def _read_rate(node: Node, what: str) -> float:
    written = getattr(node, "value", None)
    value = read_rate(written) if isinstance(written, str) and not node.style else None
    if value is None:
        raise UnusableDeclaration(find_line(node), f"{what} is not a number, or too large: write its digits")
    return value
