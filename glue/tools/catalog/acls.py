"""Names of Kafka's enumerations that ACLs are made of: those of bindings and those of filters, read from the jars.

Sources, in the jars: ``ResourceType``, ``PatternType``, ``AclOperation``, ``AclPermissionType``, ``Resource``.
"""

from typing import Any

__all__ = ["read_acls"]

_NOT_IN_BINDINGS = {"ANY", "MATCH"}


def read_acls(jvm: Any) -> dict[str, Any]:
    """Return, for ``bindings`` and for ``filters``, the values of each field by its name in a decision input."""
    common = jvm.org.apache.kafka.common
    enumerations = {
        "resourceType": common.resource.ResourceType,
        "patternType": common.resource.PatternType,
        "operation": common.acl.AclOperation,
        "permissionType": common.acl.AclPermissionType,
    }
    filters = {field: _names(enumeration) for field, enumeration in enumerations.items()}
    bindings = {field: [name for name in names if name not in _NOT_IN_BINDINGS] for field, names in filters.items()}
    return {"bindings": bindings, "filters": filters, "cluster": str(common.resource.Resource.CLUSTER_NAME)}


def _names(enumeration: Any) -> list[str]:
    return [str(value.name()) for value in enumeration.values() if not value.isUnknown()]
