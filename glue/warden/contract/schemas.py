"""JSON Schemas of the contract's documents, as they ship beside the policies."""

import json
from typing import Any

from warden.errors import ConfigurationError
from warden.resources import share

__all__ = ["SCHEMAS", "decision_input_schema", "read_schema"]

SCHEMAS = ("decision-input", "decision", "cluster-state", "settings", "topics", "waivers")
"""The documents that have a schema."""


def read_schema(document: str) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one of `SCHEMAS`."""
    path = share("policies") / "schemas" / f"{document.replace('-', '_')}.json"
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def decision_input_schema(operation: str) -> dict[str, Any]:
    """Return the schema of decision inputs about one operation alone.

    Raises:
        ConfigurationError: There is no such operation.
    """
    schema = read_schema("decision-input")
    request = schema["$defs"].get(operation)
    if request is None:
        names = ", ".join(sorted(schema["$defs"]))
        raise ConfigurationError(f"operation {operation} is unknown: use one of {names}")
    kept = {key: value for key, value in schema.items() if key not in {"$defs", "if", "then"}}
    fields = schema["properties"] | {"operation": {"const": operation}, "request": request}
    return kept | {"title": f"Decision input: {request['title']}", "properties": fields}
