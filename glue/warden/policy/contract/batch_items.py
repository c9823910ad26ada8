"""Items of a batch, as they are decided. Pure."""

from typing import Any

__all__ = ["merge_objects"]


def merge_objects(under: Any, over: Any) -> Any:
    """Return an item laid over what its batch shares, as Rego's ``object.union`` does it for the policy.

    Args:
        under: What the batch shares.
        over: The item.
    """
    if not isinstance(under, dict) or not isinstance(over, dict):
        return over
    both = {name: merge_objects(under[name], value) if name in under else value for name, value in over.items()}
    return {**under, **both}
