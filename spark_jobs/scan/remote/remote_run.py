"""A run at an address: it is made beside the others, and is a run once its summary.json is there, which comes last.

An object store has no directories to rename: what is put in place is copied file by file, and somebody may look
meanwhile. None of that is a run to those who read runs, because they begin with summary.json. So a driver may be killed
at any time: what it leaves are directories `.running-…`, which a scan deletes a week later, or one without
summary.json, which the next run of that name replaces. Until a run is in place that of the same name is kept beside it,
in `.running-…-old`, and is put back where the file system fails.
"""

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pyspark.sql import SparkSession

from spark_jobs.common.hadoop_files import HadoopFiles
from spark_jobs.common.schemas import RUN_TABLES
from spark_jobs.scan.tables import LINES
from warden.base.errors import InputError, ScanError
from warden.base.files.address import Address, Place

__all__ = ["SUMMARY", "RemoteRun", "fetch_run", "fetch_summaries", "open_remote_run", "put_report"]

SUMMARY = "summary.json"
"""The file of a run that is put in place last."""

_METRICS = "metrics.json"
_PREFIX, _STAMP = ".running-", "%Y%m%dT%H%M%SZ"
_ABANDONED = timedelta(days=7)  # no scan takes so long


class RemoteRun:
    """A run that is being made.

    Args:
        files: The file systems.
        out: The address of runs.
        run_id: Its name.

    Attributes:
        staging: Where its tables are written.
        target: Where it goes.
    """

    def __init__(self, files: HadoopFiles, out: Address, run_id: str) -> None:
        self._files = files
        self.staging = out / f"{_PREFIX}{datetime.now(UTC):{_STAMP}}-{uuid.uuid4().hex}"
        self.target = out / run_id

    def fetch_tables(self, directory: Path) -> None:
        """Copy the tables to a directory, from which reports are made."""
        self._files.fetch(self.staging / LINES, directory / LINES)
        for table in RUN_TABLES:
            for name in self._files.list_files(self.staging / table):
                self._files.fetch(self.staging / table / name, directory / table / name)

    def publish(self, directory: Path) -> None:
        """Put the run in the place of one of the same name.

        Args:
            directory: The files of the run that are not at the address yet, summary.json among them.

        Raises:
            InputError: The file system fails; the run of the same name is there as before, or the text says where.
            ScanError: Somebody else has written to the same place meanwhile.
        """
        files, there = self._files, self._files.list_children(self.staging)
        for path in sorted(directory.iterdir()):
            if path.is_file() and path.name not in there and not path.name.startswith("."):
                files.put(path, self.staging / path.name)
        expected = {name: size for name, size in files.list_files(self.staging).items() if name != SUMMARY}
        old = self.staging.parent / f"{self.staging.name}-old"
        try:
            self._move_files(self.target, old, self._list_run(self.target))
            try:
                self._put_in_place(old, expected)
            except InputError:
                files.delete(self.target)
                raise
        except InputError as error:
            self._put_back(old, error)
            raise
        files.delete(old)

    def _put_in_place(self, old: Address, expected: dict[str, int]) -> None:
        files, (summary, *names) = self._files, self._list_run(self.staging)
        files.delete(self.target)
        self._move_files(self.staging, self.target, names)
        if files.list_files(self.target) != expected:
            kept = f"; the one before is in {old}" if files.has(old) else ""
            raise ScanError(f"{self.target}: another scan writes the same run: give each a --run-id of its own{kept}")
        files.move(self.staging / summary, self.target / summary)

    def _put_back(self, old: Address, error: InputError) -> None:
        try:
            names = self._list_run(old)
            for name in names:
                self._files.delete(self.target / name)
            self._move_files(old, self.target, reversed(names))
            self._files.delete(old)
        except InputError:
            raise InputError(f"{error}; the run that was there is in {old}: move it back") from error

    def _list_run(self, address: Address) -> list[str]:
        """The names in a run; its summary, without which it is none, comes first."""
        return sorted(self._files.list_children(address), key=lambda name: name != SUMMARY)

    def _move_files(self, source: Address, target: Address, names: Iterable[str]) -> None:
        if self._files.has(source):
            self._files.make_directory(target)
        for name in names:
            self._files.move(source / name, target / name)


@contextmanager
def open_remote_run(spark: SparkSession, out: Address | None, run_id: str) -> Iterator[RemoteRun | None]:
    """Yield a run to be made at an address, whose scratch is deleted at the end; None without an address.

    Raises:
        InputError: Nothing can be written there.
    """
    if out is None:
        yield None
        return
    files = HadoopFiles(spark)
    run = RemoteRun(files, out, run_id)
    files.make_directory(run.staging)
    try:
        _sweep(files, out)
        yield run
    finally:
        files.delete(run.staging)


def fetch_run(spark: SparkSession, address: Address, directory: Path) -> Address:
    """Copy a run to a directory, and return its own address.

    Args:
        spark: A session.
        address: That of a run, or of runs, of which the one whose summary.json is the newest is taken; of several that
            were written at one time, the last by name.
        directory: Where it goes.

    Raises:
        InputError: There is no run.
    """
    files = HadoopFiles(spark)
    if not files.has(address / SUMMARY):
        times = [(files.read_time(run / SUMMARY), run) for run in _list_directories(files, address)]
        dated = [(time, run) for time, run in times if time is not None]
        if not dated:
            raise InputError(f"{address}: no run, and no directory of runs: no {SUMMARY} is there")
        _, address = max(dated)
    for name in files.list_files(address):
        files.fetch(address / name, directory / name)
    return address


def fetch_summaries(spark: SparkSession, address: Address, directory: Path) -> None:
    """Copy what says which runs there are to a directory, as those runs: of each its summary and its figures.

    Args:
        spark: A session.
        address: That of runs.
        directory: Where it goes; missing yet, and left so where nothing is at the address.
    """
    files = HadoopFiles(spark)
    for run in _list_directories(files, address):
        directory.mkdir(parents=True, exist_ok=True)
        there = files.list_children(run)
        for name in (SUMMARY, _METRICS):
            if SUMMARY in there and name in there:
                files.fetch(run / name, directory / run.name / name)


def put_report(spark: SparkSession, path: Path, directory: Path, address: Address) -> Place:
    """Put a report that is in a run's copy to the run, and return the place where it is.

    Args:
        spark: A session.
        path: The report; one that is not in the copy stays where it is.
        directory: The copy.
        address: The run.
    """
    if path.parent != directory:
        return path
    HadoopFiles(spark).put(path, address / path.name)
    return address / path.name


def _list_directories(files: HadoopFiles, address: Address) -> list[Address]:
    """Return the directories that may be runs: one that is being made has a summary.json for a while, and is none."""
    children = files.list_children(address).items()
    return [address / name for name, is_directory in children if is_directory and not name.startswith(".")]


def _sweep(files: HadoopFiles, out: Address) -> None:
    """Delete what drivers left that were killed: nobody can say of a younger one whether its driver lives."""
    for name in files.list_children(out):
        stamp = name.removeprefix(_PREFIX).partition("-")[0]
        if name.startswith(_PREFIX) and stamp < f"{datetime.now(UTC) - _ABANDONED:{_STAMP}}":
            files.delete(out / name)
