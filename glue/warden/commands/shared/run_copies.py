"""Runs that a command reads, wherever they are: Spark copies to a temporary directory what is at an address."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from warden.base.extras import check_extras
from warden.base.files.address import Address, Place, show_original_addresses
from warden.commands.shared.spark_options import SparkOptions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from warden.analyse.report.finished_run import Run

__all__ = ["RunCopies", "copy_runs"]


@dataclass(frozen=True)
class RunCopies:
    """Runs on this machine.

    Args:
        directories: Name of the option → the directory of its run, or one of runs; a copy has one run.
        addresses: Name of the option → the run's own address, of those that are copies.
        spark: The session where there are copies.
    """

    directories: Mapping[str, Path]
    addresses: Mapping[str, Address] = field(default_factory=dict)
    spark: "SparkSession | None" = None

    def select_new_since_last(self, name: str, run: "Run") -> "Run":
        """Return a run as it is about what is new since the newest whole run before it, if one is beside it.

        Args:
            name: The option of the run.
            run: The run, or its copy.

        Raises:
            InputError: The summary of a run is damaged.
        """
        from warden.analyse.notify.run_notify import find_run_before, select_new_since_last
        from warden.analyse.report.finished_run import open_run
        from warden.analyse.report.new_findings import select_new

        if self.spark is None or name not in self.addresses:
            return select_new_since_last(run)
        from spark_jobs.scan.remote.remote_run import fetch_run, fetch_summaries

        runs, copy = self.addresses[name].parent, self.directories[name]
        copies = copy.with_name(f".beside-{copy.name}")
        with show_original_addresses({copies: runs}):
            fetch_summaries(self.spark, runs, copies)
            before = find_run_before(run, copies, runs)
            if before is None:
                return run
            fetch_run(self.spark, runs / before.name, before)
            return select_new(open_run(before), run)

    def put_report(self, name: str, path: Path) -> Place:
        """Put a report that is in a run's copy to the run, and return where it is.

        Args:
            name: The option of the run.
            path: The report; one that is not in a copy stays where it is.
        """
        if self.spark is None or name not in self.addresses:
            return path
        from spark_jobs.scan.remote.remote_run import put_report

        return put_report(self.spark, path, self.directories[name], self.addresses[name])


@contextmanager
def copy_runs(options: SparkOptions, places: Mapping[str, Place | None]) -> Iterator[RunCopies]:
    """Yield runs on this machine; errors name them by their addresses, and copies vanish at the end.

    Args:
        options: The Spark that copies, which is started only where there is an address.
        places: Name of an option → the run that it says, or runs, whose latest is taken.

    Raises:
        ConfigurationError: Spark cannot start, or has the file systems elsewhere.
        InputError: There is no run at an address.
    """
    paths = {name: place for name, place in places.items() if isinstance(place, Path)}
    addresses = {name: place for name, place in places.items() if isinstance(place, Address)}
    if not addresses:
        yield RunCopies(paths)
        return
    options.check_places(places)
    check_extras("pyspark")
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(TemporaryDirectory(prefix="warden-runs-")))
        copies = {name: scratch / str(number) for number, name in enumerate(addresses)}
        stack.enter_context(show_original_addresses({copies[name]: address for name, address in addresses.items()}))
        spark = stack.enter_context(options.open_session())
        from spark_jobs.scan.remote.remote_run import fetch_run

        fetched = {name: fetch_run(spark, address, copies[name]) for name, address in addresses.items()}
        yield RunCopies(paths | copies, fetched, spark)
