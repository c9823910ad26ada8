"""Texts about one rule, for pages. Pure."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from warden.analyse.report.summary import RuleCount
from warden.policy.bundle.metadata import find_rule_page, list_rule_texts

__all__ = ["describe_rule"]

_WRAPPED: Final = re.compile(r"(?<!\n)\n(?![\n*-])")  # a line of a paragraph that goes on, not of a list


def describe_rule(id: str, metadata: Mapping[str, Any], counts: Iterable[RuleCount] = ()) -> dict[str, Any]:
    """Return the values of the macro ``rule_page``.

    Args:
        id: The rule's id.
        metadata: Its METADATA; empty where it is not known.
        counts: Findings by rule, of which its own are taken.
    """
    own = [count for count in counts if count.rule == id]
    first = own[0] if own else None
    return {
        "id": id,
        "title": metadata.get("title") or (first.title if first else ""),
        "severity": metadata.get("severity") or (first.severity if first else ""),
        "mode": metadata.get("mode", ""),
        "description": _WRAPPED.sub(" ", metadata.get("description", "").strip()),
        "messages": list_rule_texts(metadata, "message", "messages"),
        "fixes": list_rule_texts(metadata, "fix", "fixes"),
        "operations": metadata.get("operations", []),
        "controls": metadata.get("controls", []),
        "params": metadata.get("params", {}),
        "references": metadata.get("references", []),
        "page": find_rule_page(id) if metadata else "",
        "findings": sum(count.findings for count in own),
    }
