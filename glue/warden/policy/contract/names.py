"""Names as the contract writes them: of codes of Kafka's protocol, of where requests have names, of owners' label.

kafka-python's enums lack the newest codes.
"""

from typing import Final

__all__ = [
    "ACL_OPERATIONS",
    "ACL_PERMISSIONS",
    "ACL_RESOURCE_TYPES",
    "CONFIG_RESOURCE_TYPES",
    "OWNER_LABEL",
    "PATTERN_TYPES",
    "RESOURCE_PATHS",
    "SCRAM_MECHANISMS",
    "find_name",
]

ACL_RESOURCE_TYPES: Final = (
    *("UNKNOWN", "ANY", "TOPIC", "GROUP", "CLUSTER", "TRANSACTIONAL_ID", "DELEGATION_TOKEN", "USER"),
)
"""``ResourceType`` by code."""

PATTERN_TYPES: Final = ("UNKNOWN", "ANY", "MATCH", "LITERAL", "PREFIXED")
"""``PatternType`` by code."""

ACL_OPERATIONS: Final = (
    *("UNKNOWN", "ANY", "ALL", "READ", "WRITE", "CREATE", "DELETE", "ALTER", "DESCRIBE", "CLUSTER_ACTION"),
    *("DESCRIBE_CONFIGS", "ALTER_CONFIGS", "IDEMPOTENT_WRITE", "CREATE_TOKENS", "DESCRIBE_TOKENS", "TWO_PHASE_COMMIT"),
)
"""``AclOperation`` by code."""

ACL_PERMISSIONS: Final = ("UNKNOWN", "ANY", "DENY", "ALLOW")
"""``AclPermissionType`` by code."""

CONFIG_RESOURCE_TYPES: Final = {"topic": 2, "broker": 4, "broker-logger": 8, "client-metrics": 16, "group": 32}
"""Codes of ``ConfigResource.Type``, which are not those of ``ResourceType``."""

SCRAM_MECHANISMS: Final = ("UNKNOWN", "SCRAM-SHA-256", "SCRAM-SHA-512")
"""``ScramMechanism`` by code."""

RESOURCE_PATHS: Final = (
    *("topic", "broker", "group", "resource.name", "acl.resourceName", "user", "entity.user", "entity.clientId"),
    *("transactionalId", "owner"),
)
"""Where the request of a decision input has the name of what it is about: the first of these that is there."""

OWNER_LABEL: Final = "owner"
"""The label that names a topic's owner where settings say no other (``kafka/owner_label``)."""


def find_name(names: tuple[str, ...], code: int) -> str:
    """Return the name of a code; one of a newer Kafka keeps its number, so that two unknown ones stay apart."""
    return names[code] if 0 <= code < len(names) else f"UNKNOWN_{code}"
