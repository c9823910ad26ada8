"""JSON Patch (RFC 6902) on the request of a decision input: add, replace and remove, which is what rules use.

A path names the resource as it will be, not the form of the request: ``/configs/retention.ms`` is that config of a new
topic, and of a change that is written as operations, entries or a whole state. What stands outside the request (a
default of the cluster) can be replaced too, by writing it in.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from warden.policy.adapter.fields import Malformed

__all__ = ["apply_patch", "with_config"]

_OF_A_CHANGE = ("mode", "ops", "entries", "before", "after")


def apply_patch(request: Mapping[str, Any], operations: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a copy of a request with the operations applied in their order.

    Raises:
        Malformed: An operation is not one of the three, or its place does not exist.
    """
    result = copy.deepcopy(dict(request))
    for operation in operations:
        _apply(result, operation)
    return result


def with_config(configs: Mapping[str, Any] | None, name: str, value: str | None) -> dict[str, Any]:
    """Return configs, or a change of configs in any of its three forms, in which a config has a value.

    Args:
        configs: Of a new topic, or a change; None where the request has none.
        name: The config.
        value: Its value; None to have it neither set nor named.
    """
    current = dict(configs or {})
    match current.get("mode"), current:
        case "incremental", {"ops": list(ops)}:
            kept = [op for op in ops if op.get("name") != name]
            added = [] if value is None else [{"name": name, "op": "SET", "value": value}]
            return {**current, "ops": kept + added}
        case "full", {"entries": Mapping() as entries}:
            return {**current, "entries": _with(entries, name, value)}
        case "resolved", {"after": Mapping() as after}:
            return {**current, "after": _with(after, name, value)}
        case _:
            return _with(current, name, value)


def _with(configs: Mapping[str, Any], name: str, value: str | None) -> dict[str, Any]:
    rest = {key: text for key, text in configs.items() if key != name or value is not None}
    return rest if value is None else {**rest, name: value}


def _apply(request: dict[str, Any], operation: Mapping[str, Any]) -> None:
    kind, path = operation.get("op"), operation.get("path")
    if kind not in ("add", "replace", "remove") or not isinstance(path, str) or not path.startswith("/"):
        raise Malformed(f"{operation!r} is not an operation of a patch: use add, replace or remove with a path")
    *parents, last = [piece.replace("~1", "/").replace("~0", "~") for piece in path[1:].split("/")]
    value = None if kind == "remove" else operation.get("value")
    if parents == ["configs"] and not (last in _OF_A_CHANGE and "mode" in request.get("configs", {})):
        request["configs"] = with_config(request.get("configs", _build_empty_configs(request)), last, value)
        return
    position: Any = request
    for piece in parents:
        position = _descend(position, piece, path)
    _put(position, last, kind, value, path)


def _build_empty_configs(request: Mapping[str, Any]) -> dict[str, Any]:
    """No configs: of a change where the request is one, which its other fields tell."""
    changes = {"newAssignments", "reassignments"} & set(request)
    return {"mode": "incremental", "ops": []} if changes else {}


def _descend(position: Any, piece: str, path: str) -> Any:
    if isinstance(position, dict) and piece in position:
        return position[piece]
    if isinstance(position, list) and piece.isdecimal() and int(piece) < len(position):
        return position[int(piece)]
    raise Malformed(f"{path}: the request has no {piece!r} there")


def _put(position: Any, last: str, kind: str, value: Any, path: str) -> None:
    if isinstance(position, dict):
        if kind == "remove":
            if position.pop(last, position) is position:
                raise Malformed(f"{path}: the request has nothing there to remove")
        else:
            position[last] = value
    elif isinstance(position, list) and kind == "add" and _may_insert(last, len(position)):
        position.insert(len(position) if last == "-" else int(last), value)
    elif isinstance(position, list) and last.isdecimal() and int(last) < len(position):
        position[int(last) : int(last) + 1] = [] if kind == "remove" else [value]
    else:
        raise Malformed(f"{path}: there is no such place")


def _may_insert(index: str, length: int) -> bool:
    """Whether an item may be added to a list at an index of JSON Pointer (RFC 6902, "add")."""
    return index == "-" or (index.isdecimal() and int(index) <= length)
