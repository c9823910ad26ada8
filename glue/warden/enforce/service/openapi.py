"""The service's paths as an OpenAPI document (3.1), with the contract's own JSON Schemas in it."""

from collections.abc import Mapping
from typing import Any, Final

from aiohttp import web

from warden.base.version import __version__
from warden.enforce.service.service import SERVICE_FIELDS
from warden.enforce.service.wire_schemas import (
    ANSWERS,
    BATCH,
    ERROR,
    REQUESTS,
    TEXT,
    Schema,
)
from warden.policy.contract.schemas import read_schema

__all__ = ["EXAMPLES", "build_openapi", "show_openapi"]


_STATUSES: Final = {
    "400": "no request: the message names the field",
    "401": "nobody has this token or certificate",
    "413": "too large",
    "415": "not JSON",
    "429": "too many requests; ask again after Retry-After",
    "503": "OPA, the cluster or its store is away, or OPA refuses the service; ask again after Retry-After",
}


_TITLES: Final = {
    "client-configs/describe": "DescribeClientConfigs of KIP-649",
    "client-configs/alter": "AlterClientConfigs of KIP-649: what is answered without an error is stored",
    "client-configs/resolve": "A client's own configs; with If-None-Match and Prefer: wait=60 their next change",
    "decide": "One decision of the contract",
    "decisions": "Many decisions of the contract",
}


_TOPIC: Final = {"topic": "orders.created", "numPartitions": 3, "replicationFactor": 3}
_USER: Final = {"entityType": "user", "entityName": "alice"}
EXAMPLES: Final[Mapping[str, Any]] = {
    "client-configs/describe": {"components": [{"entityType": "user", "matchType": 0, "match": "alice"}]},
    "client-configs/alter": {"entries": [{"entity": [_USER], "ops": [{"key": "acks", "value": "all"}]}]},
    "client-configs/resolve": {"clientId": "ledger"},
    "decide": {"operation": "CreateTopic", "request": _TOPIC},
    "decisions": {"items": {"first": {"operation": "CreateTopic", "request": _TOPIC}}},
}
"""A request of each path."""


def build_openapi() -> dict[str, Any]:
    """Return the document."""
    decision, item = read_schema("decision"), _drop_stated_fields(read_schema("decision-input"))
    requests = {**REQUESTS, "decide": item, "decisions": BATCH}
    answers = {**ANSWERS, "decide": decision, "decisions": {"type": "object", "additionalProperties": decision}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Warden", "version": __version__},
        "security": [{"token": []}, {"certificate": []}],
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "certificate": {"type": "mutualTLS"},
            },
            "schemas": {"Error": ERROR},
        },
        "paths": {f"/v1/{path}": {"post": _build_operation(path, requests[path], answers[path])} for path in requests},
    }


async def show_openapi(_request: web.Request) -> web.Response:
    """Answer with the document; anybody may read it."""
    return web.json_response(build_openapi())


def _build_operation(path: str, request: Schema, answer: Schema) -> dict[str, Any]:
    headers = ("If-None-Match", "Prefer") if path.endswith("resolve") else ()
    unchanged = {"304": {"description": "nothing has changed"}} if headers else {}
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        "operationId": path.replace("/", "-"),
        "summary": _TITLES[path],
        "parameters": [
            {"name": "cluster", "in": "query", "schema": TEXT, "description": "which, where several are served"},
            *({"name": name, "in": "header", "schema": TEXT} for name in headers),
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": request, "example": EXAMPLES[path]}},
        },
        "responses": {
            "200": {"description": "the answer", "content": {"application/json": {"schema": answer}}},
            **unchanged,
            **{status: {"description": text, "content": error} for status, text in _STATUSES.items()},
        },
    }


def _drop_stated_fields(schema: Schema) -> dict[str, Any]:
    """A decision input without what the service itself states; its references stay its own by its id."""
    fields = {name: field for name, field in schema["properties"].items() if name not in SERVICE_FIELDS}
    required = [name for name in schema["required"] if name in fields]
    return {**schema, "$id": "urn:warden:decision-input", "properties": fields, "required": required}
