"""The page about tables has each column that jobs write, and no other."""

import re

import pytest

from tests.fixtures.checkout import CHECKOUT

pytestmark = pytest.mark.spark


@pytest.mark.parametrize("table", ["decisions", "findings", "passes", "not_evaluated", "history", "runs"])
def test_columns(table: str) -> None:
    """By name, in any order; several may share a line, whose type is said once."""
    from spark_jobs.analyse.trend import HISTORY
    from spark_jobs.common import schemas

    written = {**schemas.RUN_TABLES, "history": HISTORY, "runs": schemas.RUNS}[table]
    page = (CHECKOUT / "docs" / "reference" / "tables.md").read_text(encoding="utf-8")
    section = page.partition(f"\n## {table}\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ")[:2] for line in section.splitlines() if line.startswith("| `")]
    shown = {name: kind for cell, kind in rows for name in re.findall("`(.*?)`", cell)}
    assert sorted(shown) == sorted(written.names)
    assert [] == [field.name for field in written if field.dataType.typeName() not in _types(shown[field.name])]


def _types(words: str) -> set[str]:
    """The names that Spark has for the types of a line."""
    return {{"bigint": "long", "int": "integer"}.get(word, word) for word in re.split(r", | of \w+", words)}
