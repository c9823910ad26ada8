"""Values before and after a decision's change, as far as its input has them. Pure."""

from collections.abc import Mapping
from typing import Any, Final

from warden.console.store.stored import STATE_KINDS, to_mapping

__all__ = ["list_changes"]

_FIELDS: Final = ("numPartitions", "replicationFactor")


def list_changes(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what a request sets, each with ``name``, ``before`` and ``after``; None is a value that is not known.

    Args:
        given: A decision input, as the console keeps it.
    """
    request = to_mapping(given.get("request"))
    before = _find_current(given, request)
    changes = [
        {"name": name, "before": before.get(name), "after": request[name]} for name in _FIELDS if name in request
    ]
    changes += _list_config_changes(request.get("configs"), to_mapping(before.get("configs")))
    if "labels" in request:
        changes += _list_label_changes(to_mapping(request["labels"]), to_mapping(before.get("labels")))
    return changes


def _list_label_changes(labels: Mapping[str, Any], before: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"name": f"label {name}", "before": before.get(name), "after": labels.get(name, "gone")}
        for name in sorted(labels.keys() | before.keys())
        if name not in labels or before.get(name) != labels[name]
    ]


def _find_current(decision_input: Mapping[str, Any], request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The resource as it is: of the cluster's state in the input."""
    state = to_mapping(decision_input.get("clusterState"))
    for name, kind in STATE_KINDS.items():
        if resource := to_mapping(to_mapping(state.get(kind)).get(str(request.get(name)))):
            return resource
    return {}


def _list_config_changes(configs: Any, before: Mapping[str, Any]) -> list[dict[str, Any]]:
    if not isinstance(configs, dict):
        return []
    if configs.get("mode") == "incremental" and isinstance(configs.get("ops"), list):
        ops = [op for op in configs["ops"] if isinstance(op, dict)]
        return [
            {"name": str(op.get("name")), "before": before.get(str(op.get("name"))), "after": _format_op(op)}
            for op in ops
        ]
    entries = configs.get("entries") if configs.get("mode") == "full" else configs
    entries = entries if isinstance(entries, dict) else {}
    gone = before.keys() - entries.keys() if configs.get("mode") == "full" else set()
    return [
        *({"name": name, "before": before.get(name), "after": entries[name]} for name in sorted(entries)),
        *({"name": name, "before": before[name], "after": "its default"} for name in sorted(gone)),
    ]


def _format_op(op: Mapping[str, Any]) -> Any:
    kind, value = op.get("op"), op.get("value")
    words = {"DELETE": "its default", "APPEND": f"with {value} appended", "SUBTRACT": f"without {value}"}
    return words.get(str(kind), value)
