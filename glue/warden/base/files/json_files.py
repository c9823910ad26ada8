"""JSON files, read strictly; every mistake has its file, its line and what to write.

Python's reader lets the last of equal keys win, takes NaN, and gives up on deep nesting with an exception of its own.
RFC 8259 leaves all of that open (4, 6 and 9), so readers differ: a decision by one value could let another pass.
What Warden and OPA write themselves is not read here.
"""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Never

from warden.base.errors import InputError

__all__ = ["MAX_DEPTH", "is_unicode", "parse_json", "read_json"]

MAX_DEPTH = 100
"""How many lists and objects may stand in each other."""

_TOKEN = re.compile(
    r'(?P<key>"[^"\\]*(?:\\.[^"\\]*)*"(?=\s*:))|"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|[^\s{}\[\],:"]+', re.DOTALL
)


class _Unfit(Exception):
    """Raised by what `json` calls on the way, without a place."""


def read_json(path: Path, what: str) -> Any:
    """Read a file.

    Args:
        path: The file, in UTF-8.
        what: What it should hold, for messages: ``a decision input``.

    Raises:
        InputError: It cannot be read, or `parse_json` refuses it.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}): name a file with {what}") from error
    return parse_json(content, str(path), what)


def parse_json(content: bytes, name: str, what: str) -> Any:
    """Read JSON text.

    Args:
        content: The text, in UTF-8 without a byte order mark.
        name: Where it is from, for messages.
        what: What it should hold, for messages.

    Raises:
        InputError: It is not JSON, an object has a key twice, a number is NaN or beyond those of a double, or it is
            nested too deeply; the text says in which line.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}:{line}: not JSON (it is not in UTF-8): save {what} in UTF-8") from error
    if text.startswith("\ufeff"):
        raise InputError(f"{name}:1: it begins with a byte order mark: save {what} as UTF-8 without one")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_build_object,
            parse_constant=_refuse_constant,
            parse_float=_parse_float,
            parse_int=_parse_int,
        )
        _check_depth(value)
    except json.JSONDecodeError as error:
        location = f"{name}:{error.lineno}: not JSON ({error.msg}, column {error.colno})"
        raise InputError(f"{location}: write {what} as JSON") from error
    except (_Unfit, RecursionError):
        raise InputError(f"{name}:{next(_iter_faults(text))}") from None
    return value


def is_unicode(document: Any) -> bool:
    """Return whether the texts of a JSON document are whole characters: half a surrogate pair is read, and is none."""
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _Unfit
    return members


def _refuse_constant(_constant: str) -> Never:
    raise _Unfit


def _parse_float(text: str) -> float:
    return float(_check_number(text))


def _parse_int(text: str) -> int:
    return int(_check_number(text))


def _check_number(text: str) -> str:
    """A number that a double can hold: what is beyond, each reader takes for something else."""
    if math.isinf(float(text)):
        raise _Unfit
    return text


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        nested = [child for child in level if isinstance(child, dict | list)]
        if not nested:
            return
        level = [child for parent in nested for child in (parent.values() if isinstance(parent, dict) else parent)]
    raise _Unfit


def _iter_faults(text: str) -> Iterator[str]:
    """Of what is refused here in JSON text each line and sentence, at least up to the first thing."""
    keys: list[dict[str, int]] = []  # with their lines, of each object or list that is open
    line, at = 1, 0
    for token in _TOKEN.finditer(text):
        word, line, at = token[0], line + text.count("\n", at, token.start()), token.start()
        if token["key"]:
            key = json.loads(word)
            if key in keys[-1]:
                yield f"{line}: the key {_shorten(word)} is there already, in line {keys[-1][key]}: keep one of the two"
            keys[-1][key] = line
        elif word in "{[":
            keys.append({})
            if len(keys) > MAX_DEPTH:
                yield f"{line}: lists and objects stand more than {MAX_DEPTH} deep in each other: write less deeply"
        elif word in "}]":
            keys.pop()
        elif word[0] in "-0123456789NI" and not math.isfinite(float(word)):
            yield f"{line}: {_shorten(word)} is not a number that all readers share: write a smaller one, or a string"


def _shorten(word: str) -> str:
    return word if len(word) <= 40 else f"{word[:40]}…"
