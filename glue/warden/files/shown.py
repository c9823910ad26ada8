"""What is written down of documents that may hold secrets, masked as OPA's log masks decisions.

The words and forms are read from the policy's own table (``policies/system/log/patterns``), so that there is one list.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from warden.files.secret_names import STARS
from warden.resources import share

__all__ = ["secret_words", "shown", "shown_text"]

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
        return STARS if re.search(secret_words(), text) else text
    hidden = shown(document)
    return text if hidden == document else json.dumps(hidden, separators=(",", ":"))


def secret_words() -> str:
    """Return one regular expression of all names and forms of secrets, for texts that Python does not touch.

    Raises:
        ConfigurationError: The installation is incomplete.
    """
    texts, names = (_pattern(name).pattern.removeprefix("(?i)") for name in ("texts", "names"))
    names = names.replace("(^|", '(^|"|').replace("$", '(?=$|")')  # they begin and end where a string of JSON does
    return f"(?i){texts}|{names}"


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
    return STARS if secret or (isinstance(value, str) and _pattern("texts").search(value)) else value


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
    """A pattern of the table; its forms are such that Go and Python read them alike."""
    return re.compile(_joined(name, share("policies").joinpath(*_TABLE).read_text(encoding="utf-8")))


_TABLE = ("system", "log", "patterns", "patterns.rego")


def _joined(name: str, source: str) -> str:
    found = re.search(rf'^{name} := (?:concat\("(\|?)", \[\n(.*?)^\]\)|(`.*)$)', source, re.MULTILINE | re.DOTALL)
    if found is None:
        raise LookupError(f"{'/'.join(_TABLE)} has no {name}")
    return (found[1] or "").join(_steps(found[2] or found[3], source))


def _steps(text: str, source: str) -> Iterator[str]:
    for raw, rule in re.findall(rf"^\s*{_STEP},?$", text, re.MULTILINE):
        yield _joined(rule, source) if rule else raw
