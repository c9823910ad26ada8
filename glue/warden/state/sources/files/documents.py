"""YAML and JSON documents of a file or a directory, read once the files have stopped changing."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from warden.base.errors import InputError
from warden.base.files.json_files import read_json
from warden.base.files.visible_files import iter_visible_files
from warden.base.files.yaml_files import read_yaml_documents

__all__ = ["Files", "iter_documents", "list_files", "read_stamps"]

Files = dict[Path, tuple[int, int, int]]
"""Modification time in ns, size in bytes, and inode of each file."""

_SUFFIXES = {".json", ".yaml", ".yml"}


def list_files(path: Path) -> Files:
    """Return the YAML and JSON files at a path: the file itself, or those below the directory.

    What begins with a dot is left out. Links are followed: Kubernetes mounts ConfigMaps as links into a directory
    ``..data``.

    Raises:
        InputError: It is not there, or cannot be looked into.
    """
    try:
        return read_stamps(
            [path] if path.is_file() else sorted(iter_visible_files(path, lambda file: file.suffix in _SUFFIXES))
        )
    except OSError as error:
        raise InputError(f"{error.filename or path}: cannot be read ({error.strerror}): correct the path") from error


def read_stamps(paths: Iterable[Path]) -> Files:
    """Return files with what shows that they have changed.

    Raises:
        InputError: One is not there.
    """
    try:
        statuses = {path: path.stat() for path in paths}
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read ({error.strerror}): correct the path") from error
    return {path: (status.st_mtime_ns, status.st_size, status.st_ino) for path, status in statuses.items()}


def iter_documents(files: Files) -> Iterator[tuple[Path, Any]]:
    """Yield every document of the files, with its file; empty documents are left out.

    Raises:
        InputError: A file cannot be read, or is not YAML or JSON; the text names it, and the line.
    """
    for path in files:
        if path.suffix == ".json":
            documents = [read_json(path, "a document")]
        else:
            documents = [document.value for document in read_yaml_documents(path, what="YAML file with documents")]
        yield from ((path, document) for document in documents if document is not None)
