"""The store of decisions: a file of SQLite's with one writer, bounded in rows and age, each decision in it once."""

import fcntl
import json
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any, Final

from warden.base.errors import ConfigurationError, InputError, StoreError
from warden.base.process.running import Closing
from warden.console.stored import ClientNote, Stored

__all__ = ["DecisionStore", "FilePosition"]

_VERSION: Final = 1
_COLUMNS: Final = (
    *("id", "item", "at", "status", "cluster", "point", "operation", "resource", "owner", "principal", "client"),
    *("opa", "revision", "state_age", "rules"),
)
_INDEXED: Final = ("status", "cluster", "point", "resource", "owner", "principal", "client")
_TABLES: Final = f"""
CREATE TABLE IF NOT EXISTS decisions(
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, item TEXT NOT NULL, at INTEGER NOT NULL,
  status TEXT NOT NULL, cluster TEXT, point TEXT, operation TEXT, resource TEXT, owner TEXT, principal TEXT,
  client TEXT, opa TEXT, revision TEXT, state_age REAL, rules TEXT, UNIQUE(id, item));
CREATE INDEX IF NOT EXISTS by_time ON decisions(at, seq);
{"".join(f"CREATE INDEX IF NOT EXISTS by_{name} ON decisions({name}, at, seq);" for name in _INDEXED)}
CREATE TABLE IF NOT EXISTS documents(seq INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS broken(rule TEXT, at INTEGER, seq INTEGER, PRIMARY KEY(rule, at, seq)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS broken_of ON broken(seq);
CREATE TABLE IF NOT EXISTS notes(id TEXT, prefix TEXT, client TEXT, at INTEGER, PRIMARY KEY(id, prefix)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS positions(
  file TEXT PRIMARY KEY, head BLOB NOT NULL, offset INTEGER NOT NULL, path TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
"""
_INSERT: Final = f"INSERT OR IGNORE INTO decisions({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608 - of constants
_NOTED: Final = "SELECT client FROM notes WHERE id = ? AND substr(?, 1, length(prefix)) = prefix"
_NOTE: Final = "UPDATE decisions SET client = ? WHERE id = ? AND substr(item, 1, length(?)) = ? AND client = ''"
_OLDEST: Final = "SELECT seq FROM decisions ORDER BY at, seq LIMIT ?"
_AGED: Final = "SELECT seq FROM decisions WHERE at < ? LIMIT ?"
_MAPPED: Final = 2**31
_PRUNED_AT_ONCE: Final = 5000
_READ_SECONDS: Final = 5.0  # that one query may take
_STEPS: Final = 20_000
# What documents have in common, so that short ones are packed well too.
_COMMON: Final = (
    b'{"input":{"api":{"key":"","version":7},"cluster":"","clusterState":{"meta":{"observedAt":""},"topics":{"":{"configs"'
    b':{},"labels":{"dataClass":"internal","owner":""},"numPartitions":1,"replicasAssignments":{"0":[1,2,3]},'
    b'"replicationFactor":3}}},"enforcementPoint":"gateway","operation":"AlterTopic","principal":{"name":"","type":"User"},'
    b'"request":{"configs":{"mode":"incremental","ops":[{"name":"","op":"SET","value":""}]},"topic":""}},"result":'
    b'{"allowed":false,"annotations":{},"error":{"code":44,"message":"","name":"POLICY_VIOLATION"},"errors":[],'
    b'"revision":"","stateAge":1,"violations":[{"cause":"caused","effect":"warn","fix":"set ","message":"","patch":[],'
    b'"path":["configs"],"rule":"KFK-","severity":"medium","waiver":null}],"warnings":[]},"path":"kafka/decision"}'
)


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


