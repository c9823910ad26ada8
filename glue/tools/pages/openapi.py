"""OPA's REST API as far as Warden's callers need it: an OpenAPI document (3.1), made from the JSON Schemas."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from warden.base.version import __version__

__all__ = ["render_openapi"]

_NOTE = "# Made by `python -m tools.pages`: change the schemas in schemas/, or glue/tools/pages/openapi.py, instead.\n"
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_ABOUT: Final = """\
The decisions of Warden's policy, as an OPA with Warden's bundle and deploy/opa-config.yaml answers about them.
OPA has more paths, which the contract (docs/reference/contract.md) names; docs/reference/rest.md shows how these are
called. Who calls the service (`warden serve`) in place of OPA finds its paths at its /openapi.json.
"""
_UNDECIDED: Final = "Without `result` nothing was decided; it must never be read as allowed."
_FLAGS: Final = {
    "pretty": "Print the answer with indents.",
    "metrics": "Say in `metrics` what the decision cost.",
    "provenance": "Say in `provenance` which OPA and which bundles decided.",
}
_UNAUTHORIZED: Final = (
    "no valid token; send the query, replicator, policies or admin token in the header Authorization, as Bearer"
)
_FRONT: Final = "From the front of deploy/front alone"
# Status → what it says, and code and message of the answer where that is an Error.
_STATUSES: Final[Mapping[str, tuple[str, tuple[str, str] | None]]] = {
    "400": (
        "The body is not JSON, or larger than 4325376 bytes (packed: than 65536 once it is unpacked). OPA has no 413.",
        ("invalid_parameter", "unexpected EOF"),
    ),
    "401": (
        "There is no token, or it may not ask this, or states what it may not: OPA has no 403, the message tells.",
        ("unauthorized", _UNAUTHORIZED),
    ),
    "413": (f"{_FRONT}: the body is larger than this token may send.", None),
    "415": (
        f"{_FRONT}: the body is packed.",
        ("invalid_parameter", "the front takes no packed body: send it as it is"),
    ),
    "429": (f"{_FRONT}: too many requests or connections of this token; send it again later.", None),
    "500": (
        "Nothing was decided. OPA has no bundle yet, or the evaluation failed; OPA's log says why.",
        ("internal_error", "authorization policy missing or undefined"),
    ),
    "502": (f"{_FRONT}: OPA is not there. Nothing was decided.", None),
    "504": (f"{_FRONT}: OPA did not answer in 70 s. Nothing was decided.", None),
}
_OF_HEALTH: Final = ("429", "500", "502", "504")


class _Writer(yaml.SafeDumper):
    """Writes the same object twice where it stands twice, in place of an alias, and long texts as blocks."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _represent_text(writer: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Writer.add_representer(str, _represent_text)


def render_openapi(checkout: Path) -> str:
    """Return the document as YAML.

    Args:
        checkout: Directory that holds ``schemas`` and ``docs``.
    """
    example = _read(checkout / "docs/examples/create-topic.json")
    document = {
        "openapi": "3.1.0",
        "jsonSchemaDialect": _DIALECT,
        "info": {
            "title": "Warden's decisions over OPA's REST API",
            "version": __version__,
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
            "description": _ABOUT,
        },
        "servers": [
            {"url": "http://127.0.0.1:8181", "description": "OPA of `warden opa run`, or the address of yours"}
        ],
        "security": [{"token": []}],
        "paths": {
            "/v1/data/kafka/decision": {"post": _build_decide_operation(example)},
            "/v1/data/kafka/decisions": {"post": _build_decide_many_operation(example)},
            "/health": {"get": _build_health_operation()},
        },
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The query token (WARDEN_OPA_QUERY_TOKEN), or a caller's own token or JWT.",
                }
            },
            "schemas": {**_build_own_schemas(), **_read_contract_schemas(checkout / "schemas")},
        },
    }
    dumped = yaml.dump(document, Dumper=_Writer, sort_keys=False, allow_unicode=True, width=120)
    return f"{_NOTE}{dumped}"


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _build_decide_operation(example: Any) -> dict[str, Any]:
    about = f"Whether a change is allowed, and which rules it breaks. {_UNDECIDED}"
    return _build_operation("decide", "One decision", about, ("DecisionInput", "Decision"), {"input": example})


def _build_decide_many_operation(example: Any) -> dict[str, Any]:
    about = f"Each item is merged over `common`; the answer has exactly the same keys. {_UNDECIDED}"
    common = {name: value for name, value in example.items() if name != "request"}
    narrow = {**example["request"], "numPartitions": 6}
    batch = {"items": {"wide": {"request": example["request"]}, "narrow": {"request": narrow}}, "common": common}
    return _build_operation("decideMany", "Many decisions", about, ("Batch", "Decisions"), {"input": batch})


