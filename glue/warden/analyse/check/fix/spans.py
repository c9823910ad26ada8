"""Edits of YAML and JSON as spans of their text, so that comments, order and layout stay as they are."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import yaml

from warden.analyse.check.nodes import Node

__all__ = ["Edit", "Unfixable", "apply_edits", "edit_value", "list_shared_nodes"]

_LINE_END = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_PLAIN = re.compile(r"-?(0|[1-9][0-9]*)|true|false|(?!(?:[yn]|yes|no|on|off|null|true|false)$)[a-z][\w.,-]*[\w.-]")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)|true|false")
_BLOCK_SCALARS = ("|", ">")


class Unfixable(Exception):
    """Raised for a value that cannot be written without touching more than it."""


@dataclass(frozen=True, order=True)
class Edit:
    """A replacement of a part of a text.

    Args:
        start, end: Of the part, in characters.
        text: What is there instead.
    """

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Return a text with edits carried out; those at one place in their order.

    Args:
        text: The text.
        edits: None within another.
    """
    pieces, position = [], 0
    for edit in sorted(edits, key=lambda change: (change.start, change.end)):
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, text[position:]])


def list_shared_nodes(root: Node) -> set[int]:
    """Return the ids of nodes that stand in more than one place: anchors with their aliases, and what merges bring.

    Args:
        root: A document.
    """
    seen: Counter[int] = Counter()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        seen[id(node)] += 1
        if seen[id(node)] == 1:
            waiting.extend(_iter_children(node))
    return {node_id for node_id, number in seen.items() if number > 1}


def edit_value(text: str, node: Node, path: Sequence[str], value: str | int | None, shared: set[int]) -> Edit:
    """Return the edit that gives a value to a path.

    Args:
        text: The file's text, without a mark of byte order.
        node: The mapping in which the path begins.
        path: Keys; all but the last two must be there.
        value: A text, or a number; None to remove it.
        shared: See `list_shared_nodes`.

    Raises:
        Unfixable: It stands in two places, is written over several lines, or has nothing to stand in.
    """
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    missing = list(path)
    while missing and isinstance(node, yaml.MappingNode):
        pair = next((pair for pair in reversed(node.value) if pair[0].value == missing[0]), None)
        if id(node) in shared or (pair and {id(pair[0]), id(pair[1])} & shared):
            raise Unfixable("it stands behind an anchor, in several places")
        if pair is None:
            if value is None:
                raise Unfixable("there is nothing to remove")
            return _build_insertion(text, starts, node, missing, value)
        if missing[1:]:
            node = pair[1]
        elif value is None:
            return _build_removal(text, starts, node, pair)
        else:
            return _build_replacement(text, starts, pair[1], value)
        missing.pop(0)
    raise Unfixable("there is no mapping to write it into")


def _iter_children(node: Node) -> Iterator[Node]:
    if isinstance(node, yaml.MappingNode):
        yield from (child for pair in node.value for child in pair)
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def _compute_offset(starts: Sequence[int], mark: yaml.Mark) -> int:
    return starts[mark.line] + int(mark.column)


def _format_scalar(value: str | int, style: str | None) -> str:
    """A value in a style: plain where it is one that every reader takes for the same."""
    if isinstance(value, int):
        return f"{style or ''}{value}{style or ''}"
    if style == "'":
        return "'" + value.replace("'", "''") + "'"
    return value if style is None and _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)


def _build_replacement(text: str, starts: Sequence[int], node: Node, value: str | int) -> Edit:
    if not isinstance(node, yaml.ScalarNode) or node.style in _BLOCK_SCALARS:
        raise Unfixable("its value is written over several lines")
    start, end = _compute_offset(starts, node.start_mark), _compute_offset(starts, node.end_mark)
    if start == end:
        raise Unfixable("it has no value")
    style = node.style or None
    if style is None and isinstance(value, str) and text[start - 1 : start] != " " and not _NUMBER.fullmatch(value):
        style = '"'
    return Edit(start, end, _format_scalar(value, style))


