"""Masks documents that may hold secrets before they are written down, as OPA's log masks decisions.

The words and forms are read from the policy's own table (``policies/system/log/patterns``), so that there is one list.
"""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Final

from warden.base.resources import read_shipped

__all__ = ["STARS", "TABLE", "build_secret_pattern", "is_secret_name", "redact", "redact_line", "redact_text"]

STARS: Final = "***"
"""What stands for a secret, as in OPA's log."""

_NAMING = ("name", "key", "path")
_Path = tuple[Any, ...]


def redact(document: Any) -> Any:
    """Return a JSON document with stars in place of its secrets.

    Args:
        document: Of objects, arrays, texts, numbers, booleans and nulls; it is left as it is.

    Raises:
        ConfigurationError: The installation is incomplete.
    """
    return _redact_value(document, (), ())


def redact_text(text: str) -> str:
    """Return a JSON text as `redact` has its document; of another text stars where it may hold a secret.

    Args:
        text: The text.

    Raises:
        ConfigurationError: The installation is incomplete.
    """
    try:
        document = json.loads(text)
        hidden = redact(document)
        return text if hidden == document else json.dumps(hidden, separators=(",", ":"))
    except RecursionError:  # nobody can look through it
        return STARS
    except ValueError:
        names_secret = _has_stem(text) or any(map(_compile_pattern("options").search, _QUOTED.findall(text)))
        return STARS if names_secret else text


def redact_line(text: str) -> str:
    """Return a text for people to read up to where it holds a secret, and stars from there: each line by itself.

    A private key takes the lines after it along.

    Args:
        text: A message or a trace, which is read for what went wrong: so more of it stays than of a value.
    """
    kept = []
    for line in text.split("\n"):
        at = _find_secret(line)
        kept.append(line if at is None else line[:at] + STARS)
        if at is not None and _KEY in line.lower():
            break
    return "\n".join(kept)


def build_secret_pattern() -> str:
    """Return a regular expression of words without which no text holds a secret; in most texts with one is none.

    It takes no longer than the text is long, so that it may be tried on texts of any length, by Java too.

    Raises:
        ConfigurationError: The installation is incomplete.
    """
    return _compile_secret_pattern().pattern


def is_secret_name(name: str) -> bool:
    """Return whether the value of a config, variable, header or field of this name is hidden.

    Raises:
        ConfigurationError: The installation is incomplete.
    """
    return (
        _is_known_secret(name) if len(name) <= _LONG_TEXT_CHARACTERS else bool(_compile_pattern("names").search(name))
    )


@lru_cache(1_000)
def _is_known_secret(name: str) -> bool:
    """`is_secret_name` of what may be remembered: the same few names come again and again, others come from clients."""
    return bool(_compile_pattern("names").search(name))


def _redact_value(value: Any, path: _Path, above: _Path) -> Any:
    """The value at a path; ``above`` has the objects and arrays that lead there."""
    if isinstance(value, Mapping):
        return {key: _redact_value(child, (*path, key), (*above, value)) for key, child in value.items()}
    if isinstance(value, list):
        return [_redact_value(child, (*path, at), (*above, value)) for at, child in enumerate(value)]
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and "totals" not in path
    if not number and not isinstance(value, str):
        return value
    secret = bool(path) and (_is_secret_by_name(path, above) or _is_option(path, above) or _is_of_secret(path, above))
    return STARS if secret or (isinstance(value, str) and _is_secret_text(value)) else value


def _is_secret_text(text: str) -> bool:
    """Whether a text holds a secret; a long one is not tried, as Python may take for ever, but taken to."""
    return _has_stem(text) and (len(text) > _LONG_TEXT_CHARACTERS or bool(_compile_pattern("texts").search(text)))


def _find_secret(line: str) -> int | None:
    """Where a line begins to hold a secret; a long one is not tried from everywhere, but from its first word on."""
    stem = _compile_secret_pattern().search(line)
    if stem is None:
        return None
    match = stem if len(line) > _LONG_LINE else _compile_pattern("texts").search(line)
    return match and match.start()


def _is_secret_by_name(path: _Path, above: _Path) -> bool:
    words = [key for key in path if isinstance(key, str)]
    beside = (holder.get(field) for key, holder in zip(path, above, strict=True) if key == "value" for field in _NAMING)
    return any(isinstance(name, str) and is_secret_name(name) for name in (*words[-1:], *beside))


def _is_option(path: _Path, above: _Path) -> bool:
    """Whether it is the element of an array after an option, as in a container's arguments."""
    if not path or not isinstance(path[-1], int) or path[-1] == 0:
        return False
    before = above[-1][path[-1] - 1]
    return isinstance(before, str) and bool(_compile_pattern("options").search(before))


def _is_of_secret(path: _Path, above: _Path) -> bool:
    """Whether it is data of a Kubernetes object of some kind of Secret."""
    kinds = [str(holder.get("kind", "")) if isinstance(holder, Mapping) else "" for holder in above]
    return any(
        key in ("data", "stringData") and any(kind.endswith("Secret") for kind in kinds[: at + 1])
        for at, key in enumerate(path)
    )


@cache
def _read_table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(read_shipped(*TABLE))
    return table


@cache
def _compile_pattern(name: str) -> re.Pattern[str]:
    """A pattern of the table; its forms are such that Go and Python read the same in them."""
    return re.compile("|".join(_read_table()[name]))


def _has_stem(text: str) -> bool:
    """Whether the secret pattern finds something; looking for word after word takes a twentieth of what it takes."""
    if not text.isascii():  # where small letters and large ones are not one to one
        return bool(_compile_secret_pattern().search(text))
    small = text.lower()
    return any(map(small.__contains__, _list_words()))


@cache
def _list_words() -> tuple[str, ...]:
    """What the table says that names, texts and kinds need, in small letters, without words that have others in them.

    OPA looks for the same in a document's JSON.
    """
    words = {word.strip('"').lower() for kind in ("names", "texts", "kinds") for word in _read_table()["words"][kind]}
    return tuple(sorted(word for word in words if not any(other in word for other in words - {word})))


@cache
def _compile_secret_pattern() -> re.Pattern[str]:
    return re.compile("(?i)" + "|".join(map(re.escape, _list_words())))


_QUOTED = re.compile(r'"([^"\\]*)"')
_LONG_TEXT_CHARACTERS = 200
_LONG_LINE = 2000
_KEY = "private key-----"
TABLE = ("policies", "system", "log", "patterns", "data.json")
"""Where the words and forms are, among what ships with Warden: executors of Spark need it too."""
