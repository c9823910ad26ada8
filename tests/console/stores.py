"""Stores of decisions for tests: the same ones in SQLite and in PostgreSQL."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.console.logged import NOW
from tests.fixtures.postgres import PASSWORD, PostgresServer
from warden.base.files.secret import Secret
from warden.console.config import PostgresqlStorage
from warden.console.store.decision_store import DecisionStore
from warden.console.store.postgres_store import PostgresDecisions
from warden.console.store.sqlite_store import SqliteDecisions

__all__ = ["PostgresStores", "SqliteStores", "Stores"]


class Stores(ABC):
    """Opens stores by name; one that is closed is opened again with what is in it."""

    @abstractmethod
    def open(
        self, name: str = "console", rows: int = 1000, days: int = 30, now: Callable[[], float] = lambda: NOW
    ) -> DecisionStore:
        """Open a store, empty where it is new."""

    @abstractmethod
    def storage(self, name: str = "console") -> dict[str, Any]:
        """Return the key ``storage`` of a configuration file that names a store."""

    @abstractmethod
    def size(self, name: str = "console") -> int:
        """Return how many bytes a store has on the disk."""


class SqliteStores(Stores):
    """Files of a directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def open(
        self, name: str = "console", rows: int = 1000, days: int = 30, now: Callable[[], float] = lambda: NOW
    ) -> DecisionStore:
        """Open a file."""
        return SqliteDecisions(self.directory / f"{name}.db", rows, days, now=now)

    def storage(self, name: str = "console") -> dict[str, Any]:
        """Name a file."""
        return {"path": str(self.directory / f"{name}.db")}

    def size(self, name: str = "console") -> int:
        """Measure a file."""
        return (self.directory / f"{name}.db").stat().st_size


class PostgresStores(Stores):
    """Schemas of a server that begin with a name of their own."""

    def __init__(self, server: PostgresServer, directory: Path) -> None:
        self.server = server
        self._own = "t" + hashlib.sha256(str(directory).encode()).hexdigest()[:16]
        (directory / "password").write_text(PASSWORD, encoding="ascii")
        self._password = directory / "password"

    def schema(self, name: str = "console") -> str:
        """Return the schema of a store."""
        return f"{self._own}_{name}"

    def open(
        self, name: str = "console", rows: int = 1000, days: int = 30, now: Callable[[], float] = lambda: NOW
    ) -> DecisionStore:
        """Open a schema."""
        password = Secret("storage.postgresql.password", file=self._password)
        storage = PostgresqlStorage(address=self.server.address(), password=password, namespace=self.schema(name))
        return PostgresDecisions(storage, rows, days, now=now)

    def storage(self, name: str = "console") -> dict[str, Any]:
        """Name a schema."""
        password = {"file": str(self._password)}
        return {"postgresql": {"address": self.server.address(), "password": password, "schema": self.schema(name)}}

    def size(self, name: str = "console") -> int:
        """Measure the tables of a schema, with their indexes."""
        query = (
            "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c "
            "WHERE relkind = 'r' AND relnamespace = %s::regnamespace"
        )
        with self.server.connect() as connection:
            return int(connection.execute(query, (self.schema(name),)).fetchone()[0])
