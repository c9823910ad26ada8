"""Sizes of a run's tasks, which a session has no longer than the run lasts."""

from typing import Any

import pytest

from warden.base.errors import InputError

pytestmark = pytest.mark.spark

_NAMES = ("spark.sql.files.maxPartitionBytes", "spark.sql.shuffle.partitions")


def test_sizes_last_as_long_as_the_block(spark: Any) -> None:
    """They are those of the files in it, and the session's own after it, also where it fails."""
    from spark_jobs.common.task_sizes import restore_task_sizes, set_file_split_size, set_shuffle_partitions

    def read_sizes() -> list[str]:
        return [spark.conf.get(name) for name in _NAMES]

    def fail() -> None:
        with restore_task_sizes(spark):
            set_file_split_size(spark, 1 << 20)
            set_shuffle_partitions(spark, 1 << 40)
            sizes.extend(read_sizes())
            raise InputError

    before, sizes = read_sizes(), list[str]()
    with pytest.raises(InputError):
        fail()

    assert [str(256 * 1024), str(1 << 16)] == sizes
    assert before == read_sizes()
