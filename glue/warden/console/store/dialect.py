"""In what the SQL of SQLite and PostgreSQL differs, and the tables that both have."""

from dataclasses import dataclass
from typing import Final

__all__ = ["COLUMNS", "POSTGRESQL", "SQLITE", "Dialect", "build_tables"]

COLUMNS: Final = (
    *("seq", "id", "item", "at", "status", "cluster", "point", "operation", "resource", "owner", "principal", "client"),
    *("opa", "revision", "state_age", "rules"),
)
"""Columns of the table ``decisions``."""

_INDEXED: Final = ("status", "cluster", "point", "resource", "owner", "principal", "client")


@dataclass(frozen=True)
class Dialect:
    """One of the two. Queries have ``?`` for values in both, and no other question mark.

    Args:
        number: Type of the number of a decision, which is given once.
        integer, real, text, blob: Types of columns; texts are compared byte by byte.
        by_key: What ends a table that is kept in the order of its key.
        unordered: What has a table read by its number, whatever the filter.
        join: A join that begins with the table before it.
        unindexed: What, before a column, keeps it from being looked up by an index; "" where the planner knows better.
        like: Operator of a text and a pattern.
        any, escaped: What stands for anything in a pattern, and how characters are written that would have a meaning.
    """

    number: str
    integer: str
    real: str
    text: str
    blob: str
    by_key: str
    unordered: str
    join: str
    unindexed: str
    like: str
    any: str
    escaped: tuple[tuple[str, str], ...]

    def build_pattern(self, value: str) -> str:
        """Return the pattern for a value in which ``*`` stands for anything and nothing else has a meaning."""
        for character, written in self.escaped:
            value = value.replace(character, written)
        return value.replace("*", self.any)


SQLITE: Final = Dialect(
    number="INTEGER PRIMARY KEY AUTOINCREMENT",
    integer="INTEGER",
    real="REAL",
    text="TEXT",
    blob="BLOB",
    by_key=" WITHOUT ROWID",
    unordered=" NOT INDEXED",
    join="CROSS JOIN",
    unindexed="+",
    like="GLOB",
    any="*",
    escaped=(("[", "[[]"), ("?", "[?]")),
)
"""SQLite's."""

POSTGRESQL: Final = Dialect(
    number="BIGINT PRIMARY KEY",
    integer="BIGINT",
    real="DOUBLE PRECISION",
    text='TEXT COLLATE "C"',
    blob="BYTEA",
    by_key="",
    unordered="",
    join="JOIN",
    unindexed="",
    like="LIKE",
    any="%",
    escaped=(("\\", "\\\\"), ("%", "\\%"), ("_", "\\_")),
)
"""PostgreSQL's."""


def build_tables(dialect: Dialect) -> list[str]:
    """Return the statements that make the tables where they are missing."""
    integer, text, blob, end = dialect.integer, dialect.text, dialect.blob, dialect.by_key
    return [
        f"""CREATE TABLE IF NOT EXISTS decisions(
  seq {dialect.number}, id {text} NOT NULL, item {text} NOT NULL, at {integer} NOT NULL, status {text} NOT NULL,
  cluster {text}, point {text}, operation {text}, resource {text}, owner {text}, principal {text}, client {text},
  opa {text}, revision {text}, state_age {dialect.real}, rules {text}, UNIQUE(id, item))""",
        "CREATE INDEX IF NOT EXISTS by_time ON decisions(at, seq)",
        *(f"CREATE INDEX IF NOT EXISTS by_{name} ON decisions({name}, at, seq)" for name in _INDEXED),
        f"CREATE TABLE IF NOT EXISTS documents(seq {integer} PRIMARY KEY, body {blob} NOT NULL)",
        f"CREATE TABLE IF NOT EXISTS broken(rule {text}, at {integer}, seq {integer}, PRIMARY KEY(rule, at, seq)){end}",
        "CREATE INDEX IF NOT EXISTS broken_of ON broken(seq)",
        f"""CREATE TABLE IF NOT EXISTS notes(
  id {text}, prefix {text}, client {text}, at {integer}, PRIMARY KEY(id, prefix)){end}""",
        f"""CREATE TABLE IF NOT EXISTS positions(
  file {text} PRIMARY KEY, head {blob} NOT NULL, "offset" {integer} NOT NULL, path {text} NOT NULL,
  at {integer} NOT NULL){end}""",
    ]
