"""Each row of the page of faults names its tests, and they exist."""

import ast
import re
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT

_TEXT = (CHECKOUT / "docs/operate/faults.md").read_text(encoding="utf-8")
ROWS = [line for line in _TEXT.splitlines() if re.match(r"\| (?!fault )", line)]


def names(file: Path) -> set[str]:
    """The tests that a file of Python or Rego has."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".rego":
        return set(re.findall(r"^(test_\w+)", text, re.MULTILINE))
    return {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split(" | ")[0].strip("| "))
def test_each_row_names_tests_that_exist(row: str) -> None:
    """The last cell holds nothing but ``file::test``, at least one."""
    cells = [cell.strip() for cell in row.strip("|").split(" | ")]
    tests = [name.strip("`").partition("::") for name in cells[-1].split()]

    assert 5 == len(cells)
    assert all(cells)
    assert tests
    assert [] == [f"{file}::{name}" for file, _, name in tests if name not in names(CHECKOUT / file)]


def test_rows_are_found() -> None:
    """The pattern above has not lost its grip."""
    assert len(ROWS) > 20
