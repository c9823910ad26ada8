"""YAML files, read by one strict loader; every mistake has its file, its line and what to write.

Two modules, since they are two subjects: `warden.base.files.yaml_loader` says what a document may be and knows no
files; a test loads it a second time without libyaml and compares.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml
from yaml.reader import Reader, ReaderError

from warden.base.errors import InputError, WardenError
from warden.base.files.yaml_loader import StrictLoader, UnfitYaml

__all__ = ["YamlDocument", "find_line", "iter_yaml_documents", "read_yaml", "read_yaml_documents"]

_SEPARATOR = re.compile(r"^---(?=\s|$)", re.MULTILINE)


@dataclass(frozen=True)
class YamlDocument:
    """One document of a file.

    Args:
        value: What it says, as JSON has it: dates are texts, and so are all keys; None for an empty document.
        node: Where it says it, for `find_line`.
    """

    value: Any
    node: yaml.Node | None


def read_yaml(path: Path, error: type[WardenError] = InputError, what: str = "YAML file") -> YamlDocument:
    """Read a file that holds one document, or nothing.

    Args:
        path: The file, in UTF-8.
        error: The class of the error for whatever is wrong with it.
        what: Which kind of file to name where this one cannot be read.

    Raises:
        WardenError: Of that class: it cannot be read, is not YAML, has a key twice or several documents, …; see
            `warden.base.files.yaml_loader`.
    """
    documents = read_yaml_documents(path, error, what)
    if len(documents) > 1:
        node = documents[1].node
        line = node.start_mark.line + 1 if node else 1
        raise error(f"{path}:{line}: another document begins: write one, without a line of ---")
    return documents[0] if documents else YamlDocument(None, None)


def read_yaml_documents(
    path: Path, error: type[WardenError] = InputError, what: str = "YAML file"
) -> list[YamlDocument]:
    """Read all documents of a file; see `read_yaml`."""
    try:
        content = path.read_bytes()
    except OSError as why:
        raise error(f"{path}: cannot be read ({why.strerror}): name a {what}") from why
    return _read_text(_decode(content, path, error), path, error)


def iter_yaml_documents(
    content: bytes, path: Path, error: type[WardenError] = InputError, *, loader: type[StrictLoader] = StrictLoader
) -> Iterator[YamlDocument | WardenError]:
    """Yield each document of a file, or what is wrong with it, so that one that is broken takes no other along.

    Args:
        content: The file.
        path: Its name, for messages.
        error: The class of the errors.
        loader: What reads it: `TaggedLoader` takes tags of the file's own, whose values are None.
    """
    try:
        text = _decode(content, path, error)
    except error as why:
        yield why
        return
    try:
        documents = _read_text(text, path, error, loader)
    except error as why:
        starts = [0, *(match.start() for match in _SEPARATOR.finditer(text)), len(text)]
        parts = [(start, text[start:end]) for start, end in pairwise(starts) if text[start:end].strip()]
        if len(parts) < 2:
            yield why
            return
        for start, part in parts:  # with as many lines before it as there are, so that marks are those of the file
            yield from _read_text_or_error("\n" * text.count("\n", 0, start) + part, path, error, loader)
        return
    yield from documents


def _read_text_or_error(
    text: str, path: Path, error: type[WardenError], loader: type[StrictLoader]
) -> Sequence[YamlDocument | WardenError]:
    try:
        return _read_text(text, path, error, loader)
    except error as why:
        return [why]


def _decode(content: bytes, path: Path, error: type[WardenError]) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as why:
        line = content.count(b"\n", 0, why.start) + 1
        raise error(f"{path}:{line}: not YAML (it is not in UTF-8): save it in UTF-8") from why


def _read_text(
    text: str, path: Path, error: type[WardenError], loader: type[StrictLoader] = StrictLoader
) -> list[YamlDocument]:
    try:
        return list(_parse_documents(text, loader))
    except ReaderError as why:
        match = Reader.NON_PRINTABLE.search(text)
        line = text.count("\n", 0, match.start() if match else 0) + 1
        raise error(f"{path}:{line}: not YAML ({why.reason}): remove the character") from why
    except yaml.MarkedYAMLError as why:
        raise error(f"{path}:{_describe(why)}") from why


def _parse_documents(text: str, kind: type[StrictLoader]) -> list[YamlDocument]:
    loader = kind(text)
    documents = []
    try:
        while loader.check_node():
            node = loader.get_node()
            documents.append(YamlDocument(loader.construct_document(node), node))
    finally:
        loader.dispose()
    return documents


def _describe(error: yaml.MarkedYAMLError) -> str:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 1
    if isinstance(error, UnfitYaml):
        return f"{line}: {error.problem}"
    begun = error.context_mark
    context = f" {error.context} that begins in line {begun.line + 1}" if error.context and begun else ""
    return f"{line}: not YAML ({error.problem}{context}): correct it"


def find_line(node: yaml.Node | None, location: Sequence[str]) -> int:
    """Return the line, counted from 1, of the deepest node on the way to a location.

    Args:
        node: The document as PyYAML's nodes; None for an empty one.
        location: Keys, and positions in lists as text.
    """
    line = 1 if node is None else node.start_mark.line + 1
    for piece in location:
        below: yaml.Node | None = None
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == piece:
                    below, line = value, key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and piece.isdigit() and int(piece) < len(node.value):
            below = node.value[int(piece)]
            line = below.start_mark.line + 1
        if below is None:
            break
        node = below
    return line
