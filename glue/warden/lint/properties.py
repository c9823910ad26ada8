"""Java properties with their lines, read exactly as ``java.util.Properties.load`` reads a stream.

Libraries read the keys and values but not the lines. A test compares this with Java's own class.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Entry", "MalformedProperties", "parse"]

_SPACE = " \t\f"
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|u|.|$)", re.DOTALL)


@dataclass(frozen=True)
class Entry:
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


def parse(text: str) -> Iterator[Entry]:
    r"""Yield the properties in order, a repeated key each time; the last one counts.

    Args:
        text: The file, decoded as ISO 8859-1, which is what Java takes a stream for.

    Raises:
        MalformedProperties: An escape with ``\u`` lacks its four digits.
    """
    for line, logical in _logical_lines(text):
        cut = _end_of_key(logical)
        value = logical[cut:].lstrip(_SPACE)
        value = value[1:].lstrip(_SPACE) if value[:1] in ("=", ":") else value
        yield Entry(_unescaped(logical[:cut], line), _unescaped(value, line), line)


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:  # noqa: C901 - a port, see below
    """Lines joined where a backslash ends them, without comments and blank ones, each with its first number.

    A port of ``Properties.LineReader.readLine``, state by state: what it does with a backslash at the very end, or
    before a line that would be a comment, follows from no simpler description.
    """
    line: list[str] = []
    number, first = 1, 0
    skipping, appended, escaped = True, False, False
    place = 0
    while place < len(text):
        char = text[place]
        place += 1
        here = number
        ends = char in "\r\n"
        number += char == "\n" or (char == "\r" and text[place : place + 1] != "\n")
        if skipping:
            if char in _SPACE or (ends and not appended):
                continue
            skipping = appended = False
        if not line and char in "#!":
            while place < len(text) and text[place] not in "\r\n":
                place += 1
            skipping = True
        elif not ends:
            first = first if line else here
            line.append(char)
            escaped = char == "\\" and not escaped
        elif not line:
            skipping = True
        elif escaped and place < len(text):
            line.pop()
            skipping = appended = True
            escaped = False
            if char == "\r" and text[place] == "\n":
                place += 1
                number += 1
        else:
            yield first, "".join(line[:-1] if escaped else line)
            line, skipping, escaped = [], True, False
    if line:
        yield first, "".join(line[:-1] if escaped else line)


def _end_of_key(line: str) -> int:
    place = 0
    while place < len(line) and line[place] not in f"{_SPACE}=:":
        place += 2 if line[place] == "\\" else 1
    return min(place, len(line))


def _unescaped(text: str, line: int) -> str:
    def character(found: re.Match[str]) -> str:
        escape = found[1]
        if escape == "u":
            raise MalformedProperties("an escape \\u lacks its four hexadecimal digits", line)
        return chr(int(escape[1:], 16)) if len(escape) == 5 else _ESCAPES.get(escape, escape)

    return _ESCAPE.sub(character, text)
