"""Progress of a running job, from accumulators that its tasks count in, read a few times a second.

Spark adds up an accumulator when a task ends. Tasks that are tried again may be counted twice: this is for people to
look at, and what must be right is counted in the tables. Spark Connect has no accumulators: nothing is counted there.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pyspark.sql import SparkSession

from spark_jobs.common.deployment import is_connect

__all__ = ["Counter", "watch_progress"]

_INTERVAL_SECONDS = 0.2


@dataclass(frozen=True)
class Counter:
    """Travels to the tasks, which call it; the driver reads it.

    Args:
        rows, batches: Accumulators; None where there are none.
    """

    rows: Any = None
    batches: Any = None

    @classmethod
    def create(cls, spark: SparkSession) -> "Counter":
        """Return a counter at zero."""
        if is_connect(spark):
            return cls()
        return cls(spark.sparkContext.accumulator(0), spark.sparkContext.accumulator(0))

    def __call__(self, rows: int, batches: int) -> None:
        """Count some more."""
        if self.rows is not None:
            self.rows.add(rows)
            self.batches.add(batches)

    @property
    def done(self) -> int:
        """Rows until now."""
        return 0 if self.rows is None else self.rows.value

    @property
    def requests(self) -> int | None:
        """Requests until now; None where they are not counted."""
        return None if self.batches is None else self.batches.value


@contextmanager
def watch_progress(counter: Counter, total: int, show: Callable[[int, int], None]) -> Iterator[None]:
    """Call ``show(rows done, rows in all)`` while the block runs a job."""
    over = threading.Event()
    watcher = threading.Thread(target=_watch, args=(counter, total, show, over), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        show(total if counter.rows is None else min(counter.done, total), total)


def _watch(counter: Counter, total: int, show: Callable[[int, int], None], over: threading.Event) -> None:
    while not over.wait(_INTERVAL_SECONDS):
        show(min(counter.done, total), total)
