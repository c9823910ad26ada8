"""Groups by the topics that they read. Pure."""

from collections.abc import Mapping
from typing import Any

__all__ = ["consumers_of"]


def consumers_of(
    groups: Mapping[str, Mapping[str, Any]], assigned: Mapping[str, set[str]] | None = None
) -> dict[str, dict[str, Any]]:
    """Return the contract's ``consumers``: for each topic the groups that committed offsets of it, or read it now.

    Args:
        groups: The contract's ``groups``.
        assigned: Topics by group that its members read now, whether or not they commit.
    """
    found: dict[str, dict[str, Any]] = {}
    for name, group in groups.items():
        rest = {key: value for key, value in group.items() if key != "offsets"}
        for topic in sorted(group["offsets"].keys() | (assigned or {}).get(name, set())):
            found.setdefault(topic, {})[name] = {**rest, "offsets": dict(group["offsets"].get(topic, {}))}
    return dict(sorted(found.items()))
