"""``warden console``: decisions, the estate and the policy as pages for a browser."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from warden.base.extras import check_extras
from warden.commands import EXIT_OK
from warden.commands.shared.place_option import LocalPath
from warden.commands.shared.serving import config_option, parse_address

__all__ = ["command"]

_TOPICS: Final = 2_000  # of the embedded estate: a sample has 200 of a cluster's


@click.command(short_help="Show decisions, the estate and the policy in a browser.")
@config_option(
    "Where decisions and runs are, which OPA, and who may look: a YAML file, see docs/operate/console.md.",
    required=False,
)
@click.option(
    "--runs",
    type=LocalPath(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Directory of runs of `warden scan`; goes before that of the file.",
)
@click.option(
    "--embedded-estate",
    is_flag=True,
    help="Have the embedded estate as what is known of clusters, to try the playground without one; in place of the "
    "file's snapshot.",
)
@click.option(
    "--listen", default="127.0.0.1:8650", show_default=True, metavar="HOST:PORT", help="Port 0 takes a free one."
)
def command(config: Path | None, runs: Path | None, listen: str, *, embedded_estate: bool) -> int:
    """Serve pages that show what was decided and why, how the estate stands, and which rules are in force.

    It only reads: nothing of clusters, policies and runs can be changed by it. Every page is there as JSON too, with
    ?format=json. Who looks is known by a token or a certificate; without any it serves this machine alone. Without
    --config nothing is kept, and rules and playground are those of the shipped policy. SIGTERM and Ctrl-C end it.

    \b
    Examples:
      warden console --embedded-estate
      warden console --runs build/runs
      warden console --config console.yaml
      warden console --config console.yaml --listen 0.0.0.0:8650
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    check_extras("aiohttp", "jinja2", "prometheus_client")
    from warden.base.long_running import run_server
    from warden.console.config import ConsoleConfig, read_console_config
    from warden.console.server import ConsoleServer
    from warden.demo.estate import write_estate

    settings = read_console_config(config) if config else ConsoleConfig()
    settings = settings.model_copy(update={"runs": runs}) if runs else settings
    if settings.runs is not None:
        check_extras("pyarrow")
    address = parse_address(listen, "127.0.0.1:8650")
    with ExitStack() as stack:
        if embedded_estate:
            directory = Path(stack.enter_context(TemporaryDirectory(prefix="warden-console-")))
            write_estate(directory, _TOPICS)
            settings = settings.model_copy(update={"snapshot": directory})
        run_server("warden.console", ConsoleServer(settings, *address).serve)
    return EXIT_OK
