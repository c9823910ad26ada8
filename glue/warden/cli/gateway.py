"""``warden gateway``: carry Kafka's protocol, and have changes decided first."""

import asyncio
import os
import sys
from pathlib import Path

import click

from warden.cli import EXIT_OK
from warden.cli.gateway_acls import command as acls
from warden.cli.gateway_explain import command as explain
from warden.cli.serving import listen_option, new_runner, parse_address, wait_for_signal
from warden.extras import check_extras

__all__ = ["command"]


@click.group(short_help="Carry Kafka's protocol, and have each change decided first.", invoke_without_command=True)
@click.option(
    "--config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Which clusters, and which OPA: a YAML file, see docs/operate/gateway.md.",
)
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
    check_extras("aiohttp", "kafka", "prometheus_client")
    from warden.gateway.config import read_config
    from warden.gateway.server import serve
    from warden.gateway.workers import WORKER, run_workers
    from warden.process.json_log import log_json_lines
    from warden.process.open_files import allow_open_files
    from warden.process.ports import free_port

    settings, (host, port) = read_config(path), parse_address(listen, "127.0.0.1:9103")
    worker = WORKER in os.environ
    log_json_lines("warden.gateway")
    allow_open_files()  # a client has a connection here and one to its broker
    if settings.workers > 1 and not worker:
        arguments = ["gateway", "--config", str(path), "--listen", f"{host}:{port or free_port()}"]
        return asyncio.run(run_workers(settings, arguments))
    with new_runner() as runner:
        runner.run(serve(settings, (host, port), _orphaned if worker else wait_for_signal, shared=worker))
    return EXIT_OK


async def _orphaned() -> None:
    """Return at a signal, or when the process that this one works for has gone, and with it the other end of stdin."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), stop.set)
    await wait_for_signal(stop)


command.add_command(acls, "acls")
command.add_command(explain, "explain")
