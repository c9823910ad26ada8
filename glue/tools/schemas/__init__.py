"""JSON Schemas of the contract's documents, made by OPA from the tables that the engine checks with."""

import json
from pathlib import Path
from typing import Any

from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.opa import evaluate_opa, run_opa_json

__all__ = ["generate_schemas", "render_schema"]


def generate_schemas(opa: Path, policies: Path) -> dict[str, Any]:
    """Return each JSON Schema by the name of its file in `schemas/`.

    Args:
        opa: The OPA binary.
        policies: Directory of Rego files.

    Raises:
        BundleError: The policies do not compile.
    """
    rows = policies / "kafka" / "operations"
    inspected = run_opa_json(opa, "inspect", "--annotations", "--format", "json", str(rows))
    document = {
        "annotations": inspected["annotations"],
        "rules": read_rule_metadata(opa, policies),
        "complete": False,
    }
    arguments = ("--bundle", str(policies), "data.checks.schemas.schemas")
    schemas: dict[str, Any] = evaluate_opa(opa, *arguments, stdin=json.dumps(document))
    return schemas


def render_schema(schema: Any) -> str:
    """Return a schema as its file has it."""
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
