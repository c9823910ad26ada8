"""Access control lists (DescribeAcls), keyed by principal."""

from typing import Any

from warden.policy.contract.names import ACL_OPERATIONS, ACL_PERMISSIONS, ACL_RESOURCE_TYPES, PATTERN_TYPES, find_name
from warden.state.sources.kafka.login.connection import Connection

__all__ = ["build_acls_request", "parse_acls", "read_acls"]

_ANY = 1


def read_acls(connection: Connection) -> dict[str, list[dict[str, str]]]:
    """Return the contract's ``acls``: every ACL under its principal, sorted.

    Raises:
        NotDisclosed: The cluster has no authorizer (``SECURITY_DISABLED``), or refuses to tell.
    """
    return parse_acls(connection.send(build_acls_request()))


def build_acls_request() -> Any:
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


def parse_acls(response: Any) -> dict[str, list[dict[str, str]]]:
    """Return what a response to `build_acls_request` says, in the contract's form."""
    by_principal: dict[str, list[dict[str, str]]] = {}
    for resource in response.resources:
        for acl in resource.acls:
            by_principal.setdefault(acl.principal, []).append(_encode_acl(resource, acl))
    return {
        principal: sorted(by_principal[principal], key=lambda acl: tuple(acl.values()))
        for principal in sorted(by_principal)
    }


def _encode_acl(resource: Any, acl: Any) -> dict[str, str]:
    return {
        "resourceType": find_name(ACL_RESOURCE_TYPES, resource.resource_type),
        "resourceName": resource.resource_name,
        "patternType": find_name(PATTERN_TYPES, resource.pattern_type),
        "principal": acl.principal,
        "host": acl.host,
        "operation": find_name(ACL_OPERATIONS, acl.operation),
        "permissionType": find_name(ACL_PERMISSIONS, acl.permission_type),
    }
