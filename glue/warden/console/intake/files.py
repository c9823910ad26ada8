"""Intake of decisions: files of JSON lines that are followed over rotation and restart, and uploads of OPA's."""

import glob
import gzip
import json
import logging
import os
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final

from warden.base.errors import InputError, StoreError
from warden.base.process.closing import ManagedProgram
from warden.console.intake.events import iter_decisions_and_notes
from warden.console.store.decision_store import DecisionStore, FilePosition
from warden.console.store.stored import ClientNote, StoredDecision

__all__ = ["Intake", "read_upload"]

_LOG: Final = logging.getLogger(__name__)
_PAUSE_SECONDS: Final = 0.25
_CHUNK: Final = 1 << 20  # bytes that are read, and stored, at once
_MAX_LINE_BYTES: Final = 16 << 20  # bytes of one line; a longer one is left out
_HEAD: Final = 256
_PACKED: Final = ".gz"


class Intake(ManagedProgram):
    """Follows files in a thread.

    A file is known by its inode and how it begins, so that one which was renamed is read on, one that is new under its
    name from its beginning, and one that was cut from its beginning too; what is there already is not stored again.

    Args:
        patterns: Paths, with ``*`` and ``?``.
        store: Where decisions go.
        read_owner_label: Returns the label that names a topic's owner.
    """

    def __init__(self, patterns: Sequence[Path], store: DecisionStore, read_owner_label: Callable[[], str]) -> None:
        self._patterns, self._store, self._read_owner_label = patterns, store, read_owner_label
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="intake", daemon=True)
        self._open: dict[str, IO[bytes]] = {}
        self._positions: dict[str, FilePosition] = {}
        self.problem: str | None = None
        self.unread = 0

    def start(self) -> None:
        """Start."""
        self._positions = self._store.read_positions()
        self._thread.start()

    def stop(self) -> None:
        """Stop, and close the files. May be called again."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        for file in self._open.values():
            file.close()
        self._open.clear()

    def poll(self) -> bool:
        """Look at each file once, and return whether there is more to read.

        Raises:
            StoreError: What was read cannot be stored; it is read again.
            OSError: A file cannot be read.
        """
        seen: set[str] = set()
        more = False
        for path in sorted(set(chain.from_iterable(map(_list_matches, self._patterns)))):
            try:
                file = self._open_file(path)
            except FileNotFoundError:
                continue  # it was renamed just now
            if file not in seen:
                seen.add(file)
                more = self._read(file, path) or more
        for file in self._open.keys() - seen:  # it has another name now, which no pattern has
            if not self._read(file, Path(self._positions[file].path)):
                self._open.pop(file).close()
        return more

    def _run(self) -> None:
        while not self._stop.is_set():
            more = False
            try:
                more = self.poll()
                self.problem = None
            except (OSError, StoreError) as error:
                if str(error) != self.problem:
                    _LOG.warning("decisions cannot be taken in", extra={"error": str(error)})
                self.problem = str(error)
            if not more:
                self._stop.wait(_PAUSE_SECONDS)

    def _open_file(self, path: Path) -> str:
        """Open a file unless it is open, and return which one it is."""
        stat = path.stat()
        name = f"{stat.st_dev}:{stat.st_ino}"
        if name not in self._open:
            self._open[name] = path.open("rb")
        return name

    def _read(self, name: str, path: Path) -> bool:
        """Read what is new in a file, and return whether there may be more."""
        file, position = self._open[name], self._positions.get(name)
        size = os.fstat(file.fileno()).st_size
        if position is not None and not _is_same(file, size, position):
            position = None
        start = position.offset if position else 0
        if size == start:
            return False
        if path.suffix == _PACKED:
            records, end = self._read_packed(file), size
        else:
            records, end = self._read_lines(file, start)
        if end == start:
            return False
        reached = FilePosition(name, os.pread(file.fileno(), min(_HEAD, end), 0), end, str(path))
        self._store.add(records, reached)
        self._positions[name] = reached
        return end < size

    def _read_lines(self, file: IO[bytes], start: int) -> tuple[list[StoredDecision | ClientNote], int]:
        """The decisions of whole lines, and where they end."""
        # Not `read`, whose buffer may be of before the file was cut.
        content = os.pread(file.fileno(), _CHUNK, start)
        while b"\n" not in content and len(content) < _MAX_LINE_BYTES:
            rest = os.pread(file.fileno(), _CHUNK, start + len(content))
            if not rest:
                return [], start  # the line is being written
            content += rest
        if b"\n" not in content:
            self.unread += 1
            return [], start + len(content)
        lines, _, _ = content.rpartition(b"\n")
        return list(self._parse(lines.split(b"\n"))), start + len(lines) + 1

    def _read_packed(self, file: IO[bytes]) -> list[StoredDecision | ClientNote]:
        file.seek(0)
        try:
            with gzip.open(file, "rb") as content:
                text = content.read()
        except (OSError, EOFError, zlib.error):
            return []  # it is being written, and is read again once it has grown
        return list(self._parse(text.split(b"\n")))

    def _parse(self, lines: Sequence[bytes]) -> Iterator[StoredDecision | ClientNote]:
        owner_label = self._read_owner_label()
        for line in lines:
            bare = line.strip(b" \t\r\0,[]")
            if not bare:
                continue
            try:
                yield from _list_decisions(json.loads(b"[%s]" % bare), owner_label)
            except (ValueError, RecursionError):
                self.unread += 1


def _list_matches(pattern: Path) -> list[Path]:
    return [Path(path) for path in glob.glob(str(pattern))]  # noqa: PTH207 - which takes no absolute pattern


def _is_same(file: IO[bytes], size: int, position: FilePosition) -> bool:
    """Whether a file is the one that was read, and not cut since."""
    return size >= position.offset and os.pread(file.fileno(), len(position.head), 0) == position.head


def read_upload(content: bytes, owner_label: str) -> list[StoredDecision | ClientNote]:
    """Return the decisions of a body that OPA's plugin ``decision_logs`` sends: a JSON array of events.

    Args:
        content: The body.
        owner_label: The label that names a topic's owner.

    Raises:
        InputError: It is none.
    """
    try:
        events: Any = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise InputError("the upload is not JSON: send what OPA's decision_logs plugin sends") from error
    if not isinstance(events, list):
        raise InputError("the upload is not a JSON array: send what OPA's decision_logs plugin sends")
    return _list_decisions(events, owner_label)


def _list_decisions(events: Sequence[Any], owner_label: str) -> list[StoredDecision | ClientNote]:
    return [decision for event in events for decision in iter_decisions_and_notes(event, owner_label)]
