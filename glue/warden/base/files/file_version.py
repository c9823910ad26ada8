"""The version of a file, which changes with it and is found without reading it."""

from pathlib import Path

__all__ = ["read_file_version"]


def read_file_version(path: Path) -> tuple[int, int, int] | None:
    """Return what changes with a file's content: its inode, time and size; None where it cannot be looked at.

    Kubernetes replaces mounted files by a link to another directory, which is followed.
    """
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
