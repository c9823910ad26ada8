"""Values of a decision input that are no configurations of a resource: of clients, quotas and ACLs."""

import copy
from collections.abc import Iterator
from typing import Any

__all__ = ["other_pairs"]

_ENUMERATIONS = ("resourceType", "patternType", "operation", "permissionType")


def other_pairs(document: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Yield name, how the two differ, both values, the decision input and the one with the other value.

    Args:
        document: A decision input, which stays as it is.
    """
    request, state = document["request"], document["clusterState"]
    for field in _ENUMERATIONS if "acl" in request else ():
        text = request["acl"][field]
        for other in {text.lower(), text.title(), text.upper()} - {text}:
            yield field, "capitals", (text, other), document, _with(document, ("request", "acl", field), other)
    for place, op in enumerate(request.get("ops", [])):
        if isinstance(op.get("value"), int):
            other = _with(document, ("request", "ops", place, "value"), float(op["value"]))
            yield op["key"], "digits", (op["value"], float(op["value"])), document, other
        elif isinstance(op.get("value"), str):
            yield from _texts(document, ("request", "ops", place, "value"), op["key"], op["value"])
    for path, key, text in _leaves(("clusterState", "clientConfigs"), state.get("clientConfigs", {})):
        yield from _texts(document, path, key, text)
    for path, key, text in _leaves(("clusterState", "staticClientConfigs"), state.get("staticClientConfigs", {})):
        yield from _texts(document, path, key, text)


def _texts(document: dict[str, Any], path: tuple[Any, ...], key: str, text: str) -> Iterator[Any]:
    others = [("blanks", f" {text}"), ("blanks", f"{text}\t")]
    if key == "acks":
        others += [("name", {"all": "-1", "-1": "all"}[text])] if text in ("all", "-1") else []
    elif text.isdigit():
        others += [("digits", f"+{text}"), ("digits", f"00{text}")]
    for how, other in others:
        yield key, how, (text, other), document, _with(document, path, other)


def _leaves(path: tuple[Any, ...], value: Any) -> Iterator[tuple[tuple[Any, ...], str, str]]:
    for key, inner in value.items():
        if isinstance(inner, dict) and key != "supported.configs":
            yield from _leaves((*path, key), inner)
        elif isinstance(inner, str) and key != "group.id":
            yield (*path, key), key, inner


def _with(document: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(document)
    there: Any = changed
    for part in path[:-1]:
        there = there[part]
    there[path[-1]] = value
    return changed
