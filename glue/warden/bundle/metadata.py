"""The rules' METADATA, as OPA reads it from the policies."""

import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from warden.bundle.opa import opa_json
from warden.errors import BundleError

__all__ = ["rule_metadata"]

_ID = re.compile(r"^#.*\bid:", re.MULTILINE)


def rule_metadata(opa: Path, policies: Path) -> dict[str, dict[str, Any]]:
    """Return the METADATA of every rule under `policies`, by rule id.

    Args:
        opa: The OPA binary.
        policies: Directory of Rego files.

    Returns:
        For each id: id, title, description, severity, operations, params (name → JSON schema), message, fix, references
        and file (path below `policies`).

    Raises:
        BundleError: A package with rules does not compile.
    """
    with TemporaryDirectory(prefix="warden-rules-") as scratch:
        tree = Path(scratch)
        _copy_packages(policies, tree)
        try:
            inspected = opa_json(opa, "inspect", "--annotations", "--format", "json", scratch)
        except BundleError as error:
            raise BundleError(str(error).replace(scratch, str(policies))) from error
    entries = (entry for entry in inspected["annotations"] if "id" in entry["annotations"].get("custom", {}))
    rules = (_rule(entry["annotations"], Path(entry["location"]["file"]).relative_to(tree)) for entry in entries)
    return {rule["id"]: rule for rule in sorted(rules, key=lambda rule: str(rule["id"]))}


def _copy_packages(policies: Path, tree: Path) -> None:
    """Copy the packages that have rules, without tests: OPA compiles what it inspects, and all of it takes seconds."""
    files = [path for path in policies.rglob("*.rego") if not path.name.endswith("_test.rego")]
    packages = {path.parent for path in files if _ID.search(path.read_text(encoding="utf-8"))}
    for path in files:
        if path.parent in packages:
            copy = tree / path.relative_to(policies)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


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
