"""Client configs in a file of SQLite's: for one machine, without a topic."""

import json
import os
import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from warden.base.errors import ConfigurationError, StoreConflict, StoreError
from warden.enforce.client_configs.store import EVERYTHING, Entities, Selected, StoredEntity
from warden.state.sources.kafka.client_configs.records import EntityKey

__all__ = ["SqliteStore"]

_WAIT_SECONDS = 5.0  # for another process's write to end
_TABLES = """
CREATE TABLE IF NOT EXISTS entities(
  user TEXT NOT NULL, client TEXT NOT NULL, version INTEGER NOT NULL, configs TEXT NOT NULL, PRIMARY KEY(user, client)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS entities_client ON entities(client);
CREATE INDEX IF NOT EXISTS entities_version ON entities(version);
CREATE TABLE IF NOT EXISTS counter(id INTEGER PRIMARY KEY CHECK(id = 1), version INTEGER NOT NULL);
INSERT OR IGNORE INTO counter VALUES(1, 0);
"""
_ROWS = "SELECT user, client, configs, version FROM entities WHERE configs <> '{}'"
_VERSION = "SELECT version FROM entities WHERE user = ? AND client = ? AND configs <> '{}'"
_OF_USER, _OF_CLIENT = " AND user = ?", " AND client = ?"


class SqliteStore:
    """A store in a file, which several processes of one machine may share.

    A write is on the disk when it returns (write-ahead log, ``synchronous=FULL``). Versions come from one counter, so
    that an entity which is removed and stored again never has the version that it had before. What is removed leaves a
    row without configs, by which others see that it was.

    Args:
        path: The file; it is made where it is missing, readable by its owner alone.

    Raises:
        ConfigurationError: It cannot be opened, or is no database.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._guard = path, threading.Lock()
        self._seen = 0
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
            reason = error.strerror if isinstance(error, OSError) else error
            raise ConfigurationError(
                f"the store {path} cannot be opened ({reason}): name a file in a directory that this user may write to"
            ) from error

    def read(self, selection: Collection[Selected] = EVERYTHING) -> Entities:
        """Return entities; see `warden.enforce.client_configs.store.Store`."""
        entities: dict[str, dict[str, StoredEntity]] = {}
        with self._translate_errors(), self._begin_transaction("BEGIN"):
            for user, client in selection:
                query = _ROWS + (_OF_USER if user is not None else "") + (_OF_CLIENT if client is not None else "")
                names = [name for name in (user, client) if name is not None]
                for of_user, of_client, configs, version in self._database.execute(query, names):
                    entities.setdefault(of_user, {})[of_client] = StoredEntity(json.loads(configs), version)
        return entities

    def take_changes(self) -> set[EntityKey]:
        """Return what was changed; see `warden.enforce.client_configs.store.Store`."""
        with self._translate_errors():
            (version,) = self._database.execute("SELECT version FROM counter").fetchone()
            if version == self._seen:
                return set()
            query = "SELECT user, client FROM entities WHERE version > ?"
            changed = set(self._database.execute(query, (self._seen,)).fetchall())
            self._seen = version
            return changed

    def write(self, changes: Mapping[EntityKey, StoredEntity]) -> None:
        """Store entities; see `warden.enforce.client_configs.store.Store`."""
        with self._translate_errors(), self._begin_transaction("BEGIN IMMEDIATE"):
            for key, stored in changes.items():
                self._put(key, stored)

    def close(self) -> None:
        """Close the file."""
        with self._guard:
            self._database.close()

    def _put(self, key: EntityKey, stored: StoredEntity) -> None:
        row = self._database.execute(_VERSION, key).fetchone()
        if (row[0] if row else 0) != stored.version:
            raise StoreConflict(f"{self._path}: somebody else has changed the same entity: try again")
        (version,) = self._database.execute("UPDATE counter SET version = version + 1 RETURNING version").fetchone()
        text = json.dumps(stored.configs, ensure_ascii=False)
        self._database.execute("INSERT OR REPLACE INTO entities VALUES(?, ?, ?, ?)", (*key, version, text))

    @contextmanager
    def _begin_transaction(self, begin: str) -> Iterator[None]:
        self._database.execute(begin)
        try:
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        with self._guard:
            try:
                yield
            except sqlite3.Error as error:
                raise StoreError(
                    f"the store {self._path} does not answer ({error}): see that no other program holds it, "
                    "and that its disk has room"
                ) from error
