"""``warden impact``: what another policy would change."""

from functools import partial
from typing import TYPE_CHECKING

import click

from warden.base.extras import check_extras
from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.impact_options import ImpactOptions
from warden.commands.shared.options import with_options
from warden.commands.shared.output import build_console

if TYPE_CHECKING:
    from warden.analyse.impact.summary import Impact

__all__ = ["command"]


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
    from spark_jobs.analyse.replay_run import replay_run
    from warden.analyse.impact.run_impact import run_impact

    impact = run_impact(options.build_run(), partial(replay_run, options.spark.open_session))
    _print(impact, options.output)
    failed = {"newly-denied": impact.has_denials, "any": impact.has_changes, "none": False}[options.fail_on]
    return EXIT_DENIED if failed else EXIT_OK


def _print(impact: "Impact", output: str) -> None:
    from warden.analyse.report.impact.show import format_json, format_markdown, show

    if output == "text":
        show(impact, build_console())
    elif output == "html":
        from warden.analyse.report.impact.page import render_impact_page

        click.echo(render_impact_page(impact))
    else:
        click.echo({"json": format_json, "markdown": format_markdown}[output](impact))
