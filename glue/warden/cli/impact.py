"""``warden impact``: what another policy would change."""

from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.impact_options import ImpactOptions
from warden.cli.options import with_options
from warden.cli.output import console
from warden.errors import ConfigurationError

if TYPE_CHECKING:
    from warden.analysis.impact.bundles import Side
    from warden.analysis.impact.summary import Impact
from warden.extras import check_extras

__all__ = ["command", "compare"]


@click.command()
@with_options(ImpactOptions)
def command(options: ImpactOptions) -> int:
    """Show what a change of the policy would change, before it bites.

    Every recorded decision is made again under both policies, at the time at which it was made; every resource of a
    snapshot is evaluated under both. What is newly denied, newly allowed or denied in other words is counted by rule
    and by owner, with samples, beside the settings that changed. A decision whose input the log shows masked cannot be
    replayed: it is named, and never counted as unchanged.

    PATH of --baseline and --candidate is a bundle (bundle.tar.gz), a settings file (.yaml) over the policies that ship
    with Warden, a directory of policies, or a checkout of Warden, which builds its own bundle.

    --baseline-url and --candidate-url name OPAs that run with the two policies, which a Spark cluster needs: its hosts
    do not reach one that is started here. Settings and policies that changed are not shown then.

    Exit status: 0 nothing that --fail-on names, 1 something of it, 2 nothing was compared.

    \b
    Examples:
      warden impact --candidate new-settings.yaml --decisions /var/log/opa/decisions
      warden impact --baseline prod.tar.gz --candidate new.tar.gz --snapshot snapshots
      warden impact --baseline-settings prod.yaml --candidate-settings new.yaml \\
          --decisions logs --snapshot snapshots --output markdown >> comment.md
      warden impact --candidate-site rules/ --snapshot snapshots
      git worktree add ../main main && warden impact --baseline ../main --candidate . --snapshot snapshots
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    check_extras("pyspark", "pyarrow", "pandas", "jinja2")
    options.check()
    impact = compare(options)
    _print(impact, options.output)
    failed = {"newly-denied": impact.denies, "any": impact.changes, "none": False}[options.fail_on]
    return EXIT_DENIED if failed else EXIT_OK


def compare(options: ImpactOptions) -> "Impact":
    """Evaluate the inputs under both policies.

    Args:
        options: Checked, see `ImpactOptions.check`.
    """
    with TemporaryDirectory(prefix="warden-impact-") as scratch:
        sides = [] if options.endpoints else _sides(options, Path(scratch))
        return _analyse(options, sides, Path(scratch))


def _sides(options: ImpactOptions, work: Path) -> "list[Side]":
    from warden.analysis.impact.bundles import obtain
    from warden.toolchain.progress import working

    baseline = options.baseline, options.baseline_settings, options.baseline_profile
    candidate = options.candidate, options.candidate_settings, options.candidate_profile
    with working("building the two bundles"):
        return [
            obtain("baseline", *baseline, work / "baseline", (*options.site, *options.baseline_site)),
            obtain("candidate", *candidate, work / "candidate", (*options.site, *options.candidate_site)),
        ]


def _analyse(options: ImpactOptions, sides: "list[Side]", work: Path) -> "Impact":
    from warden.analysis.impact.bundles import policy_changes
    from warden.analysis.impact.local import load_states
    from warden.analysis.impact.settings import setting_changes
    from warden.opa.session import start_opa
    from warden.scan.batches import Limits
    from warden.toolchain.progress import working

    with ExitStack() as stack:
        opas = [stack.enter_context(start_opa(side.bundle.path)) for side in sides]
        spark = stack.enter_context(options.spark.session())

        from spark_jobs.analysis.impact import ImpactInputs, analyse
        from spark_jobs.analysis.impact_inputs import stateless_clusters
        from spark_jobs.common.compat import is_this_host
        from spark_jobs.common.errors import readable_errors
        from spark_jobs.sources.decision_log import read_decisions

        if opas and not is_this_host(spark):
            raise ConfigurationError(
                "the hosts of a Spark cluster cannot reach an OPA that is started here: "
                "give --baseline-url and --candidate-url"
            )
        states: list[str] = []
        if opas and options.decisions and options.snapshot is not None:
            with readable_errors():
                clusters = stateless_clusters(read_decisions(spark, options.decisions))
            states = load_states(opas, options.snapshot, clusters)
        now = options.now.replace(tzinfo=UTC) if options.now else None
        limits = Limits(item_bytes=options.max_item_bytes)
        inputs = ImpactInputs(options.decisions, options.snapshot, now, states, options.samples, limits)
        baseline, candidate = options.endpoints or (opas[0].remote(), opas[1].remote())
        with working("evaluating under both policies"):
            impact = analyse(spark, inputs, baseline, candidate, options.out or work / "out")
    if not sides:
        return impact
    settings = setting_changes(sides[0].settings, sides[1].settings)
    return replace(impact, settings=settings, policies=policy_changes(*sides))


def _print(impact: "Impact", output: str) -> None:
    from warden.report.impact.show import json_text, markdown, show

    if output == "text":
        show(impact, console())
    elif output == "html":
        from warden.report.impact.page import impact_page

        click.echo(impact_page(impact))
    else:
        click.echo({"json": json_text, "markdown": markdown}[output](impact))
