"""The undo record: what each patch sets, written to the disk before the patch is sent."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from warden.base.errors import ConfigurationError, InputError
from warden.base.files.private import make_private_directory, open_private
from warden.base.timestamps import format_timestamp

__all__ = ["UndoEntry", "UndoRecord", "read_undo_entries"]


@dataclass(frozen=True)
class UndoEntry:
    """One patch.

    Args:
        time: When it was sent, RFC 3339.
        path: Of the object in the API.
        uid: Of the object.
        before: The annotations before; None for those that were not there. Of an object of a target it is the whole.
        after: The annotations that the patch sets, or the whole.
        whole: Whether an object of a target was applied.
    """

    time: str
    path: str
    uid: str
    before: Mapping[str, str | None]
    after: Mapping[str, str]
    whole: bool = False


class UndoRecord:
    """The record of one run: a file of JSON lines, made with the first patch.

    Args:
        directory: Where it is made.
        run: Part of its name, unlike any other run's.

    Raises:
        ConfigurationError: The directory cannot be made or written to.
    """

    def __init__(self, directory: Path, run: str) -> None:
        self._start = 0
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        self.path = directory / f"{stamp}-{run}.jsonl"
        try:
            make_private_directory(directory)
        except OSError as error:
            raise ConfigurationError(f"records: {directory} cannot be made ({error}): name another one") from error
        if not os.access(directory, os.W_OK):
            raise ConfigurationError(f"records: {directory} cannot be written to: name another one")

    def note(
        self,
        path: str,
        uid: str,
        before: Mapping[str, str | None],
        after: Mapping[str, str],
        *,
        whole: bool = False,
    ) -> None:
        """Write a line, and return when the disk has it; its fields are those of `UndoEntry`.

        Raises:
            OSError: It cannot be written: then the patch must not be sent.
        """
        entry = asdict(UndoEntry(format_timestamp(datetime.now(UTC)), path, uid, before, after, whole))
        if not whole:
            del entry["whole"]
        with open_private(self.path, "a") as file:
            self._start = file.tell()
            file.write(json.dumps(entry, sort_keys=True) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def withdraw(self) -> None:
        """Take the last line back: its patch was not carried out. Call it once for a `note`.

        Raises:
            OSError: It cannot be taken back.
        """
        if self._start == 0:
            self.path.unlink()
            return
        with self.path.open("r+b") as file:
            file.truncate(self._start)
            os.fsync(file.fileno())


def read_undo_entries(path: Path) -> list[UndoEntry]:
    """Return the entries of a record, the first first.

    A last line that is cut off is left out: its patch was never sent.

    Raises:
        InputError: A line is none of a record's.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error}): name an undo record") from error
    whole = lines[:-1]
    return [_parse_entry(line, f"{path}:{number}") for number, line in enumerate(whole, 1)]


def _parse_entry(line: str, where: str) -> UndoEntry:
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    fields = {"time", "path", "uid", "before", "after"}
    if not isinstance(value, dict) or value.keys() - {"whole"} != fields or not _is_sound(value):
        raise InputError(f"{where}: this is not a line of an undo record: name one that warden remediate has written")
    return UndoEntry(**value)


def _is_sound(value: Mapping[str, Any]) -> bool:
    before, after = value["before"], value["after"]
    return (
        all(isinstance(value[name], str) for name in ("time", "path", "uid"))
        and value["path"].startswith(("/api/", "/apis/"))
        and isinstance(value.get("whole", False), bool)
        and isinstance(before, dict)
        and isinstance(after, dict)
        and before.keys() == after.keys()
        and all(text is None or isinstance(text, str) for text in before.values())
        and all(isinstance(text, str) for text in after.values())
    )
