"""Each way by which a topic comes into being names its tests, and they exist."""

import re

import pytest

from tests.docs.test_faults import names
from tests.fixtures.checkout import CHECKOUT

_TEXT = (CHECKOUT / "docs/operate/kafka-releases.md").read_text(encoding="utf-8")
ROWS = [line for line in _TEXT.splitlines() if re.match(r"\| .*::test_", line)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split(" | ")[0].strip("| ")[:40])
def test_each_row_names_tests_that_exist(row: str) -> None:
    """The last cell holds nothing but ``file::test``, at least one."""
    cells = [cell.strip() for cell in row.strip("|").split(" | ")]
    tests = [name.strip("`").partition("::") for name in cells[-1].split()]

    assert len(cells) == 4
    assert all(cells)
    assert [] == [f"{file}::{name}" for file, _, name in tests if name not in names(CHECKOUT / file)]


def test_rows_are_found() -> None:
    """All ways are there."""
    assert len(ROWS) == 7
