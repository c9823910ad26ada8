"""Cached decisions, as Parquet files that Spark reads and writes; and runs, whose tables are read again.

    <directory>/<context>/part-<n>/*.parquet
                          run-<inputs>          where the results of the last run about these inputs are

A context is one policy (`PolicyVersion.context`). A part holds what one run had evaluated, so that no input is in two
of them; it appears by a rename, and only where no other run has added one since this one looked. ERRORs are not
cached: they are evaluated again.
"""

import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from spark_jobs.common.place_files import escape_pattern
from spark_jobs.common.schemas import INPUT_DECISION
from spark_jobs.scan.tables import RESULTS
from warden.analyse.scan.decision_rows import ERROR
from warden.base.errors import InputError
from warden.base.files.address import Place
from warden.base.files.private import is_own, make_private_directory, open_private, write_private

__all__ = ["DecisionCache", "read_parts"]

_UNUSED_SECONDS = 30 * 24 * 3600
_CONTEXT = re.compile("[0-9a-f]{16}")
_ENTRIES = ("part-", "run-", ".")  # of a context; a directory that holds anything else is somebody else's


@dataclass(frozen=True)
class DecisionCache:
    """The cached decisions of one context.

    Args:
        root: The cache, for all contexts.
        context: The policy.
        parts: What was there when it was opened.
    """

    root: Path
    context: str
    parts: tuple[Path, ...]

    @classmethod
    def open(cls, root: Path, context: str) -> "DecisionCache":
        """Look what is cached.

        Raises:
            InputError: The directory cannot be made, or others may write to it.
        """
        directory = root / context
        try:
            root.parent.mkdir(parents=True, exist_ok=True)
            make_private_directory(directory)  # who writes there decides
        except OSError as error:
            reason = f"decisions cannot be remembered there ({error.strerror})"
            raise InputError(f"{root}: {reason}: give --cache") from error
        if not (is_own(root) and is_own(directory)):
            reason = "others may write there, and what is remembered decides"
            raise InputError(f"{root}: {reason}: chmod -R go-w it if you trust what is there, or give --cache")
        os.utime(directory)  # so that it counts as used
        return cls(root, context, _list_parts(directory))

    def read(self, spark: SparkSession) -> DataFrame | None:
        """Return cached decisions with the columns of `INPUT_DECISION`, no ERROR among them; None if none are."""
        return read_parts(spark, self.parts)

    def run(self, inputs: str) -> Path | None:
        """Return the directory of an earlier run about the same inputs, on all of which it has a decision.

        Args:
            inputs: Their hash (`warden.analyse.scan.input_hash.hash_inputs`).

        Returns:
            None where there is none, where there is another run now, where something of it is gone, or where somebody
            else may have written to it.
        """
        try:
            run_directory = Path((self.root / self.context / f"run-{inputs}").read_text(encoding="utf-8"))
            metrics = json.loads((run_directory / "metrics.json").read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        whole = all((run_directory / name).exists() for name in (*RESULTS, "summary.json"))
        same = isinstance(metrics, dict) and (metrics.get("inputs"), metrics.get("notEvaluated")) == (inputs, 0)
        return run_directory if whole and same and _is_own_tree(run_directory) else None

    def add_run(self, inputs: str, run_directory: Path) -> None:
        """Note where the results of a run are going to be; its metrics say what they are about."""
        pointer = self.root / self.context / f"run-{inputs}"
        new = pointer.with_name(f".{pointer.name}-{os.getpid()}")
        write_private(new, str(run_directory.resolve()))
        new.replace(pointer)

    def add(self, written: Place) -> Path | None:
        """Move a directory of decisions in, and forget contexts that nobody has used for 30 days.

        Args:
            written: It is on this machine, as the cache is.

        Returns:
            Where it is now. None where another run has added something meanwhile: both may have evaluated the same
            input, so this one is not cached.
        """
        directory = self.root / self.context
        with _lock(self.root / ".lock"):
            if _list_parts(directory) != self.parts:
                return None
            moving, part = (directory / f"{prefix}-{len(self.parts)}" for prefix in (".moving", "part"))
            shutil.rmtree(moving, ignore_errors=True)
            shutil.move(str(written), moving)
            moving.rename(part)
            for entry in self.root.iterdir():
                if entry != directory and _is_unused_context(entry):
                    shutil.rmtree(entry, ignore_errors=True)
        return part


def read_parts(spark: SparkSession, parts: Sequence[Place]) -> DataFrame | None:
    """Return the decisions in some parts, with the columns of `INPUT_DECISION`, no ERROR among them; None without any.

    Args:
        spark: A session.
        parts: The directories that were written.
    """
    if not parts:
        return None
    return spark.read.schema(INPUT_DECISION).parquet(*map(escape_pattern, parts)).where(F.col("status") != F.lit(ERROR))


def _is_unused_context(entry: Path) -> bool:
    """Whether an entry of a cache is a context that nobody has used: `--cache` may name a directory of other files."""
    return (
        _CONTEXT.fullmatch(entry.name) is not None
        and entry.is_dir()
        and time.time() - entry.stat().st_mtime > _UNUSED_SECONDS
        and all(child.name.startswith(_ENTRIES) for child in entry.iterdir())
    )


def _is_own_tree(directory: Path) -> bool:
    return is_own(directory) and all(is_own(path) for path in directory.rglob("*"))


def _list_parts(directory: Path) -> tuple[Path, ...]:
    return tuple(sorted(directory.glob("part-*"), key=lambda part: int(part.name.partition("-")[2])))


@contextmanager
def _lock(lock: Path) -> Iterator[None]:
    with open_private(lock) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
