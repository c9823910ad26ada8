"""The store of decisions, in SQLite or PostgreSQL: bounded in rows and age, each decision in it once."""

import threading
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Final

from warden.base.process.closing import Closing
from warden.console.store.batch import IntakeBatch, build_intake_batch
from warden.console.store.dialect import COLUMNS, Dialect
from warden.console.store.documents import pack, unpack
from warden.console.store.stored import ClientNote, StoredDecision

__all__ = ["QUERY_SECONDS", "TOO_LONG", "DecisionStore", "FilePosition", "WriteTransaction"]

QUERY_SECONDS: Final = 5.0
"""How long one query may take."""
TOO_LONG: Final = "the search takes too long: add since, or another filter"
"""What is said of one that takes longer."""

_INSERT: Final = f"INSERT INTO decisions({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - of constants
_INSERT_NOTE: Final = """INSERT INTO notes(id, prefix, client, at) VALUES (?, ?, ?, ?)
ON CONFLICT(id, prefix) DO UPDATE SET client = excluded.client, at = excluded.at"""
_APPLY_NOTE: Final = (
    "UPDATE decisions SET client = ? WHERE id = ? AND substr(item, 1, length(CAST(? AS TEXT))) = ? AND client = ''"
)
_INSERT_POSITION: Final = """INSERT INTO positions(file, head, "offset", path, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT(file) DO UPDATE SET
  head = excluded.head, "offset" = excluded."offset", path = excluded.path, at = excluded.at"""
_OLDEST: Final = "SELECT seq FROM decisions ORDER BY at, seq LIMIT ?"
_AGED: Final = "SELECT seq FROM decisions WHERE at < ? LIMIT ?"
_DAY: Final = 86_400_000  # milliseconds
_PRUNED_AT_ONCE: Final = 5000
_VALUES_AT_ONCE: Final = 500  # in one statement


@dataclass(frozen=True)
class FilePosition:
    """How far a file was read.

    Args:
        file: Which one: device and inode.
        head: Its first bytes, by which another file with the same inode is known.
        offset: Bytes that were read.
        path: Where it was.
    """

    file: str
    head: bytes
    offset: int
    path: str = ""


@dataclass
class WriteTransaction:
    """A transaction: nobody else writes until it ends, and all of it is stored or nothing.

    Args:
        read: Runs a query, and returns its rows.
        write: Runs a statement for each of some rows of values.
        rows: How many decisions there are.
        last: The highest number that a decision was given.
    """

    read: Callable[[str, Sequence[Any]], list[Any]]
    write: Callable[[str, Sequence[Sequence[Any]]], object]
    rows: int
    last: int


