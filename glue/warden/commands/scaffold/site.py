"""A team's own repository: rules below ``site``, settings, waivers, declarations, and what CI runs."""

import json
from collections.abc import Iterator
from importlib.resources.abc import Traversable
from pathlib import Path

from warden.commands.scaffold.templates import locate_template, write_new
from warden.policy.contract.schemas import read_schema

__all__ = ["write_site"]

_SCHEMAS = {"settings": "settings", "topics": "topics", "decision-input": "decision-input"}


def write_site(directory: Path) -> list[Path]:
    """Write the files of a repository; return them.

    Args:
        directory: Where; it is made where it is not there.

    Raises:
        ConfigurationError: A file is there already.
    """
    texts = {directory / path: text for path, text in _iter_texts(locate_template("site"), Path())}
    for name, document in _SCHEMAS.items():
        texts[directory / "schemas" / f"{name}.schema.json"] = json.dumps(read_schema(document), indent=2) + "\n"
    write_new(texts)
    return sorted(texts)


def _iter_texts(folder: Traversable, below: Path) -> Iterator[tuple[Path, str]]:
    """Each file by its path; ``_`` in front is a dot there, and ``-test`` the ``_test`` of a kind that no wheel has."""
    for entry in sorted(folder.iterdir(), key=lambda child: child.name):
        path = below / (f".{entry.name[1:]}" if entry.name.startswith("_") else entry.name.replace("-test.", "_test."))
        if entry.is_dir():
            yield from _iter_texts(entry, path)
        else:
            yield path, entry.read_text("utf-8")
