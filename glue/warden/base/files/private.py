"""Directories and files that only this user may read, from the first byte and whatever the umask."""

import os
import stat
from pathlib import Path
from typing import IO, Literal

__all__ = ["is_own", "make_private_directory", "open_private", "write_private"]


def make_private_directory(path: Path) -> Path:
    """Return a directory, which is made with mode 0700 where there is none, as are those that are missing above it.

    Raises:
        OSError: It cannot be made, or something else has its name.
    """
    missing = [above for above in path.parents if not above.exists()]
    for directory in (*reversed(missing), path):
        directory.mkdir(mode=0o700, exist_ok=True)  # a umask takes rights away, and never gives any
    return path


def is_own(path: Path) -> bool:
    """Return whether a file or directory is this user's and nobody else may write to it.

    Raises:
        OSError: It is not there.
    """
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def open_private(path: Path, mode: Literal["w", "a"] = "w") -> IO[str]:
    """Open a text file for writing or appending; one that is made gets mode 0600."""
    return open(path, mode, encoding="utf-8", opener=_open_for_owner)


def write_private(path: Path, text: str) -> None:
    """Write a file anew; one that is made gets mode 0600."""
    with open_private(path) as file:
        file.write(text)


def _open_for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