def _build_operation(id: str, summary: str, about: str, schemas: tuple[str, str], example: Any) -> dict[str, Any]:
    input, result = schemas
    request = {"type": "object", "properties": {"input": _build_ref(input)}, "required": ["input"]}
    answer = {
        "type": "object",
        "properties": {"result": _build_ref(result), **_BESIDE_RESULT},
        "required": ["decision_id"],
    }
    return {
        "operationId": id,
        "summary": summary,
        "description": about,
        "parameters": [_build_flag(name, text) for name, text in _FLAGS.items()],
        "requestBody": {"required": True, "content": {"application/json": {"schema": request, "example": example}}},
        "responses": {
            "200": {
                "description": "What was decided, allowed or denied.",
                "content": {"application/json": {"schema": answer}},
            },
            **{status: _build_error(status) for status in _STATUSES},
        },
    }


_BESIDE_RESULT: Final = {
    "decision_id": {"type": "string", "description": "Under which the decision stands in OPA's decision log."},
    "warning": {"type": "object", "description": "Of OPA, as where `input` is missing."},
    "metrics": {"type": "object"},
    "provenance": {"type": "object"},
}


def _build_health_operation() -> dict[str, Any]:
    well = {"type": "object", "maxProperties": 0}
    flags = {
        "bundles": "Whether the bundle is there.",
        "plugins": "Whether OPA's plugins are ready too.",
    }
    return {
        "operationId": "health",
        "summary": "Liveness, and with `?bundles&plugins` readiness",
        "description": "Without a token. Until the first bundle is there, 500 with either.",
        "security": [],
        "parameters": [_build_flag(name, text) for name, text in flags.items()],
        "responses": {
            "200": {"description": "All is well.", "content": {"application/json": {"schema": well}}},
            **{status: _build_error(status) for status in _OF_HEALTH},
        },
    }


def _build_flag(name: str, text: str) -> dict[str, Any]:
    schema = {"type": "boolean"}
    return {"name": name, "in": "query", "description": text, "allowEmptyValue": True, "schema": schema}


def _build_error(status: str) -> dict[str, Any]:
    text, error = _STATUSES[status]
    if error is None:  # nginx writes a page of its own
        return {"description": text}
    code, message = error
    content = {"schema": _build_ref("Error"), "example": {"code": code, "message": message}}
    return {"description": text, "content": {"application/json": content}}


def _build_own_schemas() -> dict[str, Any]:
    amounts = {"type": "object", "additionalProperties": {"type": "number"}}
    names = {"type": "object", "additionalProperties": {"type": "string"}}
    step = {
        "type": "object",
        "properties": {
            "secondsAgo": {"type": ["number", "null"]},
            "state": {"type": ["object", "null"]},
            "charges": amounts,
        },
    }
    return {
        "Batch": {
            "type": "object",
            "description": "Decision inputs by key.",
            "properties": {
                "items": {
                    "type": "object",
                    "description": "Merged over `common`, each is a DecisionInput.",
                    "additionalProperties": _build_ref("DecisionInputFields"),
                },
                "common": _build_ref("DecisionInputFields"),
                "order": {
                    "type": "array",
                    "description": "Every key once: these are the items of one request, and count together.",
                    "items": {"type": "string"},
                },
                "requests": {**names, "description": "With `order`: the name of each item's request, of several."},
                "changes": {
                    "type": "object",
                    "description": "From trusted callers alone: by topic, what the state does not show yet.",
                    "additionalProperties": {"type": "array", "items": step},
                },
            },
            "required": ["items"],
            "additionalProperties": False,
        },
        "Decisions": {"type": "object", "additionalProperties": _build_ref("Decision")},
        "Error": {
            "type": "object",
            "properties": {"code": {"type": "string"}, "message": {"type": "string"}, "errors": {"type": "array"}},
            "required": ["code", "message"],
        },
    }


def _read_contract_schemas(directory: Path) -> dict[str, Any]:
    """The contract's schemas; what one of them has under ``$defs`` stands beside it, as ``CreateTopicRequest``."""
    read = _read(directory / "decision_input.json")
    requests = read.pop("$defs")
    input = _move_references(read)
    fields = {name: _build_ref(f"DecisionInput/properties/{name}") for name in input["properties"]}
    parts = {
        "DecisionInput": input,
        "DecisionInputFields": {
            "description": "Some fields of a decision input.",
            "type": "object",
            "properties": fields,
            "additionalProperties": False,
        },
        "Decision": _read(directory / "decision.json"),
        **{f"{name}Request": schema for name, schema in requests.items()},
    }
    return {name: {key: value for key, value in schema.items() if key != "$schema"} for name, schema in parts.items()}


def _move_references(node: Any) -> Any:
    if isinstance(node, dict):
        return {
            key: _move_reference(value) if key == "$ref" else _move_references(value) for key, value in node.items()
        }
    return [_move_references(item) for item in node] if isinstance(node, list) else node


def _move_reference(reference: str) -> str:
    return f"#/components/schemas/{reference.removeprefix('#/$defs/')}Request"


def _build_ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
