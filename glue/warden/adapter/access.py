"""Requests about ACLs, client quotas and SCRAM credentials: what each resource is called, and its decision input."""

from collections.abc import Mapping
from typing import Any

from warden.adapter.fields import Malformed
from warden.contract.names import (
    ACL_OPERATIONS,
    ACL_PERMISSIONS,
    ACL_RESOURCES,
    PATTERNS,
    SCRAM_MECHANISMS,
    name_of,
)

__all__ = ["acl_binding", "acl_filter", "credential", "entity_of", "quota", "user_of"]

_LITERAL = 3
_ENTITIES = {"client-id": "clientId", "user": "user", "ip": "ip"}  # as Kafka prints them
Struct = Mapping[str, Any]


def acl_binding(_list: str, struct: Struct) -> tuple[str, dict[str, Any]]:
    """Return a binding of CreateAcls; before version 1 its pattern is literal."""
    acl = {
        "resourceType": name_of(ACL_RESOURCES, _code(struct, "resourceType")),
        "resourceName": _text(struct, "resourceName"),
        "patternType": name_of(PATTERNS, _code({"resourcePatternType": _LITERAL, **struct}, "resourcePatternType")),
        "principal": _text(struct, "principal"),
        "host": _text(struct, "host"),
        "operation": name_of(ACL_OPERATIONS, _code(struct, "operation")),
        "permissionType": name_of(ACL_PERMISSIONS, _code(struct, "permissionType")),
    }
    return acl["resourceName"], {"acl": acl}


def acl_filter(_list: str, struct: Struct) -> tuple[str, dict[str, Any]]:
    """Return a filter of DeleteAcls; null is any."""
    acl = {
        "resourceType": name_of(ACL_RESOURCES, _code(struct, "resourceTypeFilter")),
        "resourceName": _text_or_null(struct, "resourceNameFilter"),
        "patternType": name_of(PATTERNS, _code({"patternTypeFilter": _LITERAL, **struct}, "patternTypeFilter")),
        "principal": _text_or_null(struct, "principalFilter"),
        "host": _text_or_null(struct, "hostFilter"),
        "operation": name_of(ACL_OPERATIONS, _code(struct, "operation")),
        "permissionType": name_of(ACL_PERMISSIONS, _code(struct, "permissionType")),
    }
    return acl["resourceName"] or "", {"acl": acl}


def quota(_list: str, struct: Struct) -> tuple[str, dict[str, Any]]:
    """Return an entry of AlterClientQuotas: of a type that its entity has twice the last stands, as in a broker."""
    given = {_text(part, "entityType"): _text_or_null(part, "entityName") for part in _structs(struct, "entity")}
    ordered = {type_: given[type_] for type_ in sorted(given, key=_place)}
    name = ", ".join(f"{type_}={'null' if value is None else value}" for type_, value in ordered.items())
    entity = {_ENTITIES.get(type_, type_): value for type_, value in ordered.items()}
    return name, {"entity": entity, "ops": [_quota_op(op) for op in _structs(struct, "ops")]}


def entity_of(struct: Struct) -> frozenset[Any]:
    """Return what tells the entity of an entry, or of a result, from others."""
    parts = struct.get("entity") or ()
    return frozenset({part.get("entityType"): part.get("entityName") for part in parts}.items())


def user_of(struct: Struct) -> Any:
    """Return the user of a credential, or of a result."""
    return struct.get("user", struct.get("name"))


def credential(list_: str, struct: Struct) -> tuple[str, dict[str, Any]]:
    """Return a deletion or an upsertion of AlterUserScramCredentials, without salt and password."""
    user = _text(struct, "name")
    request = {"user": user, "mechanism": name_of(SCRAM_MECHANISMS, _code(struct, "mechanism"))}
    if list_ == "deletions":
        return user, {**request, "remove": True}
    return user, {**request, "iterations": _code(struct, "iterations")}


def _place(type_: str) -> tuple[int, str]:
    known = list(_ENTITIES)
    return (known.index(type_) if type_ in known else len(known)), type_


def _quota_op(op: Struct) -> dict[str, Any]:
    key, remove = _text(op, "key"), op.get("remove", False)
    if not isinstance(remove, bool):
        raise Malformed("remove: must be true or false")
    value = op.get("value")
    if remove:
        return {"key": key, "remove": True}
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Malformed("value: must be a number")
    return {"key": key, "value": value}


def _structs(struct: Struct, field: str) -> list[Struct]:
    value = struct.get(field)
    if not isinstance(value, list | tuple) or not all(isinstance(element, Mapping) for element in value):
        raise Malformed(f"{field}: must be a list of objects")
    return list(value)


def _text(struct: Struct, field: str) -> str:
    value = _text_or_null(struct, field)
    if value is None:
        raise Malformed(f"{field}: must be a string")
    return value


def _text_or_null(struct: Struct, field: str) -> str | None:
    value = struct.get(field)
    if value is not None and not isinstance(value, str):
        raise Malformed(f"{field}: must be a string or null")
    return value


def _code(struct: Struct, field: str) -> int:
    value = struct.get(field)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Malformed(f"{field}: must be an integer")
    return value
