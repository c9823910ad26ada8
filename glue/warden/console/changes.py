"""What a decision was about: values before and after, as far as its input has them. Pure."""

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["list_changes"]

_FIELDS: Final = ("numPartitions", "replicationFactor")
_KINDS: Final = {"topic": "topics", "broker": "brokers", "group": "groups"}


def list_changes(asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what a request sets, each with ``name``, ``before`` and ``after``; None is a value that is not known.

    Args:
        asked: A decision input, as the console keeps it.
    """
    request = asked.get("request")
    if not isinstance(request, dict):
        return []
    before = _find_current(asked, request)
    changes = [
        {"name": name, "before": before.get(name), "after": request[name]} for name in _FIELDS if name in request
    ]
    configs, labels = before.get("configs"), before.get("labels")
    changes += _of_configs(request.get("configs"), configs if isinstance(configs, dict) else {})
    given = request.get("labels")
    if isinstance(given, dict):
        own = labels if isinstance(labels, dict) else {}
        changes += [{"name": f"label {name}", "before": own.get(name), "after": given[name]} for name in sorted(given)]
    return changes


def _find_current(asked: Mapping[str, Any], request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The resource as it is: of the cluster's state in the input."""
    state = asked.get("clusterState")
    for name, part in _KINDS.items():
        ones = state.get(part) if isinstance(state, dict) else None
        one = ones.get(str(request.get(name))) if isinstance(ones, dict) else None
        if isinstance(one, dict):
            return one
    return {}


def _of_configs(configs: Any, before: Mapping[str, Any]) -> list[dict[str, Any]]:
    if not isinstance(configs, dict):
        return []
    if configs.get("mode") == "incremental" and isinstance(configs.get("ops"), list):
        ops = [op for op in configs["ops"] if isinstance(op, dict)]
        return [
            {"name": str(op.get("name")), "before": before.get(str(op.get("name"))), "after": _of_op(op)} for op in ops
        ]
    entries = configs.get("entries") if configs.get("mode") == "full" else configs
    entries = entries if isinstance(entries, dict) else {}
    gone = before.keys() - entries.keys() if configs.get("mode") == "full" else set()
    return [
        *({"name": name, "before": before.get(name), "after": entries[name]} for name in sorted(entries)),
        *({"name": name, "before": before[name], "after": "its default"} for name in sorted(gone)),
    ]


def _of_op(op: Mapping[str, Any]) -> Any:
    kind, value = op.get("op"), op.get("value")
    words = {"DELETE": "its default", "APPEND": f"with {value} appended", "SUBTRACT": f"without {value}"}
    return words.get(str(kind), value)
