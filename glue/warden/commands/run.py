"""``warden run``: everything once, on the embedded estate or a live cluster."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from warden.base.extras import check_extras
from warden.commands.shared.completion import PROFILE
from warden.commands.shared.options import COMMAND_CONFIG, SITE, group, option, read_login, with_options
from warden.commands.shared.place_option import LocalPath
from warden.commands.shared.report_option import check_reports
from warden.commands.shared.scan_options import ResultOptions, ScanOptions
from warden.commands.shared.spark_options import SparkOptions
from warden.demo.estate import OBSERVED_AT, TOPICS, write_estate

__all__ = ["RunOptions", "command"]


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What to scan, under which settings, and where the results go."""

    bootstrap_server: str | None = option(
        "--bootstrap-server", metavar="HOST:PORT", help="Scan this live cluster instead of the embedded estate."
    )
    cluster: str | None = option(
        "--cluster", metavar="NAME", help="Name of the live cluster.  [default: Kafka's cluster id]"
    )
    command_config: Path | None = option("--command-config", **COMMAND_CONFIG)
    topics: int = option(
        "--topics", type=click.IntRange(min=1), default=TOPICS, show_default=True, help="Size of the embedded estate."
    )
    seed: int = option("--seed", type=int, default=1, show_default=True, help="Same seed, same estate.")
    settings: Path | None = option(
        "--settings",
        type=LocalPath(path_type=Path, exists=True, dir_okay=False),
        help="YAML laid over the shipped settings.",
    )
    profile: str | None = option(
        "--profile", type=PROFILE, metavar="NAME", help="Profile between the two: see `warden bundle profiles`."
    )
    site: tuple[Path, ...] = option("--site", type=SITE, multiple=True, help="Directory of your own rules; repeatable.")
    spark: SparkOptions = group(SparkOptions)
    results: ResultOptions = group(ResultOptions)


@click.command()
@with_options(RunOptions)
def command(options: RunOptions) -> int:
    """Build the bundle, start OPA, take an estate, scan all of it, and show what was found.

    Without --bootstrap-server the estate is the embedded one: 20,000 topics on 12 clusters, the same on every machine,
    with the faults of real life in it. It ends with 0, whatever was found, unless --fail-on says otherwise.

    \b
    Examples:
      warden run
      warden run --topics 200000
      warden run --profile regulated-data --settings settings.yaml
      warden run --bootstrap-server localhost:9092 --fail-on critical
      warden run --bootstrap-server localhost:9092 --report sarif --report csv=findings.csv
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.base.process.progress import show_working
    from warden.commands.scan import scan
    from warden.commands.snapshot import take_snapshot
    from warden.policy.opa.session import build_in_background

    check_extras("pyspark", "pyarrow", "pandas", "jinja2")

    check_reports(options.results.report, "parquet")
    with TemporaryDirectory(prefix="warden-run-") as directory:
        snapshot, server = Path(directory) / "snapshot", options.bootstrap_server
        scanned = ScanOptions(
            snapshot=snapshot,
            settings=options.settings,
            profile=options.profile,
            site=options.site,
            now=None if server else OBSERVED_AT,
            spark=options.spark,
            results=options.results,
        )
        with build_in_background(scanned.build_opa_options()) as built:
            if server:
                source = f"live cluster at {server}"
                security = read_login(options.command_config)
                take_snapshot(server, options.cluster, snapshot, security=security)
            else:
                source = f"embedded estate, seed {options.seed}"
                with show_working(f"making an estate of {options.topics:,} topics"):
                    write_estate(snapshot, options.topics, seed=options.seed)
            return scan(scanned, source=source, built=built)
