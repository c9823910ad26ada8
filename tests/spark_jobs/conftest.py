"""A store at an address, for tests that have a Spark."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_MOUNT = "fs.viewfs.mounttable.estate.link./store"


@pytest.fixture
def store(spark: Any, tmp_path: Path) -> Iterator[Path]:
    """The directory that `viewfs://estate/store` shows."""
    directory, configuration = tmp_path / "store", spark.sparkContext._jsc.hadoopConfiguration()
    directory.mkdir()
    configuration.set(_MOUNT, directory.as_uri())
    configuration.setBoolean("fs.viewfs.impl.disable.cache", True)
    yield directory
    configuration.unset(_MOUNT)


@pytest.fixture
def lenient(spark: Any) -> Iterator[None]:
    """A session that leaves out files which it cannot read."""
    names = ("spark.sql.files.ignoreMissingFiles", "spark.sql.files.ignoreCorruptFiles")
    for name in names:
        spark.conf.set(name, "true")
    yield
    for name in names:
        spark.conf.unset(name)
