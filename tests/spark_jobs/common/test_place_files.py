"""A directory that a table is to replace holds nothing else."""

from pathlib import Path
from typing import Any

import pytest

from spark_jobs.common.place_files import check_replaceable
from warden.base.errors import InputError
from warden.base.files.address import Address, Place

_PART = "part-00000-3f1c-c000.snappy.parquet"
_TABLE = [_PART, f".{_PART}.crc", "_SUCCESS", "._SUCCESS.crc", "_committed_12", "_started_12"]


@pytest.mark.parametrize("names", [None, [], _TABLE])
def test_tables_and_what_is_not_there(tmp_path: Path, names: list[str] | None) -> None:
    """Nothing is lost of them."""
    directory = tmp_path / "d"
    for name in names or ():
        directory.mkdir(exist_ok=True)
        (directory / name).touch()
    if names:
        (directory / "_temporary").mkdir()

    check_replaceable(None, directory)  # type: ignore[arg-type]  # only what is at an address takes a session


@pytest.mark.parametrize("name", ["mine.txt", ".git", "topics", "part-time.txt", "part-0.parquet", "_SUCCESS.txt"])
def test_anything_else(tmp_path: Path, name: str) -> None:
    """It would be deleted, also beside a table."""
    for each in (*_TABLE, name):
        (tmp_path / each).touch()
    with pytest.raises(InputError, match=rf"and {name}, which is of no table, would be deleted: name another dir"):
        check_replaceable(None, tmp_path)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"and {name}, which is of no table"):
        check_replaceable(None, tmp_path / name)  # type: ignore[arg-type]


def test_a_directory_of_the_name_of_a_file(tmp_path: Path) -> None:
    """Spark writes none."""
    (tmp_path / _PART).mkdir()
    with pytest.raises(InputError, match=f"and {_PART}, which is of no table"):
        check_replaceable(None, tmp_path)  # type: ignore[arg-type]


@pytest.mark.spark
def test_at_an_address(spark: Any, store: Path) -> None:
    """As on this machine."""
    place: Place = Address("viewfs://estate/store/d")
    check_replaceable(spark, place)
    (store / "d").mkdir()
    (store / "d" / "mine.txt").touch()
    with pytest.raises(InputError, match=r"^viewfs://estate/store/d: a table is to replace it, and mine\.txt"):
        check_replaceable(spark, place)
