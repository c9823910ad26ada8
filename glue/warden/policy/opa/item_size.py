"""The largest decision input. OPA's time grows with it, and nothing that Kafka takes needs as much.

What inputs share is not counted: the state of a cluster is as large as the cluster.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["MAX_BODY_BYTES", "MAX_ITEM_BYTES", "MAX_PART_BYTES", "check_item_size", "find_size_problem", "measure_json"]

MAX_ITEM_BYTES: Final = 4 * 1024 * 1024
"""Bytes of JSON that an item has at most where nobody chooses another limit."""

MAX_BODY_BYTES: Final = MAX_ITEM_BYTES + 128 * 1024
"""Bytes of a request that OPA reads as shipped: ``server.decoding.max_length`` of `opa-config.yaml`."""

MAX_PART_BYTES: Final = 2 * 1024 * 1024
"""Bytes of JSON in one of several requests that what is larger is sent in."""

_SHARED: Final = ("clusterState", "clusters")


def find_size_problem(items: Mapping[str, Mapping[str, Any]], most: int) -> str | None:
    """Return what is wrong with the first of some items that is too large; None where none is.

    Args:
        items: Decision inputs, each under what to call it.
        most: Bytes of JSON.
    """
    for name, item in items.items():
        own = {key: value for key, value in item.items() if key not in _SHARED}
        if problem := check_item_size(name, len(json.dumps(own, separators=(",", ":"))), most):
            return problem
    return None


def check_item_size(name: str, size: int, most: int) -> str | None:
    """Return that an item of some bytes is larger than allowed; None where it is not.

    Args:
        name: What to call it.
        size, most: Bytes of JSON.
    """
    if size <= most:
        return None
    return f"{name} has {size:,} bytes of JSON, more than the {most:,} that are sent to OPA: nothing was decided"


def measure_json(document: object) -> int:
    """Return the bytes that a document has in a list or an object of a request, with its comma."""
    return len(json.dumps(document, separators=(",", ":"))) + 1
