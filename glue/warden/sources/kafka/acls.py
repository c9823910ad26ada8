"""Access control lists (DescribeAcls), keyed by principal."""

from typing import Any

from warden.contract.names import ACL_OPERATIONS, ACL_PERMISSIONS, ACL_RESOURCES, PATTERNS, name_of
from warden.sources.kafka.connection import Connection

__all__ = ["acls_of", "acls_request", "read_acls"]

_ANY = 1


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
        "resourceType": name_of(ACL_RESOURCES, resource.resource_type),
        "resourceName": resource.resource_name,
        "patternType": name_of(PATTERNS, resource.pattern_type),
        "principal": acl.principal,
        "host": acl.host,
        "operation": name_of(ACL_OPERATIONS, acl.operation),
        "permissionType": name_of(ACL_PERMISSIONS, acl.permission_type),
    }
