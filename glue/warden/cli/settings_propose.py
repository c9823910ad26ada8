"""``warden settings propose``: settings that an estate can begin with, from what its snapshot breaks."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from warden.cli import EXIT_OK
from warden.cli.completion import PROFILE
from warden.cli.impact import compare
from warden.cli.impact_options import ImpactOptions
from warden.cli.options import argument, group, option, with_options
from warden.cli.spark_options import SparkOptions
from warden.errors import ConfigurationError
from warden.extras import check_extras

if TYPE_CHECKING:
    from warden.bundle.proposal import ProposalRules

__all__ = ["command"]


@dataclass(frozen=True, kw_only=True)
class ProposeOptions:
    """What to look at, what the proposal lies on, and where it goes."""

    snapshot: Path = argument(type=click.Path(path_type=Path), metavar="SNAPSHOTS")
    profile: str | None = option("--profile", type=PROFILE, metavar="NAME", help="Profile that the settings lie on.")
    out: Path = option(
        "--out",
        type=click.Path(path_type=Path, dir_okay=False),
        default=Path("proposed.yaml"),
        show_default=True,
        metavar="FILE",
        help="The settings; what they would change goes beside it, into a file that ends with .impact.md.",
    )
    force: bool = option("--force", is_flag=True, help="Replace FILE where it is there.")
    spark: SparkOptions = group(SparkOptions)


@click.command("propose")
@with_options(ProposeOptions)
def command(options: ProposeOptions) -> int:
    """Write settings that fit what is there, from the newest day of each cluster in the directory SNAPSHOTS.

    A rule that nothing breaks denies from the first day; one that nearly everything keeps warns, with a waiver for each
    topic that breaks it; any other is recorded alone (dryrun). Comments say how many break each rule by class of
    clusters (names with the same beginning, such as prod-*), and which bounds 95, 99 and 100 % would pass. Of
    rules about changes a snapshot says nothing: they stay as they are.

    \b
    Examples:
      warden settings propose snapshots
      warden settings propose snapshots --profile production --out production.yaml
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    check_extras("pyspark", "pyarrow", "pandas", "jinja2")
    beside = options.out.with_suffix(".impact.md")
    for path in (options.out, beside):
        if path.exists() and not options.force:
            raise ConfigurationError(f"{path} is there already: give --force to replace it, or another --out")
    from warden.analysis.baseline.text import settings_text
    from warden.bundle.proposal import ProposalRules
    from warden.cli.settings import layers_of
    from warden.report.check.result import counted
    from warden.report.impact.show import markdown
    from warden.resources import share
    from warden.snapshot.layout import latest_partitions
    from warden.toolchain.opa import find_opa

    clusters = [part.cluster for part in latest_partitions(options.snapshot)]
    rules = ProposalRules.read(find_opa(), share("policies"), options.profile)
    proposed = rules.proposal(_counts(options, rules, clusters), datetime.now(UTC).date())
    options.out.write_text(
        settings_text(proposed, source=str(options.snapshot), profile=options.profile), encoding="utf-8"
    )
    layers_of(options.out, options.profile)
    candidate = ImpactOptions(
        snapshot=options.snapshot,
        baseline_profile=options.profile,
        candidate_profile=options.profile,
        candidate_settings=options.out,
        spark=options.spark,
    )
    beside.write_text(markdown(compare(candidate)), encoding="utf-8")
    modes = [rule["mode"] for rule in proposed["rules"].values()]
    shown = ", ".join(f"{modes.count(mode)} {mode}" for mode in ("deny", "warn", "dryrun"))
    on = counted(len(clusters), "cluster")
    waivers = counted(len(proposed["waivers"]), "waiver")
    click.echo(f"{options.out}: {len(modes)} rules counted on {on}: {shown}")
    click.echo(f"{options.out}: {waivers}, {len(proposed['uncounted'])} rules as they were")
    click.echo(f"{beside}: what it would change")
    return EXIT_OK


def _counts(options: ProposeOptions, rules: "ProposalRules", clusters: list[str]) -> dict[str, Any]:
    """Scan the snapshot under each of the survey's settings, and count."""
    import json

    from warden.opa.session import OpaOptions
    from warden.scan.plan import Plan

    survey = rules.survey(clusters)
    with TemporaryDirectory(prefix="warden-propose-") as scratch, options.spark.session() as spark:
        from spark_jobs.analysis.baseline import count_baseline
        from spark_jobs.common.errors import readable_errors
        from spark_jobs.common.job_opa import open_job_opa
        from spark_jobs.scan.run_scan import run_scan

        runs = {}
        for name, settings in survey["settings"].items():
            file = Path(scratch) / f"{name}.yaml"
            file.write_text(json.dumps(settings), encoding="utf-8")
            with open_job_opa(spark, OpaOptions(settings=file)) as session:
                plan = Plan(options.snapshot, Path(scratch) / "runs", run_id=name, remember=False)
                runs[name] = run_scan(spark, plan, session.endpoint, here=session.driver).directory
        with readable_errors():
            return count_baseline(spark, runs, survey)
