"""KIP-649's requests and responses as JSON, to and from the contract's documents. No input or output.

Field names are those of the KIP's message schemas, as Kafka's own JSON converters write them.
"""

from collections.abc import Sequence
from typing import Any

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import InputError
from warden.enforce.service.wire_schemas import MAX_ENTRIES
from warden.policy.contract.decision import Decision, Document

__all__ = [
    "decode_alter",
    "decode_client",
    "decode_describe",
    "decode_resolve",
    "encode_alter",
    "encode_describe",
    "encode_error",
    "encode_in_force",
    "encode_resolve",
]

_TYPES = {"user": "user", "client-id": "clientId"}
_FIELDS = {field: kind for kind, field in _TYPES.items()}
_WORDS = {
    str: "a string",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    None: "null",
}
_NONE, _INVALID_REQUEST = 0, 42

_SOFTWARE = {"supportedConfigs": (list, None), "softwareName": str, "softwareVersion": str}
_CLIENT = {"kind": str, "static": dict}


def decode_describe(body: Any) -> dict[str, Any]:
    """Return the request of ``DescribeClientConfigs`` for one of the KIP's, in which a client may resolve itself.

    Raises:
        InputError: A field is missing, unknown or of another type; the message names it.
    """
    optional = {"strict": bool, "resolveEntity": bool, **_SOFTWARE}
    fields = _check_fields(body, "the request", {"components": list}, optional)
    for number, component in enumerate(fields["components"]):
        _check_fields(component, f"components[{number}]", {"entityType": str, "matchType": int}, {"match": (str, None)})
    return dict(fields)


def decode_resolve(body: Any, user: str) -> dict[str, Any]:
    """Return the request of ``DescribeClientConfigs`` with which a client resolves itself.

    Args:
        body: ``clientId``; what its software supports: ``supportedConfigs``, ``softwareName``, ``softwareVersion``; and
            what it is and has of its own, to hear what it is to make of the values: ``kind`` and ``static``.
        user: Who asks.

    Raises:
        InputError: A field is unknown or of another type; the message names it.
    """
    fields = _check_fields(body, "the request", {}, {"clientId": (str, None), **_SOFTWARE, **_CLIENT})
    client = fields.pop("clientId", None)
    components = [{"entityType": "user", "matchType": "exact", "match": user}]
    if client is not None:
        components.append({"entityType": "client-id", "matchType": "exact", "match": client})
    kept = {name: value for name, value in fields.items() if name not in _CLIENT}
    return {"components": components, "resolveEntity": True, **kept}


def decode_client(body: Document) -> dict[str, Any] | None:
    """Return what a client that resolves itself says of itself: ``kind`` and ``static``; None where it says nothing.

    Raises:
        InputError: One of its own configs is not a string.
    """
    for name, value in body.get("static", {}).items():
        if not isinstance(value, str):
            raise InputError(f"static: {name} is not a string")
    return {name: body[name] for name in _CLIENT if name in body} or None


def decode_alter(body: Any) -> tuple[list[dict[str, Any]], bool]:
    """Return the requests of ``AlterClientConfigs`` for one of the KIP's, and whether it is only to be validated.

    Raises:
        InputError: A field is missing, unknown or of another type, there are too many entries, or an entity stands
            twice; the message names it.
    """
    fields = _check_fields(body, "the request", {"entries": list}, {"validateOnly": bool})
    if len(fields["entries"]) > MAX_ENTRIES:
        raise InputError(f"entries: there are {len(fields['entries'])}: send {MAX_ENTRIES} at the most at a time")
    requests = [_decode_alteration(entry, f"entries[{number}]") for number, entry in enumerate(fields["entries"])]
    entities = set()
    for number, request in enumerate(requests):
        entity = frozenset(request["entity"].items())
        if entity in entities:
            raise InputError(f"entries[{number}]: the entity is named twice: name it once, with all its ops")
        entities.add(entity)
    return requests, fields.get("validateOnly", False)


