"""``warden serve``: client configs and decisions over HTTP."""

from pathlib import Path

import click

from warden.base.extras import check_extras
from warden.commands import EXIT_OK
from warden.commands.shared.serving import config_option, parse_address

__all__ = ["command"]


@click.command(short_help="Serve client configs and decisions over HTTP.")
@config_option("Which clusters, which OPA, and who may ask: a YAML file, see docs/operate/serve.md.")
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
    from warden.base.long_running import run_server
    from warden.enforce.service.config import read_config
    from warden.enforce.service.server import ServiceServer

    settings, address = read_config(config), parse_address(listen, "127.0.0.1:8649")
    run_server("warden.enforce.service", ServiceServer(settings, *address).serve)
    return EXIT_OK
