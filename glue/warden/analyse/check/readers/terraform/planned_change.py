"""A resource's change in a plan of Terraform's, and what its readers share."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from warden.analyse.check.model import Declaration, UnusableDeclaration
from warden.analyse.check.nodes import read_whole_number

__all__ = ["PlannedChange", "read_count", "read_rate", "read_string", "refuse_unknown"]


@dataclass(frozen=True)
class PlannedChange:
    """A resource's change in a plan.

    Args:
        file, line: Where it is declared.
        address: Terraform's name for it.
        before, after: Its attributes, {} where there are none.
        unknown: What of `after` is known only once the plan is applied, in the same shape with true at the leaves.
        when: When it is known, for a sentence.
    """

    file: str
    line: int
    address: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    unknown: Any
    when: str = "is known only after apply"

    def is_unknown(self, name: str) -> bool:
        """Whether an attribute as a whole is not known."""
        return self.unknown is True or (isinstance(self.unknown, dict) and self.unknown.get(name) is True)

    def list_unknown_keys(self, name: str) -> list[str]:
        """Return the keys of a map whose values are not known."""
        inner = self.unknown.get(name) if isinstance(self.unknown, dict) else None
        return [key for key, value in inner.items() if value is True] if isinstance(inner, dict) else []

    def declare(self, operation: str, request: Mapping[str, Any], **more: Any) -> Declaration:
        """Return what is to be decided of it.

        Args:
            operation, request: As the contract has them.
            more: Other fields of the declaration.
        """
        more |= {"file": self.file, "line": self.line, "address": self.address}
        return Declaration(format="terraform", operation=operation, request=request, **more)


def read_string(values: Mapping[str, Any], name: str) -> str:
    """Return an attribute that is a text.

    Raises:
        UnusableDeclaration: It is none, or empty.
    """
    value = values[name]
    if not isinstance(value, str) or not value:
        raise UnusableDeclaration(1, f"{name} is not a string, or is empty: write a string")
    return value


def read_count(values: Mapping[str, Any], name: str, absent: int) -> int:
    """Return an attribute that is a whole number, or the text of one, as Terraform takes it.

    Args:
        values: The attributes.
        name: Which.
        absent: What it is where it is left out.

    Raises:
        UnusableDeclaration: It is something else.
    """
    value = values.get(name)
    number = absent if value is None else read_whole_number(str(value).removesuffix(".0"))
    if number is None:
        raise UnusableDeclaration(1, f"{name} is not a whole number: write its digits")
    return number


def read_rate(values: Mapping[str, Any], name: str) -> float:
    """Return an attribute that is a number, or the text of one.

    Raises:
        UnusableDeclaration: It is something else.
    """
    value = values[name]
    try:
        rate = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        rate = math.nan
    if not math.isfinite(rate):
        raise UnusableDeclaration(1, f"{name} is not a number: write its digits")
    return rate


def refuse_unknown(action: str, change: PlannedChange, *names: str) -> None:
    """Refuse a change that leaves open whom it is about.

    Raises:
        UnusableDeclaration: One of the attributes is known only once the plan is applied.
    """
    for name in names:
        if action != "delete" and (change.is_unknown(name) or change.list_unknown_keys(name)):
            raise UnusableDeclaration(change.line, f"{name} {change.when}: it is not evaluated")
