"""The gateway's tables of Kafka's protocol, made from the message schemas in the clients' jar and ``classes.yaml``."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import yaml

__all__ = ["ADDRESSED", "CLASSES", "DECODED", "make_tables", "read_classes", "read_message_schemas", "render_table"]

CLASSES = Path(__file__).with_name("classes.yaml")
ADDRESSED = ("Produce", "Fetch", "Metadata", "FindCoordinator", "DescribeCluster", "ShareFetch", "ShareAcknowledge")
"""APIs whose responses tell addresses of brokers that clients connect to."""

DECODED = tuple(
    f"{name}{kind}"
    for name in (
        "AddRaftVoter",
        "AlterReplicaLogDirs",
        "AlterShareGroupOffsets",
        "ApiVersions",
        "CreateDelegationToken",
        "DeleteGroups",
        "DeleteShareGroupOffsets",
        "DescribeDelegationToken",
        "ExpireDelegationToken",
        "OffsetCommit",
        "OffsetDelete",
        "RemoveRaftVoter",
        "RenewDelegationToken",
        "StreamsGroupHeartbeat",
        "TxnOffsetCommit",
        "UnregisterBroker",
        "UnregisterController",
    )
    for kind in ("Request", "Response")
)
"""Messages that kafka-python has no classes of, or none of the newest versions: the gateway has their schemas."""

_FOLDER = "common/message/"
_COMMENT = re.compile(r"(?m)^\s*//.*$")
_KEPT = ("name", "type", "versions", "nullableVersions", "tag", "taggedVersions", "flexibleVersions", "ignorable")
_WHOLE = (*_KEPT, "default")  # a message that is written leaves out what has its default


def read_message_schemas(jar: Path) -> dict[str, Any]:
    """Return Kafka's message schemas by name, such as ``CreateTopicsRequest``.

    Args:
        jar: ``kafka-clients-VERSION.jar``.
    """
    with ZipFile(jar) as archive:
        files = [name for name in archive.namelist() if name.startswith(_FOLDER) and name.endswith(".json")]
        schemas = [json.loads(_COMMENT.sub("", archive.read(name).decode())) for name in files]
    return {schema["name"]: schema for schema in schemas}


def make_tables(schemas: Mapping[str, Any], classes: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return the content of the gateway's tables by file name.

    Args:
        schemas: From `read_message_schemas`.
        classes: The APIs of each class.

    Raises:
        ValueError: An API is in no class or in two, or a class names one that Kafka does not have.
    """
    requests = {
        schema["name"].removesuffix("Request"): schema for schema in schemas.values() if schema["type"] == "request"
    }
    class_of: dict[str, str] = {}
    for name, apis in classes.items():
        for api in apis:
            if api in class_of or api not in requests:
                raise ValueError(f"{CLASSES.name}: {api} is {'named twice' if api in class_of else 'no API of Kafka'}")
            class_of[api] = name
    missing = sorted(requests.keys() - class_of.keys())
    if missing:
        raise ValueError(f"{CLASSES.name}: nobody has classified {', '.join(missing)}: guard, pass or refuse")
    rows = {
        str(schema["apiKey"]): {
            "name": name,
            "class": class_of[name],
            "versions": _parse_range(schema["validVersions"]),
            "flexible": None if flexible is None else flexible[0],
        }
        for name, schema in sorted(requests.items(), key=lambda item: item[1]["apiKey"])
        for flexible in [_parse_range(schema.get("flexibleVersions", "none"))]
    }
    addresses = {str(requests[name]["apiKey"]): _build_response(schemas[f"{name}Response"]) for name in ADDRESSED}
    decoded = {
        f"messages/{name}.json": schemas[name] | {"fields": list(_iter_fields(schemas[name]["fields"], {}, _WHOLE))}
        for name in DECODED
    }
    return {"apis.json": rows, "addresses.json": addresses, **decoded}


def render_table(table: Any) -> str:
    """Return a table as it is stored: an entry a line."""
    entries = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()]
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _build_response(schema: Mapping[str, Any]) -> dict[str, Any]:
    structs = {struct["name"]: struct["fields"] for struct in schema.get("commonStructs", [])}
    fields = list(_iter_fields(schema["fields"], structs))
    return {"versions": schema["validVersions"], "flexibleVersions": schema["flexibleVersions"], "fields": fields}


def _iter_fields(
    fields: list[Any], structs: Mapping[str, Any], names: Sequence[str] = _KEPT
) -> Iterator[dict[str, Any]]:
    for field in fields:
        kept = {key: field[key] for key in names if key in field}
        if field.get("default") == "null":  # what is missing: a struct has no other default
            kept["default"] = "null"
        inner = field.get("fields") or structs.get(field["type"].removeprefix("[]"))
        yield kept | ({"fields": list(_iter_fields(inner, structs, names))} if inner else {})


def _parse_range(versions: str) -> list[int] | None:
    """Return the lowest and the highest version; None for none, and a highest of 32767 where it is open."""
    if versions == "none":
        return None
    low, _, high = versions.partition("-")
    return [int(low.rstrip("+")), int(high or (32767 if low.endswith("+") else low))]


def read_classes() -> dict[str, list[str]]:
    """Return the APIs of each class, as ``classes.yaml`` has them."""
    classes: dict[str, list[str]] = yaml.safe_load(CLASSES.read_text(encoding="utf-8"))
    return classes
