"""The part of a cluster's state that belongs to one resource: the entries that it is looked up by.

Which those are is the column ``own`` of ``kafka/operations``; `select_resource_state` follows its paths and knows no
part by name.
"""

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["OwnPath", "resolve_path_step", "select_resource_state"]

OwnPath = Sequence[str | Mapping[str, Any]]
"""Steps into the state: a key, or what names one (``of``, ``after``, ``in``)."""


def select_resource_state(
    paths: Sequence[OwnPath], names: Mapping[str, str], state: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the part of a state that paths lead to.

    Args:
        paths: The rows of ``own``.
        names: What the resource is called in the state, such as ``user`` and ``clientId``.
        state: The contract's cluster state. What is not in it stays absent, unlike what it has without this resource.
    """
    chosen: dict[str, Any] = {}
    for path in paths:
        into, source = chosen, state
        keys = [resolve_path_step(step, names, state) for step in path]
        for key in keys[:-1]:
            if not isinstance(source.get(key), Mapping):
                break
            into, source = into.setdefault(key, {}), source[key]
        else:
            into.update({key: source[key] for key in keys[-1:] if key in source})
    return chosen


def resolve_path_step(step: str | Mapping[str, Any], names: Mapping[str, str], state: Mapping[str, Any]) -> str:
    """Return the key that a step of a path means; "" where there is none."""
    if isinstance(step, str):
        return step
    if "of" in step:
        name = names[step["of"]]
        return name.partition(step["after"])[2] if "after" in step else name
    value: Any = state
    for inner_step in step["in"]:
        value = value.get(resolve_path_step(inner_step, names, state)) if isinstance(value, Mapping) else None
    return value.strip() if isinstance(value, str) else ""
