"""The places of a decision input where the value of a configuration can stand."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["Put", "kind_of", "places"]

Put = Callable[[dict[str, Any], str, str | None], dict[str, Any]]
"""Returns a document with a value (None: not set) of a configuration at a place."""

_KINDS = {
    "CreateTopic": "topic",
    "AlterTopic": "topic",
    "AuditTopic": "topic",
    "DeleteRecords": "topic",
    "AlterBroker": "broker",
    "StartBroker": "broker",
    "AuditBroker": "broker",
}


def kind_of(document: dict[str, Any]) -> str | None:
    """Return the document of the catalogue that has the configurations of a decision input; None where it has none."""
    if document["operation"] == "AlterConfig":
        return {"group": "group", "client-metrics": "clientMetrics"}.get(document["request"]["resource"]["type"])
    return _KINDS.get(document["operation"])


def places(document: dict[str, Any]) -> Iterator[tuple[str, Put]]:
    """Yield the name of each place, and what puts a value there."""
    operation, request = document["operation"], document["request"]
    state = document["clusterState"]
    if operation in ("CreateTopic", "StartBroker"):
        yield "request", _setting("request", "configs")
    if operation in ("AlterTopic", "AlterBroker", "AlterConfig"):
        yield "request", _altering
    if kind_of(document) == "topic" and request["topic"] in state.get("topics", {}) and not _edits(document):
        yield "stored", _setting("clusterState", "topics", request["topic"], "configs")
    if kind_of(document) == "topic":
        yield "defaults", _setting("clusterState", "defaults")
    if kind_of(document) == "broker" and request["broker"] in state.get("brokers", {}):
        yield "stored", _stored_at_broker
    if kind_of(document) == "broker" and operation != "StartBroker":
        yield "all brokers", _setting("clusterState", "brokers", "", "configs")
    for other in sorted(set(state.get("brokers", {})) - {"", request.get("broker", "")}):
        yield f"broker {other}", _setting("clusterState", "brokers", other, "configs")
    if operation == "AlterConfig":
        resource = request["resource"]
        yield "stored", _setting("clusterState", "resourceConfigs", resource["type"], resource["name"])


def _edits(document: dict[str, Any]) -> bool:
    """Whether a change puts members into a list or takes some out, which Kafka compares letter by letter."""
    change = document["request"].get("configs", {})
    return any(op["op"] in ("APPEND", "SUBTRACT") for op in change.get("ops", []))


def _setting(*path: str) -> Put:
    def put(document: dict[str, Any], name: str, text: str | None) -> dict[str, Any]:
        changed = copy.deepcopy(document)
        there = changed
        for part in path:
            there = there.setdefault(part, {})
        if text is None:
            there.pop(name, None)
        else:
            there[name] = text
        return changed

    return put


def _altering(document: dict[str, Any], name: str, text: str | None) -> dict[str, Any]:
    """With the change that the document has already, where it is an incremental one; else with a change of its own."""
    changed = copy.deepcopy(document)
    change = changed["request"].get("configs", {})
    ops = [op for op in change.get("ops", []) if op["name"] != name]
    op = {"name": name, "op": "DELETE"} if text is None else {"name": name, "op": "SET", "value": text}
    changed["request"]["configs"] = {"mode": "incremental", "ops": [*ops, op]}
    return changed


def _stored_at_broker(document: dict[str, Any], name: str, text: str | None) -> dict[str, Any]:
    """In all that is set of the broker, and among what is dynamic where the state tells that."""
    broker = document["request"]["broker"]
    changed = _setting("clusterState", "brokers", broker, "configs")(document, name, text)
    if "dynamicConfigs" in changed["clusterState"]["brokers"][broker]:
        changed = _setting("clusterState", "brokers", broker, "dynamicConfigs")(changed, name, text)
    return changed
