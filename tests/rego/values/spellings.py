"""Other texts that mean to Kafka what a configuration's text means, by how they differ."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["bases", "spellings"]

_LEAST: Final = {"short": -(2**15), "int": -(2**31), "long": -(2**63)}
_ARABIC: Final = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
# What a value is near which is an edge of nothing: any number will do.
_PLAIN: Final[dict[str, tuple[str, ...]]] = {
    "short": ("7",),
    "int": ("7",),
    "long": ("7", "1000"),
    "double": ("0.25",),
    "boolean": ("true", "false"),
    "string": (),
    "class": (),
    "list": (),
    "password": (),
}


def bases(row: Mapping[str, Any], near: set[int]) -> list[str]:
    """Return texts whose other spellings are worth trying: defaults, edges, choices and what rules compare with.

    Args:
        row: The configuration's row of the catalogue.
        near: Numbers that the rule has in its parameters.
    """
    numbers = [row[limit] for limit in ("min", "max", "or") if limit in row]
    if row["type"] in _LEAST:
        limit = row.get("noLimit", {})
        numbers += [limit[column] for column in ("is", "at") if column in limit]
        numbers += sorted(near)
    choices = row.get("validStrings", [])
    lists = [",".join(choices[:2])] if row["type"] == "list" and len(choices) > 1 else []
    default = [row["default"]] if row.get("default") else []
    texts = [*default, *map(str, numbers), *choices, *lists, *_PLAIN[row["type"]]]
    return list(dict.fromkeys(text for text in texts if _fits(row, text)))


def spellings(name: str, row: Mapping[str, Any], text: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of how a text differs from ``text``, and the text.

    Args:
        name: The configuration's.
        row: Its row of the catalogue.
        text: A value that Kafka takes, not empty.
    """
    kind = row["type"]
    if kind == "password":
        return
    yield "blanks", f"\t{text} \x00"
    if kind in _LEAST:
        yield from (("digits", other) for other in _whole(text))
        yield from (("no limit", str(number)) for number in _unlimited(row, int(text)))
    elif kind == "double":
        yield from (("digits", other) for other in _doubles(text))
    elif kind == "boolean" or "(case insensitive)" in row.get("valid", ""):
        yield from (("capitals", change(text)) for change in (str.upper, str.title))
    elif kind == "list":
        parts = text.split(",")
        if len(parts) > 1:
            yield "blanks", " , ".join(parts)
        yield "twice", ",".join([*parts, parts[0]])
        if name in ("cleanup.policy", "log.cleanup.policy") and len(parts) > 1:
            yield "order", ",".join(reversed(parts))


def _whole(text: str) -> Iterator[str]:
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    yield f"{sign}00{digits.translate(_ARABIC)}"
    yield f"-{digits}" if digits == "0" else f"{sign or '+'}{digits}"


def _doubles(text: str) -> Iterator[str]:
    yield f"+0{text}d"
    yield f"{float(text):.17e}"
    if abs(float(text)) < 2**53:  # beyond, no decimal is the number that the hexadecimal is
        yield float(text).hex()


def _unlimited(row: Mapping[str, Any], value: int) -> Iterator[int]:
    """The numbers that mean no limit besides, where one does."""
    limit = row.get("noLimit")
    least = row.get("min", _LEAST[row["type"]])
    if limit is None or not _means_none(limit, value):
        return
    below = limit.get("below")
    candidates = [] if below is None else [below - 2, least]
    candidates += [limit["is"], *([limit["at"]] if "at" in limit else [])]
    yield from (number for number in dict.fromkeys(candidates) if number != value and number >= least)


def _means_none(limit: Mapping[str, int], value: int) -> bool:
    return value == limit["is"] or value == limit.get("at") or ("below" in limit and value < limit["below"])


def _fits(row: Mapping[str, Any], text: str) -> bool:
    """Whether a number is one that Kafka takes; other texts are choices."""
    if text in row.get("validStrings", [text]) and row["type"] not in _LEAST:
        return text != ""
    if row["type"] not in _LEAST:
        return row["type"] == "list" and text != ""
    number = int(text)
    most = min(row.get("max", -_LEAST[row["type"]] - 1), -_LEAST[row["type"]] - 1)
    return number == row.get("or") or row.get("min", _LEAST[row["type"]]) <= number <= most
