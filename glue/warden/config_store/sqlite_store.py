"""Client configs in a file of SQLite's: for one machine, without a topic."""

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from warden.config_store.store import Entities, Stored
from warden.errors import ConfigurationError, StoreConflict, StoreError
from warden.sources.kafka.client_config_records import Key

__all__ = ["SqliteStore"]

_WAIT_SECONDS = 5.0  # for another process's write to end
_TABLES = """
CREATE TABLE IF NOT EXISTS entities(
  user TEXT NOT NULL, client TEXT NOT NULL, version INTEGER NOT NULL, configs TEXT NOT NULL, PRIMARY KEY(user, client)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS counter(id INTEGER PRIMARY KEY CHECK(id = 1), version INTEGER NOT NULL);
INSERT OR IGNORE INTO counter VALUES(1, 0);
"""


class SqliteStore:
    """A store in a file, which several processes of one machine may share.

    A write is on the disk when it returns (write-ahead log, ``synchronous=FULL``). Versions come from one counter, so
    that an entity which is removed and stored again never has the version that it had before.

    Args:
        path: The file; it is made where it is missing, readable by its owner alone.

    Raises:
        ConfigurationError: It cannot be opened, or is no database.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._guard = path, threading.Lock()
        self._read: tuple[int, Entities] = 0, {}
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._database = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False)
            try:
                for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL"):
                    self._database.execute(statement)
                self._database.executescript(_TABLES)
            except BaseException:
                self._database.close()
                raise
        except (OSError, sqlite3.Error) as error:
            raise ConfigurationError(f"the store {path} cannot be opened: {error}") from error

    def read(self) -> Entities:
        """Return all entities; see `warden.config_store.store.Store`."""
        with self._answering():
            (version,) = self._database.execute("SELECT version FROM counter").fetchone()
            if version != self._read[0]:
                self._read = self._all()
            return self._read[1]

    def write(self, changes: Mapping[Key, Stored]) -> None:
        """Store entities; see `warden.config_store.store.Store`."""
        with self._answering():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                for key, stored in changes.items():
                    self._put(key, stored)
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the file."""
        with self._guard:
            self._database.close()

    def _all(self) -> tuple[int, Entities]:
        self._database.execute("BEGIN")
        try:
            (version,) = self._database.execute("SELECT version FROM counter").fetchone()
            entities: dict[str, dict[str, Stored]] = {}
            for user, client, configs, of_entity in self._database.execute(
                "SELECT user, client, configs, version FROM entities"
            ):
                entities.setdefault(user, {})[client] = Stored(json.loads(configs), of_entity)
        finally:
            self._database.execute("COMMIT")
        return version, entities

    def _put(self, key: Key, stored: Stored) -> None:
        row = self._database.execute("SELECT version FROM entities WHERE user = ? AND client = ?", key).fetchone()
        if (row[0] if row else 0) != stored.version:
            raise StoreConflict(f"{self._path}: somebody else has changed the same entity: try again")
        (version,) = self._database.execute("UPDATE counter SET version = version + 1 RETURNING version").fetchone()
        if stored.configs:
            text = json.dumps(stored.configs, ensure_ascii=False, sort_keys=True)
            self._database.execute("INSERT OR REPLACE INTO entities VALUES(?, ?, ?, ?)", (*key, version, text))
        else:
            self._database.execute("DELETE FROM entities WHERE user = ? AND client = ?", key)

    @contextmanager
    def _answering(self) -> Iterator[None]:
        with self._guard:
            try:
                yield
            except sqlite3.Error as error:
                raise StoreError(f"the store {self._path} does not answer: {error}") from error
