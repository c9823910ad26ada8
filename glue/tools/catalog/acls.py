"""Names of Kafka's enumerations that ACLs are made of: those of bindings and those of filters, read from the jars.

Sources, in the jars: ``ResourceType``, ``PatternType``, ``AclOperation``, ``AclPermissionType``, ``Resource``,
``AclEntry.supportedOperations``.
"""

from typing import Any

__all__ = ["read_acls"]

_NOT_IN_BINDINGS = {"ANY", "MATCH"}


def read_acls(jvm: Any) -> dict[str, Any]:
    """Return, for ``bindings`` and for ``filters``, the values of each field by its name in a decision input.

    With the name of the cluster as a resource, and the ``operations`` that a right to ALL contains, by resource type.
    """
    common = jvm.org.apache.kafka.common
    enumerations = {
        "resourceType": common.resource.ResourceType,
        "patternType": common.resource.PatternType,
        "operation": common.acl.AclOperation,
        "permissionType": common.acl.AclPermissionType,
    }
    filters = {field: _list_names(enumeration) for field, enumeration in enumerations.items()}
    bindings = {field: [name for name in names if name not in _NOT_IN_BINDINGS] for field, names in filters.items()}
    return {
        "bindings": bindings,
        "filters": filters,
        "cluster": str(common.resource.Resource.CLUSTER_NAME),
        "operations": {name: _list_operations(jvm, name, bindings["operation"]) for name in bindings["resourceType"]},
    }


def _list_operations(jvm: Any, resource_type: str, order: list[str]) -> list[str]:
    kind = jvm.org.apache.kafka.common.resource.ResourceType.valueOf(resource_type)
    supported = jvm.org.apache.kafka.security.authorizer.AclEntry.supportedOperations(kind)
    return sorted((str(operation.name()) for operation in supported), key=order.index)


def _list_names(enumeration: Any) -> list[str]:
    return [str(value.name()) for value in enumeration.values() if not value.isUnknown()]
