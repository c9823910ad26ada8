"""Java properties with the line of each, read exactly as ``java.util.Properties.load`` reads them.

A test compares this with Java's own class.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal, cast

import javaproperties

from warden.base.errors import InputError, WardenError

__all__ = ["MalformedProperties", "PropertyEntry", "iter_properties", "load_properties", "parse_entries"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BACKSLASH = re.compile(r"[ \t\f]*\\[\r\n]*")


@dataclass(frozen=True)
class PropertyEntry:
    """One property.

    Args:
        key, value: As Java has them.
        line: Number of the line where the key begins, from 1.
    """

    key: str
    value: str
    line: int


class MalformedProperties(Exception):
    """Raised where Java would refuse the file.

    Args:
        message: What is wrong.
        line: Number of the line, from 1.
    """

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def load_properties(
    path: Path,
    error: type[WardenError] = InputError,
    what: str = "properties file",
    encoding: Literal["iso-8859-1", "utf-8"] = "iso-8859-1",
) -> dict[str, str]:
    """Return the properties of a file; of a repeated key the last one counts.

    Args:
        path: The file.
        error: The class of the error for whatever is wrong with it.
        what: Which kind of file to name where this one cannot be read.
        encoding: ISO 8859-1 where Java reads a stream, as everywhere in Kafka; UTF-8 where it has a reader, as in
            ``FileConfigProvider``.

    Raises:
        WardenError: Of that class: it cannot be read, is in another encoding, or Java would refuse it.
    """
    try:
        content = path.read_bytes()
    except OSError as why:
        raise error(f"{path}: cannot be read ({why.strerror}): name a {what}") from why
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as why:
        line = content.count(b"\n", 0, why.start) + 1
        raise error(f"{path}:{line}: not properties (it is not in UTF-8): save it in UTF-8") from why
    return {entry.key: entry.value for entry in parse_entries(text, path, error)}


def parse_entries(text: str, path: Path, error: type[WardenError] = InputError) -> list[PropertyEntry]:
    """Return the properties in a file's text, see `iter_properties`, with its mistakes raised as an error of a class.

    Raises:
        WardenError: Of that class: Java would refuse it; the text names the line.
    """
    try:
        return list(iter_properties(text))
    except MalformedProperties as why:
        raise error(f"{path}:{why.line}: not properties ({why}): write them, or double the backslash") from why


def iter_properties(text: str) -> Iterator[PropertyEntry]:
    r"""Yield the properties in order, a repeated key each time; the last one counts.

    Args:
        text: The file; where Java reads it as a stream, decoded as ISO 8859-1.

    Raises:
        MalformedProperties: An escape with ``\u`` lacks its four digits.
    """
    lines = _Lines(_LINE.findall(text))
    while lines.read < len(lines.lines):
        first = lines.read + 1
        line = lines.lines[lines.read]
        if _BACKSLASH.fullmatch(line):
            # javaproperties differs from Java here: such a line continues nothing, and is a property at the end.
            lines.read += 1
            if lines.read == len(lines.lines) and not line.endswith("\r\n"):
                yield PropertyEntry("", "", first)
            continue
        try:
            element = next(javaproperties.parse(cast("IO[str]", lines)))
        except javaproperties.InvalidUEscapeError:
            raise MalformedProperties("an escape \\u lacks its four hexadecimal digits", first) from None
        if isinstance(element, javaproperties.KeyValue):
            yield PropertyEntry(element.key, element.value, first)


@dataclass
class _Lines:
    """Lines as a file that javaproperties reads no further than it needs."""

    lines: list[str]
    read: int = 0

    def readline(self) -> str:
        line = self.lines[self.read] if self.read < len(self.lines) else ""
        self.read += 1
        return line
