"""The console's tables in PostgreSQL: made where they are missing, and known by their version."""

from typing import TYPE_CHECKING, Any, Final

from warden.base.errors import ConfigurationError
from warden.console.store.dialect import POSTGRESQL, build_tables

if TYPE_CHECKING:
    import psycopg

__all__ = ["prepare_schema"]

_VERSION: Final = 2
_LOCK: Final = 0x77617264656E  # "warden": one console at a time makes the tables
_SETTING: Final = "storage.postgresql.schema"
_STATE: Final = """CREATE TABLE console(
  id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, rows BIGINT NOT NULL, last BIGINT NOT NULL)"""


def prepare_schema(connection: "psycopg.Connection[Any]", schema: str) -> None:
    """Make the tables where there are none.

    Args:
        connection: To the database; its search path is the schema.
        schema: Its name.

    Raises:
        ConfigurationError: It is of another version, of something else, or may not be used or made.
        psycopg.Error: The database fails.
    """
    from psycopg import errors

    database, user = connection.info.dbname, connection.info.user
    encoding = connection.execute("SHOW server_encoding").fetchone()
    if encoding != ("UTF8",):
        raise ConfigurationError(
            f"storage.postgresql.address: the database {database} has the encoding {encoding and encoding[0]}: create "
            "one with ENCODING 'UTF8'"
        )
    try:
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            _make_tables(connection, schema)
            row = connection.execute("SELECT version FROM console").fetchone()
    except errors.InsufficientPrivilege as error:
        raise ConfigurationError(
            f"{_SETTING}: {user} may not make or use the schema {schema} of the database {database} "
            f"({error.diag.message_primary}): have its owner run CREATE SCHEMA {schema} AUTHORIZATION {user}, "
            "or name another"
        ) from error
    except errors.ReadOnlySqlTransaction as error:
        raise ConfigurationError(
            f"storage.postgresql.address: {connection.info.host} only reads: write the primary's host, or all "
            "hosts and target_session_attrs=read-write"
        ) from error
    except (
        errors.DuplicateTable,
        errors.UndefinedColumn,
        errors.WrongObjectType,
        errors.InvalidTableDefinition,
    ) as error:
        raise ConfigurationError(
            f"{_SETTING}: the schema {schema} of the database {database} has tables of something else "
            f"({error.diag.message_primary}): name another, which may be missing"
        ) from error
    version = row[0] if row else None
    if version != _VERSION:
        whose = "a later" if version is not None and version > _VERSION else "an earlier"
        raise ConfigurationError(
            f"{_SETTING}: the schema {schema} of the database {database} is of {whose} Warden (version {version}, "
            f"this one has {_VERSION}): name another, which may be missing, or drop it"
        )


def _make_tables(connection: "psycopg.Connection[Any]", schema: str) -> None:
    row = connection.execute("SELECT to_regnamespace(%s) IS NULL, to_regclass('console')::text", (schema,)).fetchone()
    is_missing, state = row or (True, None)
    if is_missing:
        connection.execute(f'CREATE SCHEMA "{schema}"')
    if state is None:
        connection.execute(_STATE)
        for statement in build_tables(POSTGRESQL):
            connection.execute(statement.replace(" IF NOT EXISTS", ""))
        connection.execute("INSERT INTO console VALUES (1, %s, 0, 0)", (_VERSION,))
