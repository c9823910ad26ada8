"""Requests about ACLs, client quotas and SCRAM credentials: what each resource is called, and its decision input."""

import math
from typing import Any

from warden.policy.adapter.fields import Malformed
from warden.policy.adapter.structs import Struct, parse_code, parse_structs, parse_text, parse_text_or_null
from warden.policy.contract.names import (
    ACL_OPERATIONS,
    ACL_PERMISSIONS,
    ACL_RESOURCE_TYPES,
    PATTERN_TYPES,
    SCRAM_MECHANISMS,
    find_name,
)

__all__ = [
    "build_acl_binding",
    "build_acl_filter",
    "build_credential",
    "build_quota",
    "identify_entity",
    "identify_user",
]

_LITERAL = 3
_ENTITIES = {"client-id": "clientId", "user": "user", "ip": "ip"}  # as Kafka prints them


def build_acl_binding(_list: str, struct: Struct) -> tuple[str, dict[str, Any]]:
    """Return a binding of CreateAcls; before version 1 its pattern is literal."""
    acl = {
        "resourceType": find_name(ACL_RESOURCE_TYPES, parse_code(struct, "resourceType")),
        "resourceName": parse_text(struct, "resourceName"),
        "patternType": find_name(
            PATTERN_TYPES, parse_code({"resourcePatternType": _LITERAL, **struct}, "resourcePatternType")
        ),
        "principal": parse_text(struct, "principal"),
        "host": parse_text(struct, "host"),
        "operation": find_name(ACL_OPERATIONS, parse_code(struct, "operation")),
        "permissionType": find_name(ACL_PERMISSIONS, parse_code(struct, "permissionType")),
    }
    return acl["resourceName"], {"acl": acl}


def build_acl_filter(_list: str, struct: Struct) -> tuple[str, dict[str, Any]]:
    """Return a filter of DeleteAcls; null is any."""
    acl = {
        "resourceType": find_name(ACL_RESOURCE_TYPES, parse_code(struct, "resourceTypeFilter")),
        "resourceName": parse_text_or_null(struct, "resourceNameFilter"),
        "patternType": find_name(
            PATTERN_TYPES, parse_code({"patternTypeFilter": _LITERAL, **struct}, "patternTypeFilter")
        ),
        "principal": parse_text_or_null(struct, "principalFilter"),
        "host": parse_text_or_null(struct, "hostFilter"),
        "operation": find_name(ACL_OPERATIONS, parse_code(struct, "operation")),
        "permissionType": find_name(ACL_PERMISSIONS, parse_code(struct, "permissionType")),
    }
    return acl["resourceName"] or "", {"acl": acl}


def build_quota(_list: str, struct: Struct) -> tuple[str, dict[str, Any]]:
    """Return an entry of AlterClientQuotas: of a type that its entity has twice the last stands, as in a broker."""
    names = {
        parse_text(part, "entityType"): parse_text_or_null(part, "entityName")
        for part in parse_structs(struct, "entity")
    }
    ordered = {type_: names[type_] for type_ in sorted(names, key=_rank)}
    name = ", ".join(f"{type_}={'null' if value is None else value}" for type_, value in ordered.items())
    entity = {_ENTITIES.get(type_, type_): value for type_, value in ordered.items()}
    return name, {"entity": entity, "ops": [_parse_quota_op(op) for op in parse_structs(struct, "ops")]}


def identify_entity(struct: Struct) -> frozenset[Any]:
    """Return what tells the entity of an entry, or of a result, from others."""
    parts = struct.get("entity") or ()
    return frozenset({part.get("entityType"): part.get("entityName") for part in parts}.items())


def identify_user(struct: Struct) -> Any:
    """Return the user of a credential, or of a result."""
    return struct.get("user", struct.get("name"))


def build_credential(list_: str, struct: Struct) -> tuple[str, dict[str, Any]]:
    """Return a deletion or an upsertion of AlterUserScramCredentials, without salt and password."""
    user = parse_text(struct, "name")
    request = {"user": user, "mechanism": find_name(SCRAM_MECHANISMS, parse_code(struct, "mechanism"))}
    if list_ == "deletions":
        return user, {**request, "remove": True}
    return user, {**request, "iterations": parse_code(struct, "iterations")}


def _rank(type_: str) -> tuple[int, str]:
    order = list(_ENTITIES)
    return (order.index(type_) if type_ in order else len(order)), type_


def _parse_quota_op(op: Struct) -> dict[str, Any]:
    key, remove = parse_text(op, "key"), op.get("remove", False)
    if not isinstance(remove, bool):
        raise Malformed("remove: must be true or false")
    value = op.get("value")
    if remove:
        return {"key": key, "remove": True}
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Malformed(f"value of {key}: must be a number")
    if isinstance(value, float) and not math.isfinite(value):  # JSON has none of these
        raise Malformed(f"value of {key}: must be a number, and not {value}")
    return {"key": key, "value": value}
