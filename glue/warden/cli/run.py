"""``warden run``: the whole thing once, on the embedded estate or a live cluster."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from warden.cli.completion import PROFILE
from warden.cli.report_option import Wanted, check_reports, report_option
from warden.report.summary import SEVERITIES
from warden.snapshot.estate import OBSERVED_AT, TOPICS, write_estate

__all__ = ["command"]


@click.command()
@click.option("--bootstrap-server", metavar="HOST:PORT", help="Judge this live cluster instead of the embedded estate.")
@click.option("--cluster", metavar="NAME", help="Name of the live cluster.  [default: Kafka's cluster id]")
@click.option(
    "--command-config",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Kafka client properties for the live cluster.",
)
@click.option(
    "--topics", type=click.IntRange(min=1), default=TOPICS, show_default=True, help="Size of the embedded estate."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same estate.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("build/runs"),
    show_default=True,
    help="Directory for the results.",
)
@click.option(
    "--settings",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="YAML laid over the shipped settings.",
)
@click.option("--profile", type=PROFILE, metavar="NAME", help="Profile between the two: see `warden bundle profiles`.")
@click.option("--master", default="local[*]", show_default=True, help="Spark's master URL.")
@click.option(
    "--fail-on", type=click.Choice(SEVERITIES), help="Exit with 1 when a rule of this severity or a graver one denies."
)
@report_option
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def command(
    bootstrap_server: str | None,
    cluster: str | None,
    command_config: Path | None,
    topics: int,
    seed: int,
    out: Path,
    settings: Path | None,
    profile: str | None,
    master: str,
    fail_on: str | None,
    report: tuple[Wanted, ...],
    output: str,
) -> int:
    """Build the bundle, start OPA, take an estate, judge all of it, and show what was found.

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
    from warden.cli.scan import judge_and_show
    from warden.cli.snapshot import take_snapshot
    from warden.kafka.security import read_properties
    from warden.scan.plan import Plan
    from warden.toolchain.progress import working

    check_reports(report, "parquet")
    with TemporaryDirectory(prefix="warden-run-") as directory:
        snapshot = Path(directory) / "snapshot"
        if bootstrap_server:
            source = f"live cluster at {bootstrap_server}"
            plan = Plan(snapshot, out)
            take_snapshot(
                bootstrap_server,
                cluster,
                snapshot,
                security=read_properties(command_config) if command_config else None,
            )
        else:
            source = f"embedded estate, seed {seed}"
            plan = Plan(snapshot, out, now=OBSERVED_AT)
            with working(f"making an estate of {topics:,} topics"):
                write_estate(snapshot, topics, seed=seed)
        return judge_and_show(
            plan,
            settings=settings,
            profile=profile,
            source=source,
            master=master,
            fail_on=fail_on,
            reports=report,
            output=output,
        )
