"""Names of what Kafka's protocol has codes for, as the contract writes them; kafka-python's enums lack the newest."""

from typing import Final

__all__ = ["ACL_OPERATIONS", "ACL_PERMISSIONS", "ACL_RESOURCES", "PATTERNS", "SCRAM_MECHANISMS", "find_name"]

ACL_RESOURCES: Final = (
    *("UNKNOWN", "ANY", "TOPIC", "GROUP", "CLUSTER", "TRANSACTIONAL_ID", "DELEGATION_TOKEN", "USER"),
)
"""``ResourceType`` by code."""

PATTERNS: Final = ("UNKNOWN", "ANY", "MATCH", "LITERAL", "PREFIXED")
"""``PatternType`` by code."""

ACL_OPERATIONS: Final = (
    *("UNKNOWN", "ANY", "ALL", "READ", "WRITE", "CREATE", "DELETE", "ALTER", "DESCRIBE", "CLUSTER_ACTION"),
    *("DESCRIBE_CONFIGS", "ALTER_CONFIGS", "IDEMPOTENT_WRITE", "CREATE_TOKENS", "DESCRIBE_TOKENS", "TWO_PHASE_COMMIT"),
)
"""``AclOperation`` by code."""

ACL_PERMISSIONS: Final = ("UNKNOWN", "ANY", "DENY", "ALLOW")
"""``AclPermissionType`` by code."""

SCRAM_MECHANISMS: Final = ("UNKNOWN", "SCRAM-SHA-256", "SCRAM-SHA-512")
"""``ScramMechanism`` by code."""


def find_name(names: tuple[str, ...], code: int) -> str:
    """Return the name of a code; one of a newer Kafka keeps its number, so that two unknown ones stay apart."""
    return names[code] if 0 <= code < len(names) else f"UNKNOWN_{code}"
