"""Lines of a file of JSON lines, as bytes: which are text, and where some of them are. Knows nothing of their content.

RFC 8259 (8.1) has JSON in UTF-8 and leaves a byte order mark to the reader: one at the beginning of a file is skipped.
"""

import codecs
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from warden.base.errors import InputError

__all__ = ["NO_TEXT", "decode_line", "find_lines", "is_plain", "iter_lines", "parse_line"]

NO_TEXT = "the line is not UTF-8 text without NULs"
"""What is wrong with a line that cannot be decoded."""

_BLOCK = 1 << 20
_NO_ROW = re.compile(rb"\n[^{]")
# What does not stand behind an object within a row, as JSON is mostly spaced: it is behind the row, or in a text.
_BEHIND_ROW = re.compile(rb"\}(?:[^},\n]|,(?:[^\" ]| [^\"]))")


def is_plain(path: Path) -> bool:
    """Return whether each line of a file is at a fast look one object in UTF-8, without NULs and nothing around it.

    Raises:
        InputError: It cannot be read.
    """
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK) + file.readline():
                if b"\0" in block or not _has_one_row_a_line(block):
                    return False
                block.decode("utf-8")
    except UnicodeDecodeError:
        return False
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    return True


def _has_one_row_a_line(block: bytes) -> bool:
    """Whether that is so of whole lines; where a text or a blank line leaves doubts, it is not."""
    return (
        block.startswith(b"{")
        and b"\r" not in block
        and block.count(b"{") == block.count(b"}")
        and not any(pattern.search(block) for pattern in (_NO_ROW, _BEHIND_ROW))
    )


def iter_lines(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each line that is not blank, with its number from 1; a carriage return ends one too, as Spark has it."""
    for number, line in enumerate(content.removeprefix(codecs.BOM_UTF8).splitlines(), 1):
        if line.strip(b" \t"):
            yield number, line


def decode_line(line: bytes) -> str:
    """Return a line as text to show, with U+FFFD for each run of bytes that is none."""
    return re.sub("\ufffd+", "\ufffd", line.decode("utf-8", "replace").replace("\0", "\ufffd"))


def parse_line(line: bytes) -> Mapping[str, Any]:
    """Return the object of a line.

    Raises:
        ValueError: The line is not the JSON of one; the text says why.
    """
    if b"\0" in line:
        raise ValueError(NO_TEXT)
    try:
        row = json.loads(line.decode("utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError:
        raise ValueError(NO_TEXT) from None
    except RecursionError:
        raise ValueError("the line is nested too deeply: take the snapshot again") from None
    if not isinstance(row, dict):
        raise ValueError("the line is not a JSON object: take the snapshot again")  # noqa: TRY004 - of the text, not of an argument
    return row


def find_lines(content: bytes, texts: Collection[str], names: Collection[str]) -> dict[str, list[int]]:
    """Return the numbers of some lines, in order.

    Args:
        content: The file.
        texts: Lines as `decode_line` shows them.
        names: Values of ``topic``, "" for those that have none.
    """
    numbers: dict[str, list[int]] = {}
    for number, line in iter_lines(content):
        for key in _iter_matches(line, texts, names):
            numbers.setdefault(key, []).append(number)
    return numbers


def _iter_matches(line: bytes, texts: Collection[str], names: Collection[str]) -> Iterable[str]:
    if texts and (text := decode_line(line)) in texts:
        yield text
    elif names:
        try:
            name = parse_line(line).get("topic")
        except ValueError:
            return
        key = "" if name is None else str(name)
        if key in names:
            yield key
