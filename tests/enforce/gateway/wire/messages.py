"""Random messages of Kafka's protocol by its own schemas, in the form of Kafka's JSON converters."""

import base64
import random
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

__all__ = ["as_json", "random_message", "tagged_names", "within", "without_defaults"]

_INTEGERS = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
_TEXTS = ("", "a", "orders.created", "ä€😀", "x" * 126, "y" * 127, "z" * 128, "\0", "\u202eé", "w" * 16_400)


def within(versions: str | None, version: int) -> bool:
    """Return whether a version is in a range as schemas write it: ``3``, ``1-3``, ``2+``, ``none``."""
    if versions in {None, "none"}:
        return False
    low, _, high = str(versions).partition("-")
    return int(low.rstrip("+")) <= version <= int(high or ("32767" if low.endswith("+") else low))


def random_message(schema: Mapping[str, Any], version: int, chance: random.Random) -> dict[str, Any]:
    """Return a message with every field of a version.

    Args:
        schema: As in the jar of Kafka's clients.
        version: The version.
        chance: Where its values come from.
    """
    structs = {one["name"]: one["fields"] for one in schema.get("commonStructs", ())}
    return _struct(schema["fields"], structs, version, chance)


def as_json(value: Any) -> Any:
    """Return a message as Kafka's converters write it, bytes and ids in base 64, but for sets of operations.

    Kafka has those as the bits of a number and the codec as a set, so that only their bytes can be compared.
    """
    match value:
        case dict():
            return {name: as_json(one) for name, one in value.items() if "operations" not in name.lower()}
        case list() | tuple():
            return [as_json(one) for one in value]
        case UUID():
            return base64.urlsafe_b64encode(value.bytes).decode().rstrip("=")
        case bytes():
            return base64.b64encode(value).decode()
        case _:
            return value


def tagged_names(fields: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the names, in JSON, of fields with a tag."""
    names = {field["name"][0].lower() + field["name"][1:] for field in fields if "tag" in field}
    return names.union(*(tagged_names(field.get("fields", ())) for field in fields))


def without_defaults(value: Any, written: Any, tagged: set[str]) -> Any:
    """Return a message without the tagged fields that Kafka's converters leave out, since they have their defaults.

    Args:
        value: The message.
        written: The same by Kafka's converter.
        tagged: Names of its fields with a tag.
    """
    if isinstance(value, dict) and isinstance(written, dict):
        kept = {name: one for name, one in value.items() if name in written or name not in tagged}
        return {name: without_defaults(one, written.get(name), tagged) for name, one in kept.items()}
    if isinstance(value, list) and isinstance(written, list) and len(value) == len(written):
        return [without_defaults(*pair, tagged) for pair in zip(value, written, strict=True)]
    return value


def _struct(fields: list[Any], structs: Mapping[str, list[Any]], version: int, chance: random.Random) -> dict[str, Any]:
    here = [field for field in fields if within(field["versions"], version)]
    return {field["name"][0].lower() + field["name"][1:]: _value(field, structs, version, chance) for field in here}


def _value(field: Mapping[str, Any], structs: Mapping[str, list[Any]], version: int, chance: random.Random) -> Any:
    if within(field.get("nullableVersions"), version) and chance.random() < 0.2:
        return None
    kind = field["type"]
    if kind.startswith("[]"):
        element = {**field, "type": kind.removeprefix("[]"), "nullableVersions": None}
        return [_value(element, structs, version, chance) for _ in range(chance.choice((0, 1, 1, 2, 3)))]
    inner = field.get("fields") or structs.get(kind)
    return _struct(inner, structs, version, chance) if inner else _scalar(kind, chance)


def _scalar(kind: str, chance: random.Random) -> Any:
    if kind in _INTEGERS:
        top = 2 ** (_INTEGERS[kind] - 1)
        return chance.choice((0, 1, -1, top - 1, -top, chance.randrange(-top, top)))
    return {
        "uint16": lambda: chance.choice((0, 1, 65535, chance.randrange(65536))),
        "bool": lambda: chance.random() < 0.5,
        "float64": lambda: chance.choice((0.0, 1.5, -1e300, 5e-324, chance.gauss(0, 9))),
        "string": lambda: chance.choice((*_TEXTS, "".join(chance.choices("abc.-_é€", k=chance.randrange(40))))),
        "bytes": lambda: base64.b64encode(chance.randbytes(chance.choice((0, 1, 127, 128, 20_000)))).decode(),
        "uuid": lambda: base64.urlsafe_b64encode(chance.randbytes(16)).decode().rstrip("="),
    }[kind]()
