"""``warden gateway``: carry Kafka's protocol, and have changes decided first."""

import os
import sys
from functools import partial
from pathlib import Path

import click

from warden.base.extras import check_extras
from warden.commands import EXIT_OK, CommandGroup
from warden.commands.gateway.acls import command as acls
from warden.commands.gateway.explain import command as explain
from warden.commands.shared.serving import config_option, listen_option, parse_address

__all__ = ["command"]


@click.group(
    cls=CommandGroup,
    short_help="Carry Kafka's protocol, and have each change decided first.",
    invoke_without_command=True,
)
@config_option("Which clusters, and which OPA: a YAML file, see docs/operate/gateway.md.", required=False)
@listen_option("127.0.0.1:9103")
@click.pass_context
def command(context: click.Context, config: Path | None, listen: str) -> int:
    """Stand between Kafka's clients and brokers, and have each change decided by OPA before a broker sees it.

    What is denied is answered with POLICY_VIOLATION and the policy's message; what is allowed goes on, and so does
    everything else, byte for byte. While OPA is away changes are denied and all else flows. The log is JSON lines on
    stderr, one for each request that was decided. SIGTERM and Ctrl-C let requests under way end.

    \b
    Examples:
      warden gateway --config gateway.yaml
      warden gateway --config gateway.yaml --listen 0.0.0.0:9103
      warden gateway acls --bootstrap-server kafka-1:9092 --host 10.0.0.7
      warden gateway explain 4ca636c1-55e4-417a-b1d8-4aceb67960d1 --log gateway.log
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    if context.invoked_subcommand is not None:
        return EXIT_OK
    if config is None:
        raise click.UsageError("Missing option '--config'.")
    return _run(config, listen)


def _run(path: Path, listen: str) -> int:
    import asyncio

    check_extras("aiohttp", "kafka", "prometheus_client")
    from warden.base.http.ports import find_free_port
    from warden.base.long_running import run_server
    from warden.base.telemetry.json_log import log_json_lines
    from warden.enforce.gateway.config import read_config
    from warden.enforce.gateway.server import serve
    from warden.enforce.gateway.workers import WORKER, run_workers

    settings, (host, port) = read_config(path), parse_address(listen, "127.0.0.1:9103")
    worker = WORKER in os.environ
    if settings.workers > 1 and not worker:
        log_json_lines("warden.enforce.gateway")
        arguments = ["gateway", "--config", str(path), "--listen", f"{host}:{port or find_free_port()}"]
        return asyncio.run(run_workers(settings, arguments))
    main = partial(serve, settings, (host, port), shared=worker)
    run_server("warden.enforce.gateway", main, _wait_until_orphaned if worker else None)
    return EXIT_OK


async def _wait_until_orphaned() -> None:
    """Return at a signal, or when the process that this one works for has gone, and with it the other end of stdin."""
    import asyncio

    from warden.base.process.signals import wait_for_signal

    stop = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), stop.set)
    await wait_for_signal(stop)


command.add_command(acls, "acls")
command.add_command(explain, "explain")
