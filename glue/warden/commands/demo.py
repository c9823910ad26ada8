"""``warden demo``: a real broker, a few hundred topics, some of them bad, evaluated from start to finish."""

import shlex
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from warden.commands import EXIT_OK
from warden.commands.shared.choice import Choice

if TYPE_CHECKING:
    from warden.demo.local_broker import LocalBroker
from warden.base.extras import check_extras
from warden.commands.shared.place_option import LocalPath

__all__ = ["command"]

_NEEDED = {
    "scan": ("jinja2", "pandas", "pyarrow", "pyspark"),
    "gateway": ("aiohttp", "prometheus_client"),
    "clients": ("aiohttp", "prometheus_client"),
}
_AUTHORIZER = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}


@click.command(short_help="Start a real broker with good and bad topics, snapshot and scan it.")
@click.option(
    "--out",
    type=LocalPath(path_type=Path),
    default=Path("build/runs"),
    show_default=True,
    help="Directory for the results.",
)
@click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
@click.option(
    "--act",
    type=Choice(["scan", "gateway", "clients"]),
    multiple=True,
    help=(
        "The scan, Kafka's own tools through the gateway, or a producer whose acks change; all where not given, with "
        "JSON the scan alone."
    ),
)
@click.option("--keep", is_flag=True, help="Leave broker and an OPA running until Ctrl-C; no act but those of --act.")
def command(out: Path, output: str, act: tuple[str, ...], *, keep: bool) -> int:
    """Start a Kafka broker, fill it, read it as `warden snapshot` does, and evaluate it as `warden scan` does.

    Then Kafka's own kafka-topics and kafka-configs go through `warden gateway`, and are allowed and refused, and the
    acks of a producer change while it sends. The broker has its storage in a temporary directory, listens on this
    machine only, and is gone afterwards; the results stay. One broker can hold one copy of a topic, so the settings of
    this cluster ask for no more.

    With --keep the broker and an OPA stay until Ctrl-C, to try things on: their addresses are printed as shell
    variables, and beside them commands to begin with, and the one that shows in a browser what comes of them.

    \b
    Examples:
      warden demo
      warden demo --output json
      warden demo --act gateway
      warden demo --keep
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.base.process.progress import show_working
    from warden.demo.local_broker import LocalBroker

    acts = act or (() if keep else ("scan",) if output == "json" else tuple(_NEEDED))
    check_extras("kafka", *(extra for name in acts for extra in _NEEDED[name]))
    with ExitStack() as stack:
        with show_working("starting a Kafka broker"):
            broker = stack.enter_context(LocalBroker(properties=_AUTHORIZER))
        _fill(broker)
        status = _scan(broker, out, output) if "scan" in acts else EXIT_OK
        if "gateway" in acts:
            from warden.demo.gateway import show_gateway

            show_gateway(broker, click.echo)
        if "clients" in acts:
            from warden.demo.dynamic_clients import show_dynamic_clients

            show_dynamic_clients(broker, click.echo)
        if keep:
            from warden.base.process.signals import stop_at_signal
            from warden.demo.keep import keep_running

            keep_running(broker, click.echo, stop_at_signal(), out)
    if "scan" in acts and output == "text" and not keep:
        click.echo("Look at the estate, the rules and a playground in a browser, at http://127.0.0.1:8650:")
        click.echo(f"  warden console --runs {shlex.quote(str(out))} --embedded-estate")
    return status


def _fill(broker: "LocalBroker") -> None:
    from warden.base.process.progress import show_working
    from warden.demo.content import iter_topics
    from warden.demo.seed import fill
    from warden.state.sources.kafka.login.connection import connect

    content = list(iter_topics())
    with show_working(f"creating {len(content)} topics"), connect(broker.bootstrap_servers) as connection:
        fill(connection, content)


def _scan(broker: "LocalBroker", out: Path, output: str) -> int:
    from warden.commands.scan import scan
    from warden.commands.shared.scan_options import ResultOptions, ScanOptions
    from warden.commands.snapshot import take_snapshot
    from warden.demo.content import SETTINGS

    with TemporaryDirectory(prefix="warden-demo-") as directory:
        snapshot, settings = Path(directory) / "snapshot", Path(directory) / "settings.yaml"
        take_snapshot(broker.bootstrap_servers, "demo", snapshot)
        settings.write_text(SETTINGS, encoding="utf-8")
        options = ScanOptions(snapshot=snapshot, settings=settings, results=ResultOptions(out=out, output=output))
        return scan(options, source="a local Kafka broker, cluster demo")
