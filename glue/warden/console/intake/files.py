"""Intake of decisions from files of JSON lines, which are followed over rotation and restart."""

import glob
import gzip
import logging
import os
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import IO, Final

from warden.base.errors import WardenError
from warden.base.process.closing import ManagedProgram
from warden.console.intake.texts import read_lines
from warden.console.store.decision_store import DecisionStore, FilePosition
from warden.console.store.stored import ClientNote, StoredDecision, to_text

__all__ = ["Intake"]

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
        self._problem: str | None = None
        self.unread = 0

    @property
    def problem(self) -> str | None:
        """Why decisions are not taken in, or not all of them; None where they are."""
        has_ended = self._thread.ident is not None and not self._thread.is_alive() and not self._stop.is_set()
        return "the thread that reads the files has ended: start the console again" if has_ended else self._problem

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

        One that cannot be read is the `problem`, and keeps no other from being read.

        Raises:
            StoreError: What was read cannot be stored; it is read again.
        """
        paths: dict[str, Path] = {}
        problems: list[str] = []
        for path in sorted(set(chain.from_iterable(map(_list_matches, self._patterns)))):
            try:
                name = self._open_file(path)
            except FileNotFoundError:
                continue  # it was renamed just now
            except OSError as error:
                problems.append(_describe(path, error))
                continue
            if name is not None:
                paths.setdefault(name, path)
            elif path in self._patterns:
                problems.append(f"{path}: not a file: name a file, or a pattern such as {path}/*.json")
        more = False
        for name, file in list(self._open.items()):
            path, has_more = paths.get(name, Path(file.name)), False
            try:
                has_more = self._read(name, path)
            except OSError as error:
                problems.append(_describe(path, error))
            if name not in paths and not has_more:  # it has another name now, which no pattern has
                self._open.pop(name).close()
            more = more or has_more
        self._report("; ".join(problems) or None)
        return more

    def _run(self) -> None:
        while not self._stop.is_set():
            more = False
            try:
                more = self.poll()
            except Exception as error:  # the store does not answer, or what nobody thought of: it is tried again
                self._report(str(error) or type(error).__name__, error)
            if not more:
                self._stop.wait(_PAUSE_SECONDS)

    def _report(self, problem: str | None, error: Exception | None = None) -> None:
        if problem is not None and problem != self._problem:
            defect = None if isinstance(error, WardenError) else error
            _LOG.warning("decisions cannot be taken in", extra={"error": problem}, exc_info=defect)
        self._problem = problem

    def _open_file(self, path: Path) -> str | None:
        """Open a file unless it is open, and return which one it is; None for a directory, a pipe and the like."""
        state = path.stat()
        if S_ISREG(state.st_mode) and _identify(state) not in self._open:
            file = open(path, "rb", opener=_open_at_once)  # noqa: SIM115 - whose like in pathlib has no opener
            state = os.fstat(file.fileno())  # another one may have the path by now
            if S_ISREG(state.st_mode) and _identify(state) not in self._open:
                self._open[_identify(state)] = file
            else:
                file.close()
        return _identify(state) if S_ISREG(state.st_mode) else None

    def _read(self, name: str, path: Path) -> bool:
        """Read what is new in a file, and return whether there may be more."""
        file, position = self._open[name], self._positions.get(name)
        size = os.fstat(file.fileno()).st_size
        if position is not None and not _is_same(file, size, position):
            position = None
        start = position.offset if position else 0
        if size == start:
            return False
        records: list[StoredDecision | ClientNote] = []
        if path.suffix != _PACKED:
            records, end = self._read_lines(file, start)
        else:
            end = size if self._read_packed(file) else start
        if end == start:
            return False
        reached = FilePosition(name, os.pread(file.fileno(), min(_HEAD, end), 0), end, to_text(str(path)))
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
        return self._parse(lines.split(b"\n")), start + len(lines) + 1

    def _read_packed(self, file: IO[bytes]) -> bool:
        """Store the decisions of a packed file, some at a time; return False where the end of the console comes first.

        One that is being written has none yet, and is read again once it has grown.
        """
        if _is_whole(file):
            for lines in _iter_packed_lines(file):
                if self._stop.is_set():
                    return False
                self._store.add(self._parse(lines))
        return True

    def _parse(self, lines: Sequence[bytes]) -> list[StoredDecision | ClientNote]:
        records, unread = read_lines(lines, self._read_owner_label())
        self.unread += unread
        return records


def _list_matches(pattern: Path) -> list[Path]:
    return [Path(path) for path in glob.glob(str(pattern))]  # noqa: PTH207 - which takes no absolute pattern


def _identify(state: os.stat_result) -> str:
    """Which file it is, whatever its name."""
    return f"{state.st_dev}:{state.st_ino}"


def _open_at_once(path: str, flags: int) -> int:
    """Open without waiting for who writes to it, should it be a pipe."""
    return os.open(path, flags | os.O_NONBLOCK)


def _describe(path: Path, error: OSError) -> str:
    return f"{to_text(str(path))}: cannot be read ({error.strerror}): let the console's user read it"


def _is_whole(file: IO[bytes]) -> bool:
    """Whether a packed file can be unpacked to its end."""
    file.seek(0)
    try:
        with gzip.open(file, "rb") as content:
            while content.read(_CHUNK):
                pass
    except (OSError, EOFError, zlib.error):
        return False
    return True


def _iter_packed_lines(file: IO[bytes]) -> Iterator[list[bytes]]:
    """The lines of a packed file, some at a time."""
    file.seek(0)
    with gzip.open(file, "rb") as content:
        lines, size = [], 0
        while line := content.readline(_MAX_LINE_BYTES):
            lines.append(line)
            size += len(line)
            if size >= _CHUNK:
                yield lines
                lines, size = [], 0
        yield lines


def _is_same(file: IO[bytes], size: int, position: FilePosition) -> bool:
    """Whether a file is the one that was read, and not cut since."""
    return size >= position.offset and os.pread(file.fileno(), len(position.head), 0) == position.head
