"""JSON Schemas of the contract's documents, as they ship with Warden."""

import json
from typing import Any

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import ConfigurationError
from warden.base.resources import find_shipped

__all__ = ["SCHEMAS", "build_decision_input_schema", "read_schema"]

SCHEMAS = ("decision-input", "decision", "cluster-state", "settings", "topics", "waivers")
"""The documents that have a schema."""


def read_schema(document: str) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of one of `SCHEMAS`."""
    path = find_shipped("schemas") / f"{document.replace('-', '_')}.json"
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def build_decision_input_schema(operation: str) -> dict[str, Any]:
    """Return the schema of decision inputs about one operation alone.

    Raises:
        ConfigurationError: There is no such operation.
    """
    schema = read_schema("decision-input")
    request = schema["$defs"].get(operation)
    if request is None:
        raise ConfigurationError(describe_unknown("operation", operation, sorted(schema["$defs"])))
    kept = {key: value for key, value in schema.items() if key not in {"$defs", "if", "then"}}
    fields = schema["properties"] | {"operation": {"const": operation}, "request": request}
    return kept | {"title": f"Decision input: {request['title']}", "properties": fields}
