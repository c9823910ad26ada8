"""How far the running Spark job is, from the status tracker, asked a few times a second."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

__all__ = ["watched"]

_INTERVAL_SECONDS = 0.2


@contextmanager
def watched(spark: SparkSession, show: Callable[[int, int], None]) -> Iterator[None]:
    """Call ``show(tasks done, tasks in all)`` while the block runs a job."""
    over = threading.Event()
    watcher = threading.Thread(target=_watch, args=(spark, show, over), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _watch(spark: SparkSession, show: Callable[[int, int], None], over: threading.Event) -> None:
    tracker = spark.sparkContext.statusTracker()
    while not over.wait(_INTERVAL_SECONDS):
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        done = sum(stage.numCompletedTasks for stage in stages if stage)
        total = sum(stage.numTasks for stage in stages if stage)
        if total:
            show(done, total)
