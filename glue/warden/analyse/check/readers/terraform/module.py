"""Names in a Terraform directory that its expressions use: variables and locals.

A variable has the value that Terraform takes by itself: of ``*.auto.tfvars``, of ``terraform.tfvars``, else its
default. Where something else may set it (a ``.tfvars`` of another name beside them, one in JSON) or two files say it,
it is not known.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from warden.analyse.check.model import UnusableDeclaration
from warden.analyse.check.readers.terraform.syntax import Attribute, Block, parse_hcl
from warden.analyse.check.readers.terraform.values import UNKNOWN, Scope, evaluate

__all__ = ["Siblings", "is_override", "read_scope"]

Siblings = Callable[[Path], Mapping[str, bytes]]
"""Returns the files of a directory that belong to its configuration, by name."""

_DIRECTORIES = 16  # whose names are kept: each serves every file in it
_DEFINES = (b"variable", b"locals")
_FIRST = "terraform.tfvars"
_HIDDEN = ("sensitive", "ephemeral")


def is_override(name: str) -> bool:
    """Whether Terraform lays a file's blocks over those of others.

    Args:
        name: The file's.
    """
    stem = name.partition(".")[0]
    return stem == "override" or stem.endswith("_override")


@lru_cache(maxsize=_DIRECTORIES)
def read_scope(siblings: Siblings, directory: Path) -> Scope:
    """Return what names stand for in a directory.

    Args:
        siblings: Returns the files of its configuration.
        directory: The directory.

    Raises:
        UnusableDeclaration: A file cannot be read.
    """
    files = siblings(directory)
    try:
        blocks = list(_iter_definitions(files))
        values = dict(_iter_given(files))
    except UnusableDeclaration:  # said where the file itself is read; what it defines is not known
        return Scope()
    variables: dict[str, Any] = {}
    locals: dict[str, Any] = {}
    for name, block in blocks:
        if block.kind == "variable" and len(block.labels) == 1:
            _define(variables, block.labels[0], UNKNOWN if is_override(name) else _find_default(block))
        for key, attribute in block.attributes.items() if block.kind == "locals" else ():
            _define(locals, key, None if is_override(name) else attribute.expression, twice=None)
    return Scope(variables={**variables, **values}, locals=locals)


def _iter_definitions(files: Mapping[str, bytes]) -> Iterator[tuple[str, Block]]:
    for name, content in files.items():
        if not _is_given(name) and any(word in content for word in _DEFINES):
            yield from ((name, block) for block in parse_hcl(content).blocks)


def _define(names: dict[str, Any], name: str, value: Any, twice: Any = UNKNOWN) -> None:
    names[name] = twice if name in names else value


def _find_default(block: Block) -> Any:
    default = block.attributes.get("default")
    is_hidden = any(name in block.attributes for name in _HIDDEN)
    return UNKNOWN if default is None or is_hidden else evaluate(default.expression, Scope())


def _is_given(name: str) -> bool:
    return name.endswith((".tfvars", ".tfvars.json"))


def _iter_given(files: Mapping[str, bytes]) -> Iterator[tuple[str, Any]]:
    """Variables that files of values set: those that Terraform loads by itself, in its order, then the open ones."""
    names = sorted(filter(_is_given, files), key=lambda name: (name != _FIRST, name))
    loaded = [name for name in names if name == _FIRST or name.endswith(".auto.tfvars")]
    if any(name.endswith(".json") for name in names):
        raise UnusableDeclaration(1, "values in JSON are not read")
    for name, attribute in _iter_values(files, loaded):
        yield name, evaluate(attribute.expression, Scope())
    yield from ((name, UNKNOWN) for name, _ in _iter_values(files, [name for name in names if name not in loaded]))


def _iter_values(files: Mapping[str, bytes], names: Iterable[str]) -> Iterator[tuple[str, Attribute]]:
    for name in names:
        yield from parse_hcl(files[name]).attributes.items()