class DecisionStore(Closing, ABC):
    """Decisions of the last weeks. May be used by several threads.

    A batch is stored with the position of the file that it is from, or not at all, and a decision that is there is not
    stored again: whatever is killed or sent twice, each is there once.

    Args:
        max_rows: How many decisions there may be; the oldest go first.
        max_days: How many days they are kept, and how far a file was read since it was read last: what is in one that
            nobody has written to for so long is too old to be stored again.
        now: Seconds since 1970.
    """

    dialect: Dialect
    problem: str | None = None
    """Why it does not answer, as far as that is known without a query."""

    def __init__(self, max_rows: int, max_days: int, now: Callable[[], float] = time.time) -> None:
        self._max_rows, self._max_days, self._now = max_rows, max_days, now
        self._guard = threading.Lock()
        self._listeners: dict[int, Callable[[], object]] = {}
        self.rows = self.last = 0

    @abstractmethod
    def read(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        """Return the rows of a query, which can change nothing.

        Raises:
            InputError: It takes longer than `QUERY_SECONDS`.
            StoreError: It fails.
        """

    @abstractmethod
    def _begin_transaction(self) -> AbstractContextManager[WriteTransaction]:
        """Begin a transaction; what it raises is a `StoreError`."""

    def add(self, found: Iterable[StoredDecision | ClientNote], position: FilePosition | None = None) -> int:
        """Store decisions, and how far the file that they are from was read; return how many are new.

        One whose time is more than a day ahead of the clock counts as of now: it would neither go nor make room.

        Raises:
            StoreError: They cannot be stored, and none of them is.
        """
        now = round(self._now() * 1000)
        oldest, latest = max(now - self._max_days * _DAY, 0), now + _DAY  # a number that a column takes
        young = [record if record.at <= latest else replace(record, at=now) for record in found if record.at >= oldest]
        with self._guard:
            with self._begin_transaction() as writing:
                new = self._insert(writing, young)
                if position is not None:
                    file = self._qualify_file(position.file)
                    writing.write(_INSERT_POSITION, [(file, position.head, position.offset, position.path, now)])
                self._prune(writing, oldest)
            self._reach(writing.rows, writing.last)
        if new:
            self.announce()
        return new

    def announce(self) -> None:
        """Call those that listen."""
        for listener in list(self._listeners.values()):
            listener()

    def read_positions(self) -> dict[str, FilePosition]:
        """Return how far each file was read."""
        place = self._qualify_file("")
        rows = self.read('SELECT file, head, "offset", path FROM positions', ())
        names = [(row[0].removeprefix(place), row) for row in rows if row[0].startswith(place)]
        return {name: FilePosition(name, *row[1:]) for name, row in names}

    def read_documents(self, seqs: Sequence[int]) -> dict[int, Mapping[str, Any]]:
        """Return the documents of decisions, by their number; those that are gone are left out."""
        if not seqs:
            return {}
        rows = self.read(f"SELECT seq, body FROM documents WHERE seq IN ({_build_marks(seqs)})", tuple(seqs))  # noqa: S608 - of marks
        return {seq: unpack(body) for seq, body in rows}

    @contextmanager
    def listen(self, listener: Callable[[], object]) -> Iterator[None]:
        """Have something called, in whatever thread, after new decisions were stored, until the block ends."""
        self._listeners[id(listener)] = listener
        try:
            yield
        finally:
            del self._listeners[id(listener)]

    def _qualify_file(self, file: str) -> str:
        """How a file is named among those of all that write here."""
        return file

    def _reach(self, rows: int, last: int) -> None:
        if last >= self.last:
            self.rows, self.last = rows, last

    def _insert(self, writing: WriteTransaction, records: Sequence[StoredDecision | ClientNote]) -> int:
        batch = _merge_with_stored(writing, records)
        numbered = list(zip(count(writing.last + 1), batch.decisions, strict=False))
        writing.write(_INSERT, [_build_row(seq, record) for seq, record in numbered])
        writing.write("INSERT INTO documents VALUES (?, ?)", [(seq, pack(record.document)) for seq, record in numbered])
        broken = [(rule, record.at, seq) for seq, record in numbered for rule in record.rules]
        writing.write("INSERT INTO broken VALUES (?, ?, ?)", broken)
        writing.write(_INSERT_NOTE, [(note.id, note.prefix, note.client, note.at) for note in batch.notes])
        writing.write(_APPLY_NOTE, [(note.client, note.id, note.prefix, note.prefix) for note in batch.notes])
        writing.rows, writing.last = writing.rows + len(numbered), writing.last + len(numbered)
        return len(numbered)

    def _prune(self, writing: WriteTransaction, oldest: int) -> None:
        """Remove what is too much or too old, some at a time."""
        gone = [seq for (seq,) in writing.read(_AGED, (oldest, _PRUNED_AT_ONCE))]
        if writing.rows - len(gone) > self._max_rows:
            # With some room besides, so that not each batch has to.
            spare = min(self._max_rows // 100, _PRUNED_AT_ONCE)
            gone = [seq for (seq,) in writing.read(_OLDEST, (writing.rows - self._max_rows + spare,))]
        writing.write("DELETE FROM positions WHERE at < ?", [(oldest,)])
        for some in _split(gone):
            for table in ("decisions", "documents", "broken"):
                writing.write(f"DELETE FROM {table} WHERE seq IN ({_build_marks(some)})", [some])  # noqa: S608 - of constants and marks
        if gone:
            notes = "DELETE FROM notes WHERE at < (SELECT coalesce(min(at), 0) FROM decisions)"
            writing.write(notes, [()])
        writing.rows -= len(gone)


def _merge_with_stored(writing: WriteTransaction, records: Sequence[StoredDecision | ClientNote]) -> IntakeBatch:
    stored: set[tuple[str, str]] = set()
    notes: dict[str, dict[str, str]] = defaultdict(dict)
    for ids in _split(list({record.id for record in records if isinstance(record, StoredDecision)})):
        marks = _build_marks(ids)
        stored.update(writing.read(f"SELECT id, item FROM decisions WHERE id IN ({marks})", ids))  # noqa: S608 - of marks
        for id, prefix, client in writing.read(f"SELECT id, prefix, client FROM notes WHERE id IN ({marks})", ids):  # noqa: S608 - of marks
            notes[id][prefix] = client
    return build_intake_batch(records, stored, notes)


def _build_row(seq: int, decision: StoredDecision) -> list[Any]:
    values = {**vars(decision), "seq": seq, "rules": " ".join(sorted(decision.rules))}
    return [values[name] for name in COLUMNS]


def _split(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (values[start : start + _VALUES_AT_ONCE] for start in range(0, len(values), _VALUES_AT_ONCE))


def _build_marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))
