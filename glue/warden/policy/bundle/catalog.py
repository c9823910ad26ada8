"""The catalogues that ship with Warden, ``data.catalog`` of a bundle."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from warden.base.resources import find_shipped

__all__ = ["read_catalog", "read_data_tree"]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's, where PyYAML was built with it: ten times faster


def read_data_tree(directory: Path) -> dict[str, Any]:
    """Return the catalogues below a directory as one document, each ``data.yaml`` at the path of its directory."""
    document: dict[str, Any] = {}
    for path in sorted(directory.rglob("data.yaml")):
        node = document
        for piece in path.parent.relative_to(directory).parts:
            node = node.setdefault(piece, {})
        node.update(yaml.load(path.read_text(encoding="utf-8"), _LOADER))  # noqa: S506 - both loaders are safe ones
    return document


@cache
def read_catalog(name: str) -> dict[str, Any]:
    """Return one of the catalogues that ship with Warden, ``data.catalog.<name>``."""
    return read_data_tree(find_shipped("bundle") / "catalog" / name)
