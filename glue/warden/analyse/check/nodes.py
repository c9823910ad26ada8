"""Values of YAML and JSON taken from their nodes, so that a number stays the text that was written.

YAML 1.1, YAML 1.2 and the loaders of the tools read some plain scalars in different ways (``010``, ``12:30``, ``yes``,
``1e7``): what can be read in two ways is refused, with the words to write.
"""

import math
import re
from collections.abc import Iterator
from typing import Any

import yaml

from warden.analyse.check.model import UnusableDeclaration

__all__ = [
    "Node",
    "find",
    "find_key_line",
    "find_line",
    "find_template",
    "iter_entries",
    "list_items",
    "parse_config_value",
    "parse_string",
    "parse_templated_string",
    "parse_whole_number",
    "read_rate",
    "read_whole_number",
]

Node = Any
"""A node of PyYAML's, or None for what is not there."""

_TAG = "tag:yaml.org,2002:"
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_MOST_DIGITS = 19  # of a whole number of Kafka's, which has 64 bits
_RATE = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
_FRACTION = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]*[1-9][0-9]*")
_READ_OTHERWISE = re.compile(r"[-+]?(0o?[0-7_]+|[0-9][0-9_]*\.?[0-9_]*([eE][-+]?[0-9]+)?)|[yYnN]")
_TEMPLATE = re.compile(r"\{\{|\{%|\$\{")


def find_line(node: Node) -> int:
    """Return the line of a node, from 1; 1 for none."""
    return 1 if node is None else int(node.start_mark.line) + 1


def iter_entries(node: Node) -> Iterator[tuple[Node, Node]]:
    """Yield keys and values of a mapping, a key that a merge brings and the mapping has too only once."""
    if isinstance(node, yaml.MappingNode):
        yield from {key.value: (key, value) for key, value in node.value}.values()


def list_items(node: Node) -> list[Node]:
    """Return the items of a list, none where there is no list.

    Raises:
        UnusableDeclaration: It is something else.
    """
    if node is None or _is_null(node):
        return []
    if not isinstance(node, yaml.SequenceNode):
        raise UnusableDeclaration(find_line(node), "this is not a list: write one, each item with a dash")
    return list(node.value)


def find(node: Node, path: str) -> Node:
    """Return the value at a path, None where it is not there or null.

    Args:
        node: A mapping.
        path: Keys with blanks between.
    """
    for piece in path.split():
        below = [value for key, value in iter_entries(node) if key.value == piece]
        if not below:
            return None
        node = below[0]
    return None if _is_null(node) else node


def find_key_line(node: Node, path: str) -> int:
    """Return the line of the key at the end of a path, or of the deepest that is there."""
    line = find_line(node)
    for piece in path.split():
        below = [(key, value) for key, value in iter_entries(node) if key.value == piece]
        if not below:
            break
        line, node = find_line(below[0][0]), below[0][1]
    return line


def parse_string(node: Node, what: str) -> str:
    """Return a text: a name, a label.

    Raises:
        UnusableDeclaration: It is not a string, is empty, or a template that nobody has filled in.
    """
    return _refuse_template(parse_templated_string(node, what), find_line(node), what)


def parse_templated_string(node: Node, what: str) -> str:
    """Return a text that may be a template, for what need not be known, such as a cluster that an option replaces.

    Raises:
        UnusableDeclaration: It is not a string, or is empty.
    """
    line = find_line(node)
    empty = UnusableDeclaration(line, f"{what} is empty: write a string")
    if _is_null(node):
        raise empty
    if not isinstance(node, yaml.ScalarNode) or node.tag != f"{_TAG}str":
        raise UnusableDeclaration(line, f"{what} is not a string: write one, in quotes where it is a number or true")
    if not node.value:
        raise empty
    return str(node.value)


def find_template(value: str) -> str | None:
    """Return the mark that shows that a text is a template, such as ``${``; None where it is none."""
    match = _TEMPLATE.search(value)
    return match[0] if match else None


def parse_whole_number(node: Node, what: str) -> int | None:
    """Return a whole number, None for none.

    Raises:
        UnusableDeclaration: It is another value, or one that tools read as different numbers.
    """
    if node is None:
        return None
    plain = isinstance(node, yaml.ScalarNode) and not node.style and not node.tag.startswith("!")
    if not plain or not _INTEGER.fullmatch(node.value):
        shown = f"{node.value} " if isinstance(node, yaml.ScalarNode) else ""
        if isinstance(node, yaml.ScalarNode):
            _refuse_template(node.value, find_line(node), what)
        raise UnusableDeclaration(
            find_line(node), f"{what} {shown}is not a whole number: write its digits, without quotes"
        )
    number = read_whole_number(node.value)
    if number is None:
        raise UnusableDeclaration(find_line(node), f"{what} has more than {_MOST_DIGITS} digits: write fewer")
    return number


def read_whole_number(text: str) -> int | None:
    """Return the whole number that a text is, None where it is none or longer than any of Kafka's."""
    return int(text) if _INTEGER.fullmatch(text) and len(text.lstrip("-")) <= _MOST_DIGITS else None


def read_rate(text: str) -> float | None:
    """Return the number that the digits of a text are, None where it is none or beyond those of a double."""
    value = float(text) if _RATE.fullmatch(text) else math.inf
    return None if math.isinf(value) else int(value) if value.is_integer() else value


def parse_config_value(node: Node, what: str, *, lists: bool = False) -> str:
    """Return the value of a config as Kafka gets it: the very text of the scalar.

    Args:
        node: The value.
        what: The config's name.
        lists: Whether the tool joins lists by commas.

    Raises:
        UnusableDeclaration: It is a mapping, nothing, or a scalar that can be read in two ways.
    """
    line = find_line(node)
    if lists and isinstance(node, yaml.SequenceNode):
        return ",".join(parse_config_value(item, what) for item in node.value)
    if not isinstance(node, yaml.ScalarNode):
        kind = "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
        raise UnusableDeclaration(line, f"{what} is {kind}: write a string, the items with commas between")
    if node.style:
        return _refuse_template(node.value, line, what)
    if _is_null(node):
        raise UnusableDeclaration(line, f"{what} has no value: write one, or leave the key out")
    if _has_one_meaning(node):
        return _refuse_template(node.value, line, what)
    raise UnusableDeclaration(
        line, f'{what}: {node.value} is read in different ways by YAML\'s readers: quote what is meant, "{node.value}"'
    )


def _has_one_meaning(node: Node) -> bool:
    kind = node.tag.removeprefix(_TAG)
    if kind == "bool":
        return node.value in ("true", "false")
    if kind in ("int", "float"):
        return bool((_INTEGER if kind == "int" else _FRACTION).fullmatch(node.value))
    return kind == "str" and not _READ_OTHERWISE.fullmatch(node.value)


def _refuse_template(value: str, line: int, what: str) -> str:
    if mark := find_template(value):
        raise UnusableDeclaration(
            line, f"{what} is a template ({mark}): render it first, as in helm template … | warden check -"
        )
    return value


def _is_null(node: Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == f"{_TAG}null"
