"""Decisions in a file of SQLite's, which one console writes to."""

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any, Final

from warden.base.errors import ConfigurationError, InputError, StoreError
from warden.console.store import decision_store
from warden.console.store.decision_store import DecisionStore, WriteTransaction
from warden.console.store.dialect import SQLITE, build_tables

__all__ = ["SqliteDecisions"]

_VERSION: Final = 2
_MAPPED: Final = 2**31
_STEPS: Final = 20_000


class SqliteDecisions(DecisionStore):
    """A file of SQLite's. No other process may write to it.

    Args:
        path: The file; it is made where it is missing, readable by its owner alone.
        max_rows, max_days, now: As of `DecisionStore`.

    Raises:
        ConfigurationError: It cannot be opened, is of another version, or another console has it.
    """

    dialect = SQLITE

    def __init__(self, path: Path, max_rows: int, max_days: int, now: Callable[[], float] = time.time) -> None:
        super().__init__(max_rows, max_days, now)
        self._path = path
        self._readers: LifoQueue[sqlite3.Connection] = LifoQueue()
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
            self._writer.executescript(";\n".join((*build_tables(SQLITE), f"PRAGMA user_version = {_VERSION}")))
            (self.rows,) = self._writer.execute("SELECT count(*) FROM decisions").fetchone()
            (self.last,) = self._writer.execute(
                "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'decisions'"
            ).fetchone()
        except BlockingIOError as error:
            raise ConfigurationError(f"another console writes to {path}: give each its own file") from error
        except (OSError, sqlite3.Error) as error:
            raise ConfigurationError(f"the store {path} cannot be opened: {error}") from error

    def read(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        """Return the rows of a query, as of `DecisionStore`."""
        with _translate_errors(), self._open_reader() as reader:
            deadline = time.monotonic() + decision_store.QUERY_SECONDS
            reader.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
            return reader.execute(query, values).fetchall()

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

    @contextmanager
    def _begin_transaction(self) -> Iterator[WriteTransaction]:
        with _translate_errors():
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield WriteTransaction(
                    lambda query, values: self._writer.execute(query, values).fetchall(),
                    self._writer.executemany,
                    self.rows,
                    self.last,
                )
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:  # SQLite ends it itself where the disk is full
                    self._writer.execute("ROLLBACK")
                raise

    @contextmanager
    def _open_reader(self) -> Iterator[sqlite3.Connection]:
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


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        if isinstance(error, sqlite3.OperationalError) and "interrupted" in str(error):
            raise InputError(decision_store.TOO_LONG) from error
        advice = "see that its disk has room, and that no other program holds it"
        raise StoreError(f"the store of decisions does not answer: {error}: {advice}") from error
