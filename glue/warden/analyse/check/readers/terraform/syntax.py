"""The text of Terraform's and OpenTofu's configurations (HCL) as blocks with attributes, each with its line.

Nothing is evaluated here: an attribute's expression is the part of python-hcl2's syntax tree that `values` reads.
Only what reads such a file imports this module, since its parser takes a second to be made.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import hcl2
from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from warden.analyse.check.model import UnusableDeclaration

__all__ = ["Attribute", "Block", "Expression", "get_children", "parse_hcl"]

Expression = Tree[Token]
"""An expression's syntax tree."""

_PARSED = 512  # files whose blocks are kept: a file is read again for each other one of its directory
_NAMES = ("identifier", "keyword", "literal_value")


@dataclass(frozen=True)
class Attribute:
    """A name and what is assigned to it.

    Args:
        line: Where it stands, from 1.
        expression: What is assigned.
    """

    line: int
    expression: Expression


@dataclass(frozen=True)
class Block:
    """A block, or a file as a whole.

    Args:
        kind: Such as ``resource``; empty for a file.
        labels: What stands between kind and brace.
        line: Where it begins, from 1.
        attributes: By name.
        blocks: Those within, in order.
    """

    kind: str
    labels: tuple[str, ...]
    line: int
    attributes: Mapping[str, Attribute]
    blocks: tuple["Block", ...]


def get_children(tree: Expression) -> list[Expression]:
    """Return the parts of a tree that are trees, without comments and line ends.

    Args:
        tree: Of `Attribute`.
    """
    return [child for child in tree.children if isinstance(child, Tree) and child.data != "new_line_or_comment"]


@lru_cache(maxsize=_PARSED)
def parse_hcl(content: bytes) -> Block:
    """Return a file's blocks.

    Args:
        content: The file.

    Raises:
        UnusableDeclaration: It is not HCL.
    """
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as why:
        raise UnusableDeclaration(
            content.count(b"\n", 0, why.start) + 1, "this is not UTF-8: save it as UTF-8"
        ) from why
    try:
        return _parse_body("", (), 1, get_children(hcl2.parses_to_tree(text))[0])
    except UnexpectedInput as why:
        line = why.line if str(why.line).isdecimal() else max(1, text.count("\n"))  # it has none at the end
        said = "this cannot be read as HCL: run terraform validate, or check the plan (terraform show -json)"
        raise UnusableDeclaration(line, said) from why
    except RecursionError as why:
        raise UnusableDeclaration(
            1, "this is nested too deeply to be read: check the plan (terraform show -json)"
        ) from why


def _parse_body(kind: str, labels: tuple[str, ...], line: int, body: Expression) -> Block:
    attributes: dict[str, Attribute] = {}
    blocks: list[Block] = []
    for child in get_children(body):
        if child.data == "block":
            *head, inner = get_children(child)
            name, *rest = map(_read_name, head)
            blocks.append(_parse_body(name, tuple(rest), child.meta.line, inner))
            continue
        name_tree, expression = get_children(child)
        name = _read_name(name_tree)
        if name in attributes:
            raise UnusableDeclaration(child.meta.line, f"{name} is named twice: keep one of the two")
        attributes[name] = Attribute(child.meta.line, expression)
    return Block(kind, labels, line, attributes, tuple(blocks))


def _read_name(tree: Expression) -> str:
    """A name as it stands, or the text of a label without its quotes."""
    if tree.data in _NAMES:
        return str(tree.children[0])
    return "".join(str(child.children[0]) for child in get_children(tree))
