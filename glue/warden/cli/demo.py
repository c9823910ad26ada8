"""``warden demo``: a real broker, a few hundred topics, some of them bad, evaluated from start to finish."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import click

__all__ = ["command"]

_AUTHORIZER = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}


@click.command(short_help="Start a real broker with good and bad topics, snapshot and scan it.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("build/runs"),
    show_default=True,
    help="Directory for the results.",
)
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def command(out: Path, output: str) -> int:
    """Start a Kafka broker, fill it, read it as `warden snapshot` does, and evaluate it as `warden scan` does.

    The broker has its storage in a temporary directory, listens on this machine only, and is gone afterwards; the
    results stay. One broker can hold one copy of a topic, so the settings of this cluster ask for no more.

    \b
    Examples:
      warden demo
      warden demo --output json
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.cli.scan import scan
    from warden.cli.scan_options import ResultOptions, ScanOptions
    from warden.demo.content import SETTINGS

    with TemporaryDirectory(prefix="warden-demo-") as directory:
        snapshot = Path(directory) / "snapshot"
        _take_snapshot(snapshot)
        settings = Path(directory) / "settings.yaml"
        settings.write_text(SETTINGS, encoding="utf-8")
        options = ScanOptions(snapshot=snapshot, settings=settings, results=ResultOptions(out=out, output=output))
        return scan(options, source="a local Kafka broker, cluster demo")


def _take_snapshot(directory: Path) -> None:
    from warden.cli.snapshot import take_snapshot
    from warden.demo.content import topics
    from warden.demo.local_broker import LocalBroker
    from warden.demo.seed import fill
    from warden.sources.kafka.connection import connect
    from warden.toolchain.progress import working

    with ExitStack() as stack:
        with working("starting a Kafka broker"):
            broker = stack.enter_context(LocalBroker(properties=_AUTHORIZER))
        content = list(topics())
        with working(f"creating {len(content)} topics"), connect(broker.bootstrap_servers) as connection:
            fill(connection, content)
        take_snapshot(broker.bootstrap_servers, "demo", directory)
