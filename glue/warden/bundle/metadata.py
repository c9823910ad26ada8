"""The rules' METADATA, as OPA reads it from the policies."""

from pathlib import Path
from typing import Any

from warden.bundle.opa import opa_json

__all__ = ["rule_metadata"]


def rule_metadata(opa: Path, policies: Path) -> dict[str, dict[str, Any]]:
    """Return the METADATA of every rule under `policies`, by rule id.

    Args:
        opa: The OPA binary.
        policies: Directory of Rego files.

    Returns:
        For each id: id, title, description, severity, operations, params (name → JSON schema), message, fix, references
        and file (path below `policies`).
    """
    inspected = opa_json(opa, "inspect", "--annotations", "--format", "json", str(policies))
    entries = (entry for entry in inspected["annotations"] if "id" in entry["annotations"].get("custom", {}))
    rules = (_rule(entry["annotations"], Path(entry["location"]["file"]).relative_to(policies)) for entry in entries)
    return {rule["id"]: rule for rule in sorted(rules, key=lambda rule: str(rule["id"]))}


def _rule(annotation: dict[str, Any], file: Path) -> dict[str, Any]:
    references = [resource["ref"] for resource in annotation.get("related_resources", [])]
    return {
        "title": annotation.get("title", ""),
        "description": annotation.get("description", ""),
        "references": references,
        "params": {},
        "file": file.as_posix(),
        **annotation["custom"],
    }
