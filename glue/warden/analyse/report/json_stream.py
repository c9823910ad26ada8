"""Pieces of JSON documents that are never in memory as a whole, and text without control characters."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

__all__ = ["escape_invisible", "iter_json_document"]


def iter_json_document(head: Mapping[str, Any], name: str, items: Iterable[Any], tail: str = "") -> Iterator[str]:
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


def escape_invisible(text: str) -> str:
    """Return a text with replacements for what nobody sees, but for tabs and line ends.

    Anybody can write control characters into a label: XML 1.0 has none, NUL ends a text for some programs, ESC steers a
    terminal, and U+202E turns the letters after it around.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in "\n\t" else "\ufffd" for char in text)