def encode_describe(decision: Decision) -> dict[str, Any]:
    """Return the KIP's response to a describe; what clients registered stands in ``supportedConfigs``."""
    entries = [
        {
            "entity": _encode_entity(entry["entity"]),
            "values": _encode_values(entry["values"]),
            "supportedConfigs": entry["supportedConfigs"],
        }
        for entry in decision.document.get("entries", ())
    ]
    return {"throttleTimeMs": 0, **_encode_error_fields(decision), "entries": entries if decision.allowed else None}


def encode_resolve(decision: Decision, accepted: Document | None = None) -> dict[str, Any]:
    """Return the response to a client that resolved itself: the values in force, and what it is to make of them."""
    values = [{"key": key, "value": value} for key, value in sorted(encode_in_force(decision).items())]
    answer = {"throttleTimeMs": 0, **_encode_error_fields(decision), "values": values if decision.allowed else None}
    return answer if accepted is None else {**answer, "accepted": accepted}


def encode_in_force(decision: Decision) -> dict[str, str]:
    """Return the values in force for a client that resolved itself."""
    return {key: value for entry in decision.document.get("entries", ()) for key, value in entry["values"].items()}


def encode_alter(requests: Sequence[Document], decisions: Sequence[Decision]) -> dict[str, Any]:
    """Return the KIP's response to an alteration: of each entry its error."""
    pairs = zip(requests, decisions, strict=True)
    entries = [
        {**_encode_error_fields(decision), "entity": _encode_entity(request["entity"])} for request, decision in pairs
    ]
    return {"throttleTimeMs": 0, "entries": entries}


def encode_error(message: str, code: int = _INVALID_REQUEST, throttle_ms: int = 0) -> dict[str, Any]:
    """Return a response that is an error as a whole."""
    return {"throttleTimeMs": throttle_ms, "errorCode": code, "errorMessage": message}


def _decode_alteration(entry: Any, place: str) -> dict[str, Any]:
    fields = _check_fields(entry, place, {"entity": list, "ops": list}, {})
    entity: dict[str, str | None] = {}
    for number, component in enumerate(fields["entity"]):
        where = f"{place}.entity[{number}]"
        named = _check_fields(component, where, {"entityType": str}, {"entityName": (str, None)})
        kind = _TYPES.get(named["entityType"], named["entityType"])
        if kind in entity:
            raise InputError(f"{where}: the entity type {named['entityType']} is named twice: name each type once")
        entity[kind] = named.get("entityName")
    ops = [
        _decode_op(_check_fields(op, f"{place}.ops[{number}]", {"key": str}, {"value": (str, None), "remove": bool}))
        for number, op in enumerate(fields["ops"])
    ]
    return {"entity": entity, "ops": ops}


def _decode_op(op: Document) -> dict[str, Any]:
    if op.get("remove"):
        return {"key": op["key"], "remove": True}
    return {"key": op["key"], **({} if op.get("value") is None else {"value": op["value"]})}


def _check_fields(body: Any, place: str, required: Document, optional: Document) -> dict[str, Any]:
    if not isinstance(body, dict):
        raise InputError(f"{place} is not a JSON object: write one, in braces")
    kinds = {**required, **optional}
    if unknown := sorted(body.keys() - kinds.keys()):
        raise InputError(f"{place}: {describe_unknown('field', unknown[0], sorted(kinds))}")
    if missing := sorted(required.keys() - body.keys()):
        raise InputError(f"{place}: {missing[0]} is missing: send it")
    for name, value in body.items():
        accepted = kinds[name] if isinstance(kinds[name], tuple) else (kinds[name],)
        if not any(value is None if kind is None else type(value) is kind for kind in accepted):
            raise InputError(f"{place}: {name} is not {' or '.join(_WORDS[kind] for kind in accepted)}")
    return dict(body)


def _encode_error_fields(decision: Decision) -> dict[str, Any]:
    if decision.error is None:
        return {"errorCode": _NONE, "errorMessage": None}
    return {"errorCode": decision.error.code, "errorMessage": decision.error.message}


def _encode_entity(entity: Document) -> list[dict[str, Any]]:
    ordered = sorted(entity, key=lambda field: [*_FIELDS, field].index(field))
    return [{"entityType": _FIELDS.get(field, field), "entityName": entity[field]} for field in ordered]


def _encode_values(configs: Document) -> list[dict[str, Any]]:
    return [{"key": key, "value": value} for key, value in sorted(configs.items())]