class DecisionStore(Closing):
    """Decisions of the last weeks. May be used by several threads; no other process may write to it.

    A batch is stored with the position of the file that it is from, or not at all, and a decision that is there is not
    stored again: whatever is killed or sent twice, each is there once.

    Args:
        path: The file; it is made where it is missing, readable by its owner alone.
        max_rows: How many decisions there may be; the oldest go first.
        max_days: How many days they are kept.
        now: Seconds since 1970.

    Raises:
        ConfigurationError: It cannot be opened, is of another version, or another console has it.
    """

    def __init__(self, path: Path, max_rows: int, max_days: int, now: Callable[[], float] = time.time) -> None:
        self._path, self._max_rows, self._max_days, self._now = path, max_rows, max_days, now
        self._guard = threading.Lock()
        self._readers: LifoQueue[sqlite3.Connection] = LifoQueue()
        self._listeners: dict[int, Callable[[], object]] = {}
        self.last = 0
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._lock = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._writer = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            (version,) = self._writer.execute("PRAGMA user_version").fetchone()
            if version not in (0, _VERSION):
                raise ConfigurationError(f"{path} is of another version of Warden: name another file, or remove it")
            for statement in ("journal_mode=WAL", "synchronous=NORMAL", "cache_size=-65536"):
                self._writer.execute(f"PRAGMA {statement}")
            self._writer.executescript(_TABLES)
            row = self._writer.execute("SELECT count(*), coalesce(max(seq), 0) FROM decisions").fetchone()
        except BlockingIOError as error:
            raise ConfigurationError(f"another console writes to {path}: give each its own file") from error
        except (OSError, sqlite3.Error) as error:
            raise ConfigurationError(f"the store {path} cannot be opened: {error}") from error
        self.rows, self.last = row

    def add(self, found: Iterable[Stored | ClientNote], position: FilePosition | None = None) -> int:
        """Store decisions, and how far the file that they are from was read; return how many are new.

        Raises:
            StoreError: They cannot be stored, and none of them is.
        """
        oldest = round((self._now() - self._max_days * 86400) * 1000)
        with self._guard, _translate_errors():
            rows = self.rows
            with self._transaction():
                new = sum(self._add_one(one) for one in found if one.at >= oldest)
                if position is not None:
                    values = (position.file, position.head, position.offset, position.path)
                    self._writer.execute("INSERT OR REPLACE INTO positions VALUES (?, ?, ?, ?)", values)
                rows += new - self._prune(rows + new, oldest)
                (last,) = self._writer.execute("SELECT coalesce(max(seq), 0) FROM decisions").fetchone()
            self.rows, self.last = rows, max(last, self.last)
        if new:
            self.announce()
        return new

    def announce(self) -> None:
        """Call those that listen."""
        for listener in list(self._listeners.values()):
            listener()

    def positions(self) -> dict[str, FilePosition]:
        """Return how far each file was read."""
        rows = self.read("SELECT file, head, offset, path FROM positions", ())
        return {row[0]: FilePosition(*row) for row in rows}

    def read(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        """Return the rows of a query, which can change nothing.

        Raises:
            InputError: It takes longer than five seconds.
            StoreError: It fails.
        """
        with _translate_errors(), self._reader() as reader:
            deadline = time.monotonic() + _READ_SECONDS
            reader.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
            return reader.execute(query, values).fetchall()

    def documents(self, seqs: Sequence[int]) -> dict[int, Mapping[str, Any]]:
        """Return the documents of decisions, by their number; those that are gone are left out."""
        marks = ", ".join("?" * len(seqs))
        rows = self.read(f"SELECT seq, body FROM documents WHERE seq IN ({marks})", tuple(seqs))  # noqa: S608 - of marks
        return {seq: _unpack(body) for seq, body in rows}

    @contextmanager
    def listen(self, listener: Callable[[], object]) -> Iterator[None]:
        """Have something called, in whatever thread, after new decisions were stored, until the block ends."""
        self._listeners[id(listener)] = listener
        try:
            yield
        finally:
            del self._listeners[id(listener)]

    def close(self) -> None:
        """Close it. May be called again."""
        with self._guard:
            self._writer.close()
            while True:
                try:
                    self._readers.get_nowait().close()
                except Empty:
                    break
            if self._lock >= 0:
                os.close(self._lock)
                self._lock = -1

    def _add_one(self, one: Stored | ClientNote) -> bool:
        execute = self._writer.execute
        if isinstance(one, ClientNote):
            execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?)", (one.id, one.prefix, one.client, one.at))
            execute(_NOTE, (one.client, one.id, one.prefix, one.prefix))
            return False
        noted = execute(_NOTED, (one.id, one.item)).fetchone()
        values = {**vars(one), "rules": " ".join(sorted(one.rules)), "client": noted[0] if noted else one.client}
        inserted = execute(_INSERT, [values[name] for name in _COLUMNS])
        if inserted.rowcount != 1:
            return False
        seq = inserted.lastrowid
        execute("INSERT INTO documents VALUES (?, ?)", (seq, _pack(one.document)))
        self._writer.executemany("INSERT INTO broken VALUES (?, ?, ?)", [(rule, one.at, seq) for rule in one.rules])
        return True

    def _prune(self, rows: int, oldest: int) -> int:
        """Remove what is too much or too old, some at a time; return how many."""
        gone = [seq for (seq,) in self._writer.execute(_AGED, (oldest, _PRUNED_AT_ONCE))]
        if rows - len(gone) > self._max_rows:
            # With some room besides, so that not each batch has to.
            spare = min(self._max_rows // 100, _PRUNED_AT_ONCE)
            gone = [seq for (seq,) in self._writer.execute(_OLDEST, (rows - self._max_rows + spare,))]
        for table in ("decisions", "documents", "broken"):
            self._writer.executemany(f"DELETE FROM {table} WHERE seq = ?", [(seq,) for seq in gone])  # noqa: S608
        if gone:
            self._writer.execute("DELETE FROM notes WHERE at < (SELECT coalesce(min(at), 0) FROM decisions)")
        return len(gone)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._writer.execute("ROLLBACK")
            raise
        self._writer.execute("COMMIT")

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        try:
            reader = self._readers.get_nowait()
        except Empty:
            reader = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            reader.execute("PRAGMA query_only = ON")
            reader.execute(f"PRAGMA mmap_size = {_MAPPED}")  # which all readers share
        try:
            yield reader
        finally:
            self._readers.put(reader)


def _pack(document: Mapping[str, Any]) -> bytes:
    packer = zlib.compressobj(level=4, zdict=_COMMON)
    return packer.compress(json.dumps(document, separators=(",", ":")).encode()) + packer.flush()


def _unpack(body: bytes) -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads(zlib.decompressobj(zdict=_COMMON).decompress(body))
    return document


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        if "interrupted" in str(error):
            raise InputError("the search takes too long: add since, or another filter") from error
        raise StoreError(f"the store of decisions does not answer: {error}") from error
    except sqlite3.Error as error:
        raise StoreError(f"the store of decisions does not answer: {error}") from error
