"""Pieces of JSON documents that are never in memory as a whole, and text for XML."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

__all__ = ["json_document", "xml_text"]


def json_document(head: Mapping[str, Any], name: str, items: Iterable[Any], tail: str = "") -> Iterator[str]:
    """Yield the pieces of ``{…head, name: [items]}``.

    Args:
        head: What comes before the list.
        name: The key of the list.
        items: JSON-ready values, an iterator of any length.
        tail: What closes the objects that are open around this one.
    """
    opened = json.dumps(head, ensure_ascii=False)[:-1]
    yield f"{opened}{', ' if head else ''}{json.dumps(name)}: ["
    for number, item in enumerate(items):
        yield ("," if number else "") + "\n" + json.dumps(item, ensure_ascii=False)
    yield f"\n]}}{tail}\n"


def xml_text(text: str) -> str:
    """XML 1.0 has no control characters but tab and line ends; what has them is shown with replacements."""
    return "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text)
