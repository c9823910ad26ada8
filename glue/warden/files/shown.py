"""What is written down of documents that may hold secrets, masked as OPA's log masks decisions.

The words and forms are read from the policy's own table (``policies/system/log/patterns``), so that there is one list.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from warden.files.secret_names import STARS
from warden.resources import read_share

__all__ = ["TABLE", "secret_words", "shown", "shown_text"]

_NAMING = ("name", "key", "path")
_STEP = "(?:`([^`]*)`|(_[a-z]+))"
_Path = tuple[Any, ...]


def shown(document: Any) -> Any:
    """Return a JSON document with stars in place of its secrets.

    Args:
        document: Of objects, arrays, texts, numbers, booleans and nulls; it is left as it is.

    Raises:
        ConfigurationError: The installation is incomplete.
    """
    return _shown(document, (), ())


def shown_text(text: str) -> str:
    """Return a JSON text as `shown` has its document; of another text stars where it may hold a secret.

    Args:
        text: The text.

    Raises:
        ConfigurationError: The installation is incomplete.
    """
    try:
        document = json.loads(text)
    except ValueError:
        return STARS if _stems().search(text) else text
    hidden = shown(document)
    return text if hidden == document else json.dumps(hidden, separators=(",", ":"))


def secret_words() -> str:
    """Return a regular expression of words without which no text holds a secret; in most texts with one is none.

    It takes no longer than the text is long, so that it may be tried on texts of any length, by Java too.

    Raises:
        ConfigurationError: The installation is incomplete.
    """
    return _stems().pattern


def _shown(value: Any, path: _Path, above: _Path) -> Any:
    """The value at a path; ``above`` has the objects and arrays that lead there."""
    if isinstance(value, Mapping):
        return {key: _shown(each, (*path, key), (*above, value)) for key, each in value.items()}
    if isinstance(value, list):
        return [_shown(each, (*path, at), (*above, value)) for at, each in enumerate(value)]
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and "totals" not in path
    if not number and not isinstance(value, str):
        return value
    secret = _is_named(path, above) or _is_option(path, above) or _is_of_secret(path, above)
    return STARS if secret or (isinstance(value, str) and _is_secret_text(value)) else value


def _is_secret_text(text: str) -> bool:
    """Whether a text holds a secret; a long one is not tried, as Python may take for ever, but taken to."""
    return bool(_stems().search(text)) and (len(text) > _LONG or bool(_pattern("texts").search(text)))


def _is_named(path: _Path, above: _Path) -> bool:
    words = [key for key in path if isinstance(key, str)]
    beside = (holder.get(field) for key, holder in zip(path, above, strict=True) if key == "value" for field in _NAMING)
    return any(isinstance(name, str) and _pattern("names").search(name) for name in (*words[-1:], *beside))


def _is_option(path: _Path, above: _Path) -> bool:
    """Whether it is the element of an array after an option, as in a container's arguments."""
    if not path or not isinstance(path[-1], int) or path[-1] == 0:
        return False
    before = above[-1][path[-1] - 1]
    return isinstance(before, str) and bool(_pattern("options").search(before))


def _is_of_secret(path: _Path, above: _Path) -> bool:
    """Whether it is data of a Kubernetes object of some kind of Secret."""
    kinds = [str(holder.get("kind", "")) if isinstance(holder, Mapping) else "" for holder in above]
    return any(
        key in ("data", "stringData") and any(kind.endswith("Secret") for kind in kinds[: at + 1])
        for at, key in enumerate(path)
    )


@cache
def _pattern(name: str) -> re.Pattern[str]:
    """A pattern of the table; its forms are such that Go and Python read the same in them."""
    return re.compile(_joined(name, _source()))


@cache
def _stems() -> re.Pattern[str]:
    """What the table says that names and texts need; all that it puts together ends in ``key``."""
    found = re.search(r'^words := \{\n(.*?)^\t"options"', _source(), re.MULTILINE | re.DOTALL)
    if found is None:
        raise LookupError(f"{'/'.join(TABLE)} has no words")
    words = {*re.findall(r'"([^"\n]+)"(?!:)', re.sub("`[^`]*`", "", found[1])), "key"}
    return re.compile("(?i)" + "|".join(re.escape(word) for word in sorted(words)))


@cache
def _source() -> str:
    return read_share(*TABLE)


_LONG = 200
TABLE = ("policies", "system", "log", "patterns", "patterns.rego")
"""Where the words and forms are, among what ships with Warden: executors of Spark need it too."""


def _joined(name: str, source: str) -> str:
    found = re.search(rf'^{name} := (?:concat\("(\|?)", \[\n(.*?)^\]\)|(`.*)$)', source, re.MULTILINE | re.DOTALL)
    if found is None:
        raise LookupError(f"{'/'.join(TABLE)} has no {name}")
    return (found[1] or "").join(_steps(found[2] or found[3], source))


def _steps(text: str, source: str) -> Iterator[str]:
    for raw, rule in re.findall(rf"^\s*{_STEP},?$", text, re.MULTILINE):
        yield _joined(rule, source) if rule else raw
