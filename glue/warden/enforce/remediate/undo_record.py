"""The undo record: what each patch sets, written to the disk before the patch is sent."""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
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
        self._torn: int | None = None
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

        Of a line that cannot be written whole nothing stays.

        Raises:
            OSError: It cannot be written: then the patch must not be sent.
        """
        entry = asdict(UndoEntry(format_timestamp(datetime.now(UTC)), path, uid, before, after, whole))
        if not whole:
            del entry["whole"]
        line = json.dumps(entry, sort_keys=True) + "\n"
        with open_private(self.path, "a") as file:
            descriptor = file.fileno()  # written to directly: a file's own buffer is tried again when it is closed
            self._cut_torn_line(descriptor)
            start = self._torn = os.fstat(descriptor).st_size
            try:
                _write_to_disk(descriptor, line.encode())
                if start == 0:
                    _sync_directory(self.path.parent)
            except OSError:
                with suppress(OSError):  # tried again before the next line
                    self._cut_torn_line(descriptor)
                raise
            self._start, self._torn = start, None

    def withdraw(self) -> None:
        """Take the last line back: its patch was not carried out. Call it once for a `note`.

        Raises:
            OSError: It cannot be taken back.
        """
        if self._start == 0:
            self.path.unlink()
            _sync_directory(self.path.parent)
            return
        with self.path.open("r+b") as file:
            file.truncate(self._start)
            os.fsync(file.fileno())

    def _cut_torn_line(self, descriptor: int) -> None:
        if self._torn is not None:
            os.ftruncate(descriptor, self._torn)
            os.fsync(descriptor)
            self._torn = None


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


def _write_to_disk(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]
    os.fsync(descriptor)


def _sync_directory(directory: Path) -> None:
    """Have the disk know which files there are."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
