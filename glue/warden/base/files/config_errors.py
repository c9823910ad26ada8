"""Errors of configuration models as sentences: what is wrong and what to write, derived from the model's fields."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from warden.base.did_you_mean import describe_unknown
from warden.base.files.redact import redact

__all__ = ["Expected", "describe_errors"]

_NOUNS = {float: "a number", int: "a whole number", bool: "true or false", str: "a string"}
_NOT_A_MAPPING = {"model_type", "model_attributes_type", "dict_type"}


@dataclass(frozen=True)
class Expected:
    """Metadata of a field: what to write, for messages.

    Args:
        text: A noun with an example: ``host:port, several with commas``.
    """

    text: str


def describe_errors(model: type[BaseModel], error: ValidationError) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the location of each mistake, and a sentence that begins with it.

    Args:
        model: The model of the whole document.
        error: What its validation raised.
    """
    errors = [(tuple(map(str, mistake["loc"])), mistake) for mistake in error.errors(include_url=False)]
    for loc, mistake in errors:
        kind = mistake["type"]
        if kind == "default_factory_not_called" or (kind == "too_short" and _has_mistakes_below(loc, errors)):
            continue  # follows from a mistake that is among these
        if kind == "invalid":
            yield loc, _place_text(loc, mistake["msg"])
        elif kind == "extra_forbidden":
            keys = _list_keys(_find_field(model, loc[:-1])[0])
            yield loc, _place_text(loc[:-1], describe_unknown("key", loc[-1], keys))
        elif kind in ("missing", "too_short"):
            expected = _describe_expected(*_find_field(model, loc))
            yield loc, _place_text(loc, f"is {'missing' if kind == 'missing' else 'empty'}: write {expected}")
        elif kind in _NOT_A_MAPPING:
            text = f"{_format_value(mistake['input'], loc)} is not a mapping: write keys with values"
            yield loc, _place_text(loc, text)
        elif kind == "tuple_type":
            text = f"{_format_value(mistake['input'], loc)} is not a list: write one, each item with a dash"
            yield loc, _place_text(loc, text)
        else:
            expected = _describe_expected(*_find_field(model, loc))
            yield loc, _place_text(loc, f"{_format_value(mistake['input'], loc)} is not valid: write {expected}")


def _has_mistakes_below(loc: tuple[str, ...], errors: Sequence[tuple[tuple[str, ...], Any]]) -> bool:
    return any(len(other) > len(loc) and other[: len(loc)] == loc for other, _ in errors)


def _place_text(loc: Sequence[str], text: str) -> str:
    colon = "" if text.startswith("is ") else ":"
    return f"{'.'.join(loc)}{colon} {text}" if loc else text


def _list_keys(kind: Any) -> list[str]:
    fields: Mapping[str, FieldInfo] = kind.model_fields
    return sorted(field.alias or name for name, field in fields.items())


def _find_field(model: type[BaseModel], loc: Sequence[str]) -> tuple[Any, Sequence[Any], Any]:
    """Return type, metadata and default of what a location of a document is validated by."""
    kind, metadata, default = _unwrap_type(model, (), None)
    for piece in loc:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            fields = {field.alias or name: field for name, field in kind.model_fields.items()}
            if piece not in fields:  # a validator's own location
                break
            field = fields[piece]
            kind, metadata, default = _unwrap_type(field.annotation, field.metadata, field.default)
        elif items := get_args(kind):  # tuple[item, ...] or dict[str, item]
            kind, metadata, default = _unwrap_type(items[0] if get_origin(kind) is tuple else items[-1], (), None)
    return kind, metadata, default


def _unwrap_type(kind: Any, metadata: Sequence[Any], default: Any) -> tuple[Any, Sequence[Any], Any]:
    """Take a type out of ``Annotated`` and of ``… | None``."""
    while True:
        if get_origin(kind) is Annotated:
            kind, *more = get_args(kind)
            metadata = [*metadata, *more]
        elif get_origin(kind) in (Union, UnionType):
            kind = next(choice for choice in get_args(kind) if choice is not type(None))
        else:
            return kind, metadata, default


def _describe_expected(kind: Any, metadata: Sequence[Any], default: Any) -> str:
    for constraint in metadata:
        if isinstance(constraint, Expected):
            return constraint.text
    least = next((constraint.ge for constraint in metadata if hasattr(constraint, "ge")), None)
    most = next((constraint.le for constraint in metadata if hasattr(constraint, "le")), None)
    bounds = f" from {least:g} to {most:g}" if most is not None else f" of at least {least:g}" if least else ""
    example = f", such as {default:g}" if kind in (int, float) and isinstance(default, (int, float)) else ""
    return f"{_NOUNS.get(kind, 'a value')}{bounds}{example}"


def _format_value(value: Any, loc: Sequence[int | str]) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (dict, list, tuple)):  # what is in it may be a secret
        return "a mapping" if isinstance(value, dict) else "a list"
    return "nothing" if value is None else repr(redact({str(loc[-1]) if loc else "": value}).popitem()[1])