def _build_insertion(
    text: str, starts: Sequence[int], node: yaml.MappingNode, path: Sequence[str], value: str | int
) -> Edit:
    if len(path) > 2:  # a key, and the mapping that it stands in
        raise Unfixable(f"the mapping {'.'.join(path[:-2])} is missing: add it")
    if not node.value:
        start, end = _compute_offset(starts, node.start_mark), _compute_offset(starts, node.end_mark)
        if not node.flow_style or end - start < len("{}"):
            raise Unfixable("there is no mapping to write it into")
        style = None if isinstance(value, int) else '"'
        return Edit(
            start + 1, start + 1, _format_flow_entry(path, value, '"' if text.lstrip()[:1] == "{" else None, style)
        )
    first, (key, last) = node.value[0][0], node.value[-1]
    style = last.style if isinstance(last, yaml.ScalarNode) and len(path) == 1 else '"'
    json_keys = bool(node.flow_style) and key.style == '"'
    if isinstance(value, int):
        style = None
    elif json_keys and (style or not _NUMBER.fullmatch(value)):
        style = '"'
    if node.flow_style:
        end = _compute_offset(starts, last.end_mark)
        newline = key.start_mark.line not in (first.start_mark.line, node.start_mark.line)
        newline |= len(node.value) == 1 and key.start_mark.line != node.start_mark.line
        gap = text[_find_line_break(text, starts, key) : _compute_offset(starts, key.start_mark)] if newline else " "
        return Edit(end, end, f",{gap}{_format_flow_entry(path, value, key.style if json_keys else None, style)}")
    return _build_block_insertion(text, starts, node, path, _format_scalar(value, style or None))


def _find_line_break(text: str, starts: Sequence[int], key: Node) -> int:
    """Where the line's end before a key begins."""
    start = starts[int(key.start_mark.line)]
    return start - 2 if text[start - 2 : start] == "\r\n" else start - 1


def _format_flow_entry(path: Sequence[str], value: str | int, key_style: str | None, style: str | None) -> str:
    *parents, name = [json.dumps(key) if key_style == '"' else key for key in path]
    inner = f"{name}: {_format_scalar(value, style or None)}"
    return f"{parents[0]}: {{{inner}}}" if parents else inner


def _build_block_insertion(
    text: str, starts: Sequence[int], node: yaml.MappingNode, path: Sequence[str], scalar: str
) -> Edit:
    column = node.value[0][0].start_mark.column
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = [f"{' ' * (column + 2 * depth)}{key}:" for depth, key in enumerate(path)]
    lines[-1] += f" {scalar}"
    last = _find_last_line(node)
    if last is None:  # before the first key, which stands behind its indentation already
        start = _compute_offset(starts, node.value[0][0].start_mark)
        return Edit(start, start, line_end.join(lines).lstrip() + line_end + " " * column)
    match = _LINE_END.search(text, starts[last])
    end = match.start() if match else len(text)
    return Edit(end, end, "".join(f"{line_end}{line}" for line in lines))


def _find_last_line(node: Node) -> int | None:
    """The line in which a node ends, None where only what follows it tells."""
    if isinstance(node, yaml.ScalarNode):
        return None if node.style in _BLOCK_SCALARS else int(node.end_mark.line)
    if node.flow_style:
        return int(node.end_mark.line)
    last = node.value[-1]
    return _find_last_line(last[1] if isinstance(last, tuple) else last)


def _build_removal(text: str, starts: Sequence[int], node: yaml.MappingNode, pair: tuple[Node, Node]) -> Edit:
    key, value = pair
    line, last = key.start_mark.line, _find_last_line(value)
    start = starts[line]
    before = text[start : _compute_offset(starts, key.start_mark)]
    if node.flow_style or len(node.value) == 1 or last is None or before.strip():
        raise Unfixable("it is not on lines of its own")
    return Edit(start, starts[last + 1] if last + 1 < len(starts) else len(text), "")
