"""Access control lists (DescribeAcls), keyed by principal."""

from typing import Any

from warden.sources.kafka.connection import Connection

__all__ = ["acls_of", "acls_request", "read_acls"]

_ANY = 1
# By code, as in ResourceType, PatternType, AclOperation and AclPermissionType; kafka-python's enums lack the newest.
_RESOURCE_TYPES = ("UNKNOWN", "ANY", "TOPIC", "GROUP", "CLUSTER", "TRANSACTIONAL_ID", "DELEGATION_TOKEN", "USER")
_PATTERN_TYPES = ("UNKNOWN", "ANY", "MATCH", "LITERAL", "PREFIXED")
_OPERATIONS = (
    *("UNKNOWN", "ANY", "ALL", "READ", "WRITE", "CREATE", "DELETE", "ALTER", "DESCRIBE", "CLUSTER_ACTION"),
    *("DESCRIBE_CONFIGS", "ALTER_CONFIGS", "IDEMPOTENT_WRITE", "CREATE_TOKENS", "DESCRIBE_TOKENS", "TWO_PHASE_COMMIT"),
)
_PERMISSION_TYPES = ("UNKNOWN", "ANY", "DENY", "ALLOW")


def read_acls(connection: Connection) -> dict[str, list[dict[str, str]]]:
    """Return the contract's ``acls``: every ACL under its principal, sorted.

    Raises:
        NotAvailable: The cluster has no authorizer (``SECURITY_DISABLED``), or refuses to tell.
    """
    return acls_of(connection.send(acls_request()))


def acls_request() -> Any:
    """Return the request for all ACLs."""
    from kafka.protocol.admin import DescribeAclsRequest

    return DescribeAclsRequest(
        resource_type_filter=_ANY,
        resource_name_filter=None,
        pattern_type_filter=_ANY,
        principal_filter=None,
        host_filter=None,
        operation=_ANY,
        permission_type=_ANY,
    )


def acls_of(response: Any) -> dict[str, list[dict[str, str]]]:
    """Return what a response to `acls_request` says, in the contract's form."""
    by_principal: dict[str, list[dict[str, str]]] = {}
    for resource in response.resources:
        for acl in resource.acls:
            by_principal.setdefault(acl.principal, []).append(_document(resource, acl))
    return {
        principal: sorted(by_principal[principal], key=lambda acl: tuple(acl.values()))
        for principal in sorted(by_principal)
    }


def _document(resource: Any, acl: Any) -> dict[str, str]:
    return {
        "resourceType": _name(_RESOURCE_TYPES, resource.resource_type),
        "resourceName": resource.resource_name,
        "patternType": _name(_PATTERN_TYPES, resource.pattern_type),
        "principal": acl.principal,
        "host": acl.host,
        "operation": _name(_OPERATIONS, acl.operation),
        "permissionType": _name(_PERMISSION_TYPES, acl.permission_type),
    }


def _name(names: tuple[str, ...], code: int) -> str:
    """The name of a code; one of a newer Kafka keeps its number, so that two unknown ones stay apart."""
    return names[code] if 0 <= code < len(names) else f"UNKNOWN_{code}"
