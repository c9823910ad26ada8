"""Changes of configs, in each mode: as a decision input has them, and as Kafka's requests do."""

import json
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.oracle.broker import Answer, Broker
from tests.oracle.cases.sampling import Case
from warden.policy.bundle.catalog import read_catalog

__all__ = [
    "OPS",
    "Op",
    "alter",
    "as_read",
    "boolean",
    "choose",
    "full",
    "incremental",
    "limited",
    "overrides",
    "resolved",
    "sent",
]

_CODES = {"SET": 0, "DELETE": 1, "APPEND": 2, "SUBTRACT": 3}
OPS = tuple(_CODES)
"""What can be done to a config by itself."""

Op = tuple[str, str, str | None]
"""A config's name, one of `OPS`, and the value."""


def incremental(ops: Sequence[Op]) -> dict[str, Any]:
    """Some configs, each by itself."""
    return {"mode": "incremental", "ops": [{"name": key, "op": op, "value": value} for key, op, value in ops]}


def full(entries: Mapping[str, str | None]) -> dict[str, Any]:
    """All overrides."""
    return {"mode": "full", "entries": dict(entries)}


def resolved(before: Mapping[str, str], after: Mapping[str, str | None]) -> dict[str, Any]:
    """What there is before and after, where null stands for what is removed."""
    return {"mode": "resolved", "before": dict(before), "after": dict(after)}


def sent(type_: int, name: str, change: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The request's name and its element; Kafka has no form for a resolved change, which replaces all as a full one."""
    resource = {"resourceType": type_, "resourceName": name}
    if change["mode"] == "incremental":
        ops = [{"name": op["name"], "configOperation": _CODES[op["op"]], "value": op["value"]} for op in change["ops"]]
        return "IncrementalAlterConfigs", {**resource, "configs": ops}
    entries = change["entries"] if change["mode"] == "full" else _without_null(change["after"])
    return "AlterConfigs", {**resource, "configs": [{"name": key, "value": value} for key, value in entries.items()]}


def _without_null(after: Mapping[str, str | None]) -> dict[str, str]:
    return {key: value for key, value in after.items() if value is not None}


def alter(broker: Broker, every: Sequence[Case], *, only: bool = False) -> dict[str, Answer]:
    """What the broker answers to cases that are sent as `sent` has them; ``only`` asks without doing."""
    found: dict[str, Answer] = {}
    for api in ("IncrementalAlterConfigs", "AlterConfigs"):
        found |= broker.answers(
            api,
            {case.name: (_identity(case.sent[1]), case.sent[1]) for case in every if case.sent[0] == api},
            lambda resources: {"resources": resources, "validateOnly": only},
            lambda response: (
                ((result.resource_type, result.resource_name), result.error_code, result.error_message)
                for result in response.responses
            ),
        )
    return found


def _identity(element: Mapping[str, Any]) -> tuple[int, str]:
    return element["resourceType"], element["resourceName"]


# By type of resource: the source of what is set of it, and its catalogue.
_KINDS = {2: (1, "topic"), 4: (2, "broker"), 16: (7, "clientMetrics"), 32: (8, "group")}
_OF_ALL_BROKERS = 3


def overrides(broker: Broker, resources: Sequence[tuple[int, str]]) -> dict[tuple[int, str], dict[str, str]]:
    """What is set of resources, each a type and a name, as the broker reads it and by its meaning, as `as_read`."""
    elements = [{"resourceType": type_, "resourceName": name, "configurationKeys": None} for type_, name in resources]
    fields = {"resources": elements, "includeSynonyms": False, "includeDocumentation": False}
    found = {}
    for result in broker.send("DescribeConfigs", fields).results:
        source, kind = _KINDS[result.resource_type]
        source = _OF_ALL_BROKERS if (kind, result.resource_name) == ("broker", "") else source
        rows = read_catalog(kind)["configs"]
        found[result.resource_type, result.resource_name] = {
            config.name: _plain(limited(rows.get(config.name, {}), boolean(rows.get(config.name, {}), config.value)))
            for config in result.configs
            if config.config_source == source
        }
    return found


def boolean(row: Mapping[str, Any], text: str) -> str:
    """A boolean in Kafka's own spelling: of a key that is internal the broker tells what was set."""
    return text.strip().lower() if row.get("type") == "boolean" else text


def limited(row: Mapping[str, Any], text: str) -> str:
    """What means no limit in the one form that the engine has for it."""
    if (limit := row.get("noLimit")) is None:
        return text
    none = int(text) == limit.get("at") or int(text) < limit.get("below", int(text))
    return str(limit["is"]) if none else text


def as_read(values: Mapping[str, Any]) -> dict[str, str]:
    """Values that the engine has read, as text."""
    return {
        key: _plain(
            ",".join(value) if isinstance(value, list) else value if isinstance(value, str) else json.dumps(value)
        )
        for key, value in values.items()
    }


def _plain(text: str) -> str:
    """A list with each part once, as Kafka keeps most, and a number without what Java and JSON write in two ways."""
    for read in (int, float):
        try:
            return str(read(text)).removesuffix(".0")
        except ValueError:
            continue
    return ",".join(dict.fromkeys(text.split(",")))


def choose(source: Random, ops: Sequence[Op], before: Mapping[str, str]) -> dict[str, Any]:
    """A change in any mode: the same operations, or the sets among them in place of all or of some of ``before``."""
    after = {key: value for key, op, value in ops if op == "SET"}
    kept = {key: value for key, value in before.items() if source.random() < 0.5}
    removed = {key: None for key in before if key not in kept and source.random() < 0.5}
    return source.choice([incremental(ops), full({**kept, **after}), resolved(before, {**removed, **kept, **after})])
