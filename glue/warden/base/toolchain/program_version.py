"""The version that a program stated when it was last run, kept in the per-user cache while its file stays the same."""

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from warden.base.files.private import is_own, make_private_directory, write_private

__all__ = ["remember_version"]

_NAME = "opa-version.json"


def remember_version(cache: Path, file: Sequence[str | int], ask: Callable[[], str | None]) -> str | None:
    """Return the version of a program, which is run where nothing is kept about this very file.

    One program is kept, the last. What others may write to is not believed, and where nothing can be written, nothing
    is kept.

    Args:
        cache: The directory of the per-user cache.
        file: The program's path, and what changes with its content: size, times, number.
        ask: Runs it; None where it states no version.
    """
    note = cache / _NAME
    with suppress(OSError, ValueError, LookupError, TypeError):
        if is_own(note.parent) and is_own(note):
            kept = json.loads(note.read_text(encoding="utf-8"))
            if kept["file"] == list(file):
                return str(kept["version"])
    version = ask()
    with suppress(OSError):
        if version is not None and is_own(make_private_directory(note.parent)):
            written = note.with_name(f".{_NAME}.{os.getpid()}")
            write_private(written, json.dumps({"file": list(file), "version": version}))
            written.replace(note)
    return version
