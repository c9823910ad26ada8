"""``warden impact``: what another policy would change."""

from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.completion import PROFILE
from warden.cli.output import console

if TYPE_CHECKING:
    from warden.impact.bundles import Side
    from warden.impact.summary import Impact

__all__ = ["command"]

_PATH = click.Path(path_type=Path)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.option("--baseline", type=_PATH, metavar="PATH", help="The policy of today: see below.  [default: as shipped]")
@click.option("--candidate", type=_PATH, metavar="PATH", help="The policy to come: see below.  [default: as shipped]")
@click.option("--baseline-settings", type=_FILE, metavar="FILE", help="Settings laid over the baseline's.")
@click.option("--candidate-settings", type=_FILE, metavar="FILE", help="Settings laid over the candidate's.")
@click.option("--baseline-profile", type=PROFILE, metavar="NAME", help="Profile laid over the baseline's settings.")
@click.option("--candidate-profile", type=PROFILE, metavar="NAME", help="Profile laid over the candidate's settings.")
@click.option(
    "--decisions",
    type=_PATH,
    multiple=True,
    metavar="PATH",
    help="OPA's decision log, a file or a directory of them, plain or gzipped; may be repeated.",
)
@click.option(
    "--snapshot", type=_PATH, metavar="DIR", help="Snapshot directory, whose topics are judged as a scan does."
)
@click.option(
    "--now",
    type=click.DateTime(["%Y-%m-%dT%H:%M:%SZ"]),
    help="The time at which a snapshot is judged, UTC; the clock otherwise. Decisions keep their own.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["newly-denied", "any", "none"]),
    default="newly-denied",
    show_default=True,
    help="What ends with exit status 1.",
)
@click.option("--samples", type=click.IntRange(0), default=3, show_default=True, help="Inputs shown for each change.")
@click.option("--out", type=_PATH, metavar="DIR", help="Keep every judged input, and every one left out, as Parquet.")
@click.option("--master", default="local[*]", show_default=True, help="Spark's master URL.")
@click.option(
    "--output",
    type=click.Choice(["text", "json", "markdown", "html"]),
    default="text",
    show_default=True,
    help="What to print.",
)
def command(
    baseline: Path | None,
    candidate: Path | None,
    baseline_settings: Path | None,
    candidate_settings: Path | None,
    baseline_profile: str | None,
    candidate_profile: str | None,
    decisions: tuple[Path, ...],
    snapshot: Path | None,
    now: datetime | None,
    fail_on: str,
    samples: int,
    out: Path | None,
    master: str,
    output: str,
) -> int:
    """Show what a change of the policy would change, before it bites.

    Every recorded decision is asked again under both policies, at the time at which it was made; every topic of a
    snapshot is judged under both. What is newly denied, newly allowed or denied in other words is counted by rule and
    by owner, with samples, beside the settings that changed. A decision whose input the log shows masked cannot be
    replayed: it is named, and never counted as unchanged.

    PATH of --baseline and --candidate is a bundle (bundle.tar.gz), a settings file (.yaml) over the policies that ship
    with Warden, a directory of policies, or a checkout of Warden, which builds its own bundle.

    Exit status: 0 nothing that --fail-on names, 1 something of it, 2 nothing was compared.

    \b
    Examples:
      warden impact --candidate new-settings.yaml --decisions /var/log/opa/decisions
      warden impact --baseline prod.tar.gz --candidate new.tar.gz --snapshot snapshots
      warden impact --baseline-settings prod.yaml --candidate-settings new.yaml \\
          --decisions logs --snapshot snapshots --output markdown >> comment.md
      git worktree add ../main main && warden impact --baseline ../main --candidate . --snapshot snapshots
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.impact.bundles import obtain
    from warden.toolchain.progress import working

    _check(decisions, snapshot)
    with TemporaryDirectory(prefix="warden-impact-") as scratch:
        work = Path(scratch)
        with working("building the two bundles"):
            sides = [
                obtain("baseline", baseline, baseline_settings, baseline_profile, work / "baseline"),
                obtain("candidate", candidate, candidate_settings, candidate_profile, work / "candidate"),
            ]
        impact = _analysed(sides, decisions, snapshot, now, samples, out, master, work)
    _print(impact, output)
    failed = {"newly-denied": impact.denies, "any": impact.changes, "none": False}[fail_on]
    return EXIT_DENIED if failed else EXIT_OK


def _check(decisions: tuple[Path, ...], snapshot: Path | None) -> None:
    """Say at once what is wrong, before anything is started."""
    from warden.errors import ConfigurationError, InputError
    from warden.snapshot.layout import latest_partitions

    if not decisions and snapshot is None:
        raise ConfigurationError("there is nothing to judge: give --decisions, --snapshot or both")
    for path in decisions:
        if not path.exists():
            raise InputError(f"--decisions {path}: no such file or directory: name OPA's decision log")
    if snapshot is not None:
        latest_partitions(snapshot)


def _analysed(
    sides: "list[Side]",
    decisions: tuple[Path, ...],
    snapshot: Path | None,
    now: datetime | None,
    samples: int,
    out: Path | None,
    master: str,
    work: Path,
) -> "Impact":
    from dataclasses import replace

    from warden.impact.bundles import policy_changes
    from warden.impact.local import address, asked_opas, load_states
    from warden.impact.settings import setting_changes
    from warden.scan.local import spark_here
    from warden.toolchain.progress import working

    with ExitStack() as stack:
        servers = stack.enter_context(asked_opas(sides, work))
        spark = stack.enter_context(spark_here(master))

        from spark_jobs.decision_log import read_decisions
        from spark_jobs.failures import readable_failures
        from spark_jobs.impact_analysis import Question, analyse
        from spark_jobs.impact_inputs import stateless_clusters

        states: list[str] = []
        if decisions and snapshot is not None:
            with readable_failures():
                wanted = stateless_clusters(read_decisions(spark, decisions))
            states = load_states(servers, snapshot, wanted)
        question = Question(decisions, snapshot, now.replace(tzinfo=UTC) if now else None, states, samples)
        with working("judging under both policies"):
            found = analyse(spark, question, address(servers[0]), address(servers[1]), out or work / "out")
    settings = setting_changes(sides[0].settings, sides[1].settings)
    return replace(found, settings=settings, policies=policy_changes(*sides))


def _print(impact: "Impact", output: str) -> None:
    from warden.impact.show import json_text, markdown, show

    if output == "text":
        show(impact, console())
    elif output == "html":
        from warden.impact.page import impact_page

        click.echo(impact_page(impact))
    else:
        click.echo({"json": json_text, "markdown": markdown}[output](impact))
