"""``warden settings propose``: settings that an estate can begin with, from what its snapshot breaks."""

from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warden.base.errors import ConfigurationError
from warden.base.extras import check_extras
from warden.commands import EXIT_OK
from warden.commands.shared.completion import PROFILE
from warden.commands.shared.options import argument, group, option, with_options
from warden.commands.shared.place_option import LocalPath
from warden.commands.shared.spark_options import SparkOptions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["command"]


@dataclass(frozen=True, kw_only=True)
class ProposeOptions:
    """What to look at, what the proposal lies on, and where it goes."""

    snapshot: Path = argument(type=LocalPath(path_type=Path), metavar="SNAPSHOTS")
    profile: str | None = option("--profile", type=PROFILE, metavar="NAME", help="Profile that the settings lie on.")
    out: Path = option(
        "--out",
        type=LocalPath(path_type=Path, dir_okay=False),
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

    A rule that nothing breaks denies from the first day; one that nearly everything keeps warns; any other is recorded
    alone (dryrun). What breaks a rule already needs no waiver, since a change that does not make it worse is only
    warned of; where `found: deny` has it otherwise, each topic that breaks such a rule gets one. Comments say how many
    break each rule by class of clusters (names with the same beginning, such as prod-*), and which bounds 95, 99 and
    100 % would pass. Of rules about changes a snapshot says nothing: they stay as they are.

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
    from spark_jobs.analyse.count_snapshot import count_snapshot
    from spark_jobs.analyse.replay_run import replay_run
    from warden.analyse.check.result import format_count
    from warden.analyse.impact.run_impact import ImpactRun, SideSource, run_impact
    from warden.analyse.proposal.propose import write_proposal
    from warden.analyse.report.impact.show import format_markdown

    today = datetime.now(UTC).date()
    run = ImpactRun(
        baseline=SideSource(profile=options.profile),
        candidate=SideSource(profile=options.profile, settings=options.out),
        snapshot=options.snapshot,
    )
    with ExitStack() as stack:

        @cache  # the scans begin, and what their proposal would change is found out by the same Spark
        def start_spark() -> "SparkSession":
            return stack.enter_context(options.spark.open_session())

        def open_spark() -> AbstractContextManager["SparkSession"]:
            return nullcontext(start_spark())

        counting = partial(count_snapshot, open_spark)
        proposal = write_proposal(options.snapshot, options.profile, options.out, today, counting)
        impact = run_impact(run, partial(replay_run, open_spark))
    beside.write_text(format_markdown(impact), encoding="utf-8")
    shown = ", ".join(f"{proposal.modes.get(mode, 0)} {mode}" for mode in ("deny", "warn", "dryrun"))
    on = format_count(proposal.clusters, "cluster")
    waivers = format_count(proposal.waivers, "waiver")
    click.echo(f"{options.out}: {sum(proposal.modes.values())} rules counted on {on}: {shown}")
    click.echo(f"{options.out}: {waivers}, {proposal.uncounted} rules as they were")
    click.echo(f"{beside}: what it would change")
    return EXIT_OK
