"""Kafka's messages as JSON, on kafka-python's protocol classes, which no other module of the gateway knows.

A message is a mapping as Kafka's own JSON converters write it (camelCase, the fields of its version), but for bytes and
ids, which stay as they are.
"""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from warden.enforce.gateway.wire.apis import APIS

__all__ = ["DecodedMessage", "Undecodable", "decode", "encode"]

_MODULES = (
    "admin.topics",
    "admin.configs",
    "admin.acl",
    "admin.client_quotas",
    "admin.cluster",
    "admin.users",
    "metadata.metadata",
    "metadata.api_versions",
    "sasl",
)


class Undecodable(Exception):
    """Raised where a message cannot be decoded or encoded; the text says no more than where it was."""


@dataclass(frozen=True, slots=True)
class DecodedMessage:
    """A message and whether it is all there is.

    Args:
        fields: The message.
        exact: Whether encoding it gives the very bytes it was decoded from, or these and zeros: librdkafka puts one
            after some messages, which brokers pass over. Where it does not (a tagged field that nobody here knows), the
            message says less than the bytes.
    """

    fields: dict[str, Any]
    exact: bool


def decode(key: int, version: int, kind: str, body: bytes) -> DecodedMessage:
    """Return a message.

    Args:
        key: The number of its API.
        version: Its version.
        kind: ``Request`` or ``Response``.
        body: The bytes after the head.

    Raises:
        Undecodable: It is no such message.
    """
    try:
        message = _find_class(key, kind).decode(body, version=version)
        encoded = _encode_message(message)
        rest = body[len(encoded) :]
        return DecodedMessage(_to_json(message, version), body.startswith(encoded) and not rest.strip(b"\0"))
    except Exception as error:  # the library has no class of errors for what it cannot read
        raise Undecodable(
            f"{APIS[key].name} v{version}: the {kind.lower()} cannot be decoded ({type(error).__name__})"
        ) from None


def encode(key: int, version: int, kind: str, fields: Mapping[str, Any]) -> bytes:
    """Return the bytes of a message without its head; a field that is missing has its default.

    Raises:
        Undecodable: There is no such message.
    """
    try:
        return _encode_message(_from_json(_find_class(key, kind), fields, version))
    except Exception as error:
        raise Undecodable(
            f"{APIS[key].name} v{version}: the {kind.lower()} cannot be encoded ({type(error).__name__})"
        ) from None


@cache
def _find_class(key: int, kind: str) -> Any:
    from kafka.protocol.api_message import ApiMessage

    name = f"{APIS[key].name}{kind}"
    modules = (importlib.import_module(f"kafka.protocol.{module}") for module in _MODULES)
    class_ = next((getattr(module, name) for module in modules if hasattr(module, name)), ApiMessage)
    if not (resources.files("warden.enforce.gateway.wire.messages") / f"{name}.json").is_file():
        return class_
    # Without a class there, or one of the newest version: Kafka's own schema, as `tools.gateway` took it from the jar.
    # The library takes it for its own connections too: a class that it has stays the base, with what that mends.
    return type(ApiMessage)(name, (class_,), {"__slots__": ()}, load_json="warden.enforce.gateway.wire.messages")


def _encode_message(message: Any) -> bytes:
    from kafka.protocol.api_message import ApiMessage

    # Past the overrides of some classes, which mend what their callers leave out.
    return bytes(ApiMessage.encode(message))


def _get_json_name(field: Any) -> str:
    name: str = field._name  # noqa: SLF001 - the schema's own name is kept nowhere else
    return name[:1].lower() + name[1:]


def _list_fields(owner: Any, version: int) -> list[Any]:
    return [field for field in owner._struct.fields.values() if field.for_version_q(version)]  # noqa: SLF001 - as above


def _is_number(field: Any) -> bool:
    """Return whether a field has no null: the library makes None of zero ids, and of rights that were not requested."""
    return field._type_str in ("uuid", "bitfield")  # noqa: SLF001 - as above


def _to_json(message: Any, version: int) -> dict[str, Any]:
    fields = {}
    for field in _list_fields(message, version):
        value = getattr(message, field.name)
        if value is None:
            if not (field.nullable_for_version_q(version) or _is_number(field)):
                raise ValueError  # the library takes null for any text and any list
        elif field.is_struct():
            value = _to_json(value, version)
        elif field.is_struct_array():
            value = [_to_json(element, version) for element in value]
        elif isinstance(value, memoryview):
            value = bytes(value)
        fields[_get_json_name(field)] = value
    return fields


def _from_json(type_: Any, fields: Mapping[str, Any], version: int) -> Any:
    values = {}
    for field in _list_fields(type_, version):
        name = _get_json_name(field)
        if name not in fields:
            continue
        value = fields[name]
        if value is not None and field.is_struct():
            value = _from_json(field.data_class, value, version)
        elif value is not None and field.is_struct_array():
            value = [_from_json(field.data_class, element, version) for element in value]
        values[field.name] = value
    return type_(version=version, **values)
