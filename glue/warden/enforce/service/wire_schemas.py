"""JSON Schemas of KIP-649's requests and responses, as the module `wire` reads and writes them."""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["ANSWERS", "BATCH", "ERROR", "MAX_ENTRIES", "REQUESTS", "TEXT", "Schema", "build_closed_object"]

Schema = Mapping[str, Any]

MAX_ENTRIES: Final = 10_000
"""How many entities one request may alter."""


def build_closed_object(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> dict[str, Any]:
    """Return the schema of an object with these fields and no other."""
    fields = {**required, **(optional or {})}
    return {"type": "object", "properties": fields, "required": sorted(required), "additionalProperties": False}


def _build_list(items: Schema) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT: Final[dict[str, Any]] = {"type": "string"}
"""The schema of a text."""
_NULLABLE: Final[dict[str, Any]] = {"type": ["string", "null"]}
_NUMBER: Final[dict[str, Any]] = {"type": "integer"}
_FLAG: Final[dict[str, Any]] = {"type": "boolean"}
_TEXTS: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": {"type": "object", "additionalProperties": _build_list(TEXT)},
}
_STRINGS: Final[dict[str, Any]] = {"type": "object", "additionalProperties": TEXT}
_SOFTWARE: Final[dict[str, Any]] = {
    "supportedConfigs": {"type": ["array", "null"], "items": TEXT},
    "softwareName": TEXT,
    "softwareVersion": TEXT,
}
_ACCEPTED: Final[dict[str, Any]] = build_closed_object(
    {"configs": _STRINGS, "accepted": _STRINGS, "ignored": _STRINGS}, {"notes": _STRINGS}
)
_ENTITY: Final[dict[str, Any]] = _build_list(build_closed_object({"entityType": TEXT}, {"entityName": _NULLABLE}))
_VALUES: Final[dict[str, Any]] = _build_list(build_closed_object({"key": TEXT, "value": TEXT}))
_ERROR: Final[dict[str, Any]] = {"errorCode": _NUMBER, "errorMessage": _NULLABLE}
_THROTTLE: Final[dict[str, Any]] = {"throttleTimeMs": _NUMBER}

ERROR: Final[dict[str, Any]] = build_closed_object(_THROTTLE | _ERROR)
"""The schema of an answer that is an error as a whole."""

REQUESTS: Final[Mapping[str, dict[str, Any]]] = {
    "client-configs/describe": build_closed_object(
        {
            "components": _build_list(
                build_closed_object({"entityType": TEXT, "matchType": _NUMBER}, {"match": _NULLABLE})
            )
        },
        {"strict": _FLAG, "resolveEntity": _FLAG, **_SOFTWARE},
    ),
    "client-configs/alter": build_closed_object(
        {
            "entries": {
                **_build_list(
                    build_closed_object(
                        {
                            "entity": _ENTITY,
                            "ops": _build_list(
                                build_closed_object({"key": TEXT}, {"value": _NULLABLE, "remove": _FLAG})
                            ),
                        }
                    )
                ),
                "maxItems": MAX_ENTRIES,
            }
        },
        {"validateOnly": _FLAG},
    ),
    "client-configs/resolve": build_closed_object(
        {},
        {
            "clientId": _NULLABLE,
            **_SOFTWARE,
            "kind": TEXT,
            "static": _STRINGS,
        },
    ),
}
"""The schemas of the KIP's requests by path."""

BATCH: Final[dict[str, Any]] = build_closed_object(
    {"items": {"type": "object", "additionalProperties": {"type": "object"}}},
    {"common": {"type": "object"}, "order": _build_list(TEXT)},
)
"""The schema of a request for many decisions; `order` has the key of each item once."""

ANSWERS: Final[Mapping[str, dict[str, Any]]] = {
    "client-configs/describe": build_closed_object(
        _THROTTLE
        | _ERROR
        | {
            "entries": {
                "type": ["array", "null"],
                "items": build_closed_object({"entity": _ENTITY, "values": _VALUES, "supportedConfigs": _TEXTS}),
            }
        }
    ),
    "client-configs/alter": build_closed_object(
        _THROTTLE | {"entries": _build_list(build_closed_object(_ERROR | {"entity": _ENTITY}))}
    ),
    "client-configs/resolve": build_closed_object(
        _THROTTLE | _ERROR | {"values": {**_VALUES, "type": ["array", "null"]}}, {"accepted": _ACCEPTED}
    ),
}
"""The schemas of the responses by path."""
