"""Decisions in a database of PostgreSQL's, which several consoles may share."""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, LifoQueue
from typing import TYPE_CHECKING, Any, Final

from warden.base.errors import ConfigurationError, InputError, StoreError
from warden.base.extras import check_extras
from warden.console.config import PostgresqlStorage
from warden.console.store import decision_store
from warden.console.store.decision_store import DecisionStore, WriteTransaction
from warden.console.store.dialect import POSTGRESQL
from warden.console.store.postgres_connect import PostgresConnector
from warden.console.store.postgres_schema import prepare_schema

if TYPE_CHECKING:
    import psycopg

__all__ = ["PostgresDecisions"]

_POLL_SECONDS: Final = 0.5  # from one poll of what others have stored to the next
_STATE: Final = "SELECT rows, last FROM console"
# A console that is cut off from the database in the midst of a batch lets others write after these.
_WRITER: Final = {
    "lock_timeout": "30s",
    "statement_timeout": "120s",
    "idle_in_transaction_session_timeout": "30s",
}


class PostgresDecisions(DecisionStore):
    """A schema of a PostgreSQL database. Any number of consoles may write to it.

    They write one after the other: who does holds the row of the table ``console``, which has the number of decisions
    and the last of their numbers. So numbers come in the order in which they can be seen, and one console prunes.

    Args:
        storage: Which one.
        max_rows, max_days, now: As of `DecisionStore`; of several consoles the smaller bounds hold.
        place: What tells this console's files from those of others.

    Raises:
        ConfigurationError: It cannot be used; the sentence names the key of the configuration and what to write.
    """

    dialect = POSTGRESQL

    def __init__(
        self,
        storage: PostgresqlStorage,
        max_rows: int,
        max_days: int,
        now: Callable[[], float] = time.time,
        place: str | None = None,
    ) -> None:
        check_extras("psycopg")
        import psycopg

        super().__init__(max_rows, max_days, now)
        self._place = f"{socket.gethostname() if place is None else place}/"
        self._connector = PostgresConnector(storage)
        self._readers: LifoQueue[psycopg.Connection[Any]] = LifoQueue()
        self._writer: psycopg.Connection[Any] | None = None
        self._ended = threading.Event()
        try:
            with self._connector.connect() as connection:
                prepare_schema(connection, storage.namespace)
                ((self.rows, self.last),) = connection.execute(_STATE).fetchall()
        except psycopg.Error as error:
            said = str(error).strip().partition("\n")[0]
            raise ConfigurationError(
                f"storage.postgresql: the tables cannot be prepared in {self._connector.name} ({said}): let the user "
                f"create them in {storage.namespace}"
            ) from error
        except StoreError as error:
            raise ConfigurationError(str(error)) from error
        self._looking = threading.Thread(target=self._poll, name="store", daemon=True)
        self._looking.start()

    def read(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        """Return the rows of a query, as of `DecisionStore`."""
        import psycopg

        while True:
            reader, is_kept = self._take_reader()
            try:
                rows = reader.execute(_convert_placeholders(query), _clean(values)).fetchall()
            except psycopg.errors.QueryCanceled as error:
                self._readers.put(reader)
                raise InputError(decision_store.TOO_LONG) from error
            except psycopg.Error as error:
                reader.close()
                if not (is_kept and isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)):
                    raise self._translate(error) from error
                # The server was started again since it was last read; what else is kept is as dead.
            else:
                self._readers.put(reader)
                return rows

    def close(self) -> None:
        """Close it. May be called again."""
        self._ended.set()
        self._looking.join()
        with self._guard:
            if self._writer is not None:
                self._writer.close()
                self._writer = None
        self._close_readers()

    def _qualify_file(self, file: str) -> str:
        return f"{self._place}{file}"

    @contextmanager
    def _begin_transaction(self) -> Iterator[WriteTransaction]:
        import psycopg

        try:
            writer = self._take_writer()
            with writer.transaction():
                ((rows, last),) = writer.execute(f"{_STATE} FOR UPDATE").fetchall()
                writing = WriteTransaction(
                    lambda query, values: writer.execute(_convert_placeholders(query), _clean(values)).fetchall(),
                    lambda statement, rows: _write(writer, statement, rows),
                    rows,
                    last,
                )
                yield writing
                writer.execute("UPDATE console SET rows = %s, last = %s", (writing.rows, writing.last))
        except psycopg.Error as error:
            if self._writer is not None:
                self._writer.close()
                self._writer = None
            raise self._translate(error) from error

    def _take_writer(self) -> "psycopg.Connection[Any]":
        import psycopg

        if self._writer is not None:
            try:
                self._writer.execute("SELECT 1")
            except psycopg.Error:  # the server was started again
                self._writer.close()
                self._writer = None
        if self._writer is None:
            self._writer = self._connect(**_WRITER)
        return self._writer

    def _take_reader(self) -> "tuple[psycopg.Connection[Any], bool]":
        """A connection, and whether it was kept from before."""
        with suppress(Empty):
            return self._readers.get_nowait(), True
        milliseconds = str(round(decision_store.QUERY_SECONDS * 1000))
        return self._connect(default_transaction_read_only="on", statement_timeout=milliseconds), False

    def _connect(self, **settings: str) -> "psycopg.Connection[Any]":
        try:
            return self._connector.connect(**settings)
        except ConfigurationError as error:  # of a password that is being rotated: it is read again for the next one
            raise StoreError(str(error)) from error

    def _close_readers(self) -> None:
        with suppress(Empty):
            while True:
                self._readers.get_nowait().close()

    def _poll(self) -> None:
        """See what other consoles have stored, and whether the database answers."""
        while not self._ended.wait(_POLL_SECONDS):
            try:
                ((rows, last),) = self.read(_STATE, ())
            except (StoreError, InputError) as error:
                self.problem = str(error)
                continue
            self.problem = None
            is_new = last > self.last
            self._reach(rows, last)
            if is_new:
                self.announce()

    def _translate(self, error: Exception) -> StoreError:
        said = str(error).strip().partition("\n")[0]
        return StoreError(f"the store of decisions, {self._connector.name}, does not answer: {said}")


def _convert_placeholders(query: str) -> str:
    return query.replace("?", "%s")


def _clean(values: Sequence[Any]) -> list[Any]:
    """Values without what texts of PostgreSQL cannot have: NUL and halves of characters."""
    return [
        value.replace("\0", "\ufffd").encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for value in values
    ]


def _write(writer: "psycopg.Connection[Any]", statement: str, rows: Sequence[Sequence[Any]]) -> None:
    if rows:
        writer.cursor().executemany(_convert_placeholders(statement), [_clean(row) for row in rows])
