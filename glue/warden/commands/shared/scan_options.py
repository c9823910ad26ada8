"""Options of ``warden scan``, for the command line and for spark-submit, and the plan that they make."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warden.base.errors import ConfigurationError
from warden.base.files.address import Address, Place
from warden.commands.shared.choice import Choice
from warden.commands.shared.completion import PROFILE
from warden.commands.shared.options import MAX_ITEM_BYTES, OPA_CA_FILE, REVISION_FILE, SITE, argument, group, option
from warden.commands.shared.place_option import LocalPath, PlaceType
from warden.commands.shared.report_option import ReportFile, check_reports, report_option
from warden.commands.shared.spark_options import SparkOptions
from warden.policy.contract.severities import SEVERITIES

if TYPE_CHECKING:
    from warden.analyse.scan.plan import ScanPlan
    from warden.policy.opa.session import OpaOptions

__all__ = ["ResultOptions", "ScanOptions"]

_PLACE = PlaceType()
_FILE = LocalPath(path_type=Path, exists=True, dir_okay=False)
_DAY = click.DateTime(["%Y-%m-%d"])


@dataclass(frozen=True, kw_only=True)
class ResultOptions:
    """Where the results of a scan go, and what is said about them."""

    out: Place = option(
        "--out",
        type=_PLACE,
        default=Path("build/runs"),
        show_default=True,
        metavar="DIR",
        help="Directory for the results, or its address (s3a://…); each run has its own in it.",
    )
    tables: str | None = option(
        "--tables",
        metavar="FORMAT:PLACE",
        help="Add the run to tables of a lakehouse too: delta:DIR, delta:s3a://…, or iceberg:CATALOG.NAMESPACE of "
        "Spark's session.",
    )
    fail_on: str | None = option(
        "--fail-on",
        type=Choice(SEVERITIES),
        help="Exit with 1 when a rule of this severity, or a more severe one, denies.",
    )
    baseline: Place | None = option(
        "--baseline",
        type=_PLACE,
        metavar="RUN",
        help="An earlier run, or a directory of runs, whose latest is taken: --fail-on and --report are about what is "
        "new since.",
    )
    report: tuple[ReportFile, ...] = report_option()
    notify: Path | None = option(
        "--notify",
        type=LocalPath(path_type=Path, exists=True, dir_okay=False),
        metavar="FILE",
        help="Send messages about the run as `warden notify` does, by this configuration.",
    )
    output: str = option(
        "--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print."
    )


@dataclass(frozen=True, kw_only=True)
class ScanOptions:
    """What to scan, with which OPA, and where the results go."""

    snapshot: Place = argument(type=_PLACE)
    opa_url: tuple[str, ...] = option(
        "--opa-url",
        metavar="URL",
        multiple=True,
        help="An OPA that serves Warden's bundle, as Spark's tasks see it; several take turns. "
        "Otherwise one is started on each host of Spark's tasks.",
    )
    opa_token: str | None = option(
        "--opa-token", metavar="TOKEN", envvar="WARDEN_OPA_QUERY_TOKEN", show_envvar=True, help="Its query token."
    )
    opa_ca_file: Path | None = option("--opa-ca-file", **OPA_CA_FILE)
    settings: Path | None = option("--settings", type=_FILE, help="Settings for the bundle that is built.")
    profile: str | None = option(
        "--profile", type=PROFILE, metavar="NAME", help="Profile for the bundle that is built."
    )
    site: tuple[Path, ...] = option(
        "--site", type=SITE, multiple=True, help="Directory of your own rules, for the bundle that is built."
    )
    bundle: Path | None = option(
        "--bundle", type=_FILE, help="A bundle that `warden bundle build` made; one is built otherwise."
    )
    opa: Path | None = option(
        "--opa", type=_FILE, help="OPA's program for the hosts of Spark's tasks; the pinned one otherwise."
    )
    revision_file: Path | None = option(
        "--revision-file",
        **REVISION_FILE,
        help="File with the highest number of a bundle seen: older ones, of --opa-url or --bundle, are refused.",
    )
    day: datetime | None = option("--day", type=_DAY, help="The day to scan; each cluster's newest otherwise.")
    from_day: datetime | None = option("--from-day", type=_DAY, help="First day of a history to scan.")
    to_day: datetime | None = option("--to-day", type=_DAY, help="Last day of it.  [default: today]")
    now: datetime | None = option(
        "--now",
        type=click.DateTime(["%Y-%m-%dT%H:%M:%SZ"]),
        help="The time of the decisions, UTC. Otherwise the clock; in a history the time of each observation.",
    )
    sample: float = option(
        "--sample", type=float, default=1.0, show_default=True, help="Share of the resources to scan."
    )
    where: str | None = option(
        "--where", metavar="SQL", help="Scan only topics that fulfil a condition of Spark SQL on their columns."
    )
    cache: Place | None = option(
        "--cache",
        type=PlaceType(file_okay=False),
        metavar="DIR",
        help="Directory or address of remembered decisions; who may write there decides.  "
        "[default: .decisions in --out; none where that is an address]",
    )
    no_cache: bool = option("--no-cache", is_flag=True, help="Evaluate everything, and remember nothing.")
    format: str = option(
        "--format",
        default="parquet",
        show_default=True,
        help="Of the tables: parquet, json, csv, orc, or what Spark has.",
    )
    run_id: str | None = option("--run-id", metavar="NAME", help="Name of the run; a run of the same name is replaced.")
    spark: SparkOptions = group(SparkOptions)
    in_flight: int | None = option(
        "--in-flight",
        type=click.IntRange(1, 64),
        help="Requests under way for each Spark task.  [default: 1, with --opa-url 2]",
    )
    max_item_bytes: int = option("--max-item-bytes", **MAX_ITEM_BYTES)
    results: ResultOptions = group(ResultOptions)

    def build_plan(self, copies: Path = Path()) -> "ScanPlan":
        """Return the plan of the scan.

        Args:
            copies: Directory for copies of what is at addresses.

        Raises:
            ConfigurationError: Options contradict each other.
        """
        from warden.analyse.scan.batches import BatchLimits
        from warden.analyse.scan.plan import ScanPlan, choose_concurrency
        from warden.analyse.scan.table_place import parse_table_place

        self._check()
        today = datetime.now(UTC)
        snapshot, out = self.snapshot, self.results.out
        return ScanPlan(
            snapshot if isinstance(snapshot, Path) else copies / "snapshot",
            out if isinstance(out, Path) else copies / "runs",
            snapshot_address=snapshot if isinstance(snapshot, Address) else None,
            out_address=out if isinstance(out, Address) else None,
            tables=parse_table_place(self.results.tables) if self.results.tables else None,
            day=self.day.date() if self.day else None,
            days=(self.from_day.date(), (self.to_day or today).date()) if self.from_day else None,
            now=self.now.replace(tzinfo=UTC) if self.now else None,
            run_id=self.run_id,
            sample=self.sample,
            where=self.where,
            cache=self.cache,
            remember=not self.no_cache,
            format=self.format,
            limits=BatchLimits(item_bytes=self.max_item_bytes),
            in_flight=choose_concurrency(self.in_flight, elsewhere=bool(self.opa_url)),
        )

    def build_opa_options(self) -> "OpaOptions":
        """Return which OPAs decide: those that run, or what those decide by that are started.

        Raises:
            ConfigurationError: Options contradict each other.
        """
        from warden.policy.opa.session import OpaOptions

        bundle = (self.settings, self.profile, self.site, self.bundle)
        return OpaOptions(self.opa_url, self.opa_token, *bundle, self.opa, self.revision_file, ca_file=self.opa_ca_file)

    def _check(self) -> None:
        self.build_opa_options()
        if self.day and (self.from_day or self.to_day):
            raise ConfigurationError("--day is one day, --from-day and --to-day are several: leave out one of them")
        if self.to_day and not self.from_day:
            raise ConfigurationError("--to-day needs --from-day: say where the history begins")
        if (self.spark.master or "").startswith("sc://") and not self.opa_url:
            raise ConfigurationError(
                f"--master {self.spark.master} needs --opa-url of warden scan: "
                "what starts there outlives the scan, OPA as well"
            )
        self._check_addresses()
        if self.results.baseline and self.format != "parquet":
            raise ConfigurationError(
                f"--baseline reads tables in Parquet: leave out --format {self.format}, or --baseline"
            )
        if self.results.tables and self.format != "parquet":
            raise ConfigurationError(
                f"--tables takes over what the run has in Parquet: leave out --format {self.format}, or --tables"
            )
        check_reports(self.results.report, self.format)

    def _check_addresses(self) -> None:
        places = {"SNAPSHOT": self.snapshot, "--out": self.results.out, "--baseline": self.results.baseline}
        self.spark.check_places({**places, "--cache": self.cache})
        if isinstance(self.results.out, Address) and isinstance(self.cache, Path):
            raise ConfigurationError(
                f"--cache {self.cache}: a run at an address is remembered at one: give --cache an address, "
                "or --out a path"
            )
