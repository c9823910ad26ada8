"""YAML and JSON documents in a file or a directory: which files there are, whether they rest, and what is in them."""

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

from warden.errors import InputError
from warden.visible_files import visible_files

__all__ = ["Files", "files", "read_documents", "stamps"]

Files = dict[Path, tuple[int, int, int]]
"""Modification time in ns, size in bytes, and inode of each file."""

_SUFFIXES = {".json", ".yaml", ".yml"}


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc, unused-ignore]
    """YAML whose dates stay texts, as they are in JSON."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def files(path: Path) -> Files:
    """Return the YAML and JSON files at a path: the file itself, or those below the directory.

    What begins with a dot is left out. Links are followed: Kubernetes mounts ConfigMaps as links into a directory
    ``..data``.

    Raises:
        InputError: It is not there, or cannot be looked into.
    """
    try:
        return stamps([path] if path.is_file() else sorted(visible_files(path, lambda file: file.suffix in _SUFFIXES)))
    except OSError as error:
        raise InputError(f"{error.filename or path}: cannot be read ({error.strerror}): correct the path") from error


def stamps(paths: Iterable[Path]) -> Files:
    """Return files with what shows that they have changed.

    Raises:
        InputError: One is not there.
    """
    try:
        found = {path: path.stat() for path in paths}
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read ({error.strerror}): correct the path") from error
    return {path: (status.st_mtime_ns, status.st_size, status.st_ino) for path, status in found.items()}


def read_documents(found: Files) -> Iterator[tuple[Path, Any]]:
    """Yield every document of the files, with its file; empty documents are left out.

    Raises:
        InputError: A file cannot be read, or is not YAML or JSON; the text names it, and the line.
    """
    for path in found:
        try:
            text = path.read_text(encoding="utf-8")
            documents = [json.loads(text)] if path.suffix == ".json" else list(yaml.load_all(text, _Loader))
            for document in documents:
                if document is not None:
                    yield path, _as_json(document)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read ({error}): mend or remove the file") from error
        except (ValueError, yaml.YAMLError) as error:
            mark = getattr(error, "problem_mark", None)
            line = mark.line + 1 if mark else getattr(error, "lineno", 1)
            why = getattr(error, "problem", None) or getattr(error, "msg", None) or error
            raise InputError(f"{path}:{line}: not {_format(path)} ({why}): mend or remove the file") from error


def _format(path: Path) -> str:
    return "JSON" if path.suffix == ".json" else "YAML"


def _as_json(value: Any) -> Any:
    """A value of YAML as JSON has it: keys are texts, as in ``replicasAssignments: {0: [1]}``."""
    if isinstance(value, dict):
        return {_key(key): _as_json(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    if value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    raise ValueError(f"{value!r} has no place in JSON")


def _key(key: Any) -> str:
    return key if isinstance(key, str) else json.dumps(key)
