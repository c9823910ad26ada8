"""Metadata of the rules that an OPA decides by."""

from typing import TYPE_CHECKING, Any

from warden.base.errors import OpaUndefined

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["read_rules"]


def read_rules(client: "OpaClient") -> dict[str, Any]:
    """Return the metadata of the rules by id; empty where the bundle has no catalogue of rules."""
    try:
        rules: Any = client.evaluate("catalog/rules", {})
    except OpaUndefined:
        return {}
    listed = rules.values() if isinstance(rules, dict) else rules
    return {rule["id"]: rule for rule in listed if isinstance(rule, dict) and "id" in rule}
