"""``warden serve``: client configs and decisions over HTTP."""

import logging
from pathlib import Path

import click

from warden.cli import EXIT_OK
from warden.cli.serving import new_runner, parse_address, wait_for_signal
from warden.extras import check_extras

__all__ = ["command"]


@click.command(short_help="Serve client configs and decisions over HTTP.")
@click.option(
    "--config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    required=True,
    help="Which clusters, which OPA, and who may ask: a YAML file, see docs/operate/serve.md.",
)
@click.option(
    "--listen", default="127.0.0.1:8649", show_default=True, metavar="HOST:PORT", help="Port 0 takes a free one."
)
def command(config: Path, listen: str) -> int:
    """Serve what KIP-649 proposes, and decisions for services that would rather not speak to OPA.

    POST /v1/client-configs/describe, /alter and /resolve take and give the KIP's fields; /v1/decide and /v1/decisions
    are the contract's. Who asks is known by a bearer token or a certificate. SIGTERM and Ctrl-C end it.

    \b
    Examples:
      warden serve --config serve.yaml
      warden serve --config serve.yaml --listen 0.0.0.0:8649
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    check_extras("aiohttp", "kafka", "prometheus_client")
    from warden.process.json_log import log_json_lines
    from warden.process.open_files import allow_open_files
    from warden.serve.config import read_config
    from warden.serve.server import serve

    settings, (host, port) = read_config(config), parse_address(listen, "127.0.0.1:8649")
    log_json_lines("warden.serve")
    log = logging.getLogger("warden.serve")
    files = allow_open_files()  # a client that waits is a connection
    said = lambda at: log.info("listening", extra={"port": at, "openFiles": files})  # noqa: E731 - one line of it
    with new_runner() as runner:
        runner.run(serve(settings, host, port, wait_for_signal, said))
    return EXIT_OK
