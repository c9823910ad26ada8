"""The demo's second act: Kafka's own tools go through `warden gateway`, and are allowed and refused."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import yaml

from warden.base.errors import KafkaError
from warden.base.http.ports import find_free_port
from warden.base.process.progress import show_working
from warden.demo.class_path import build_class_path
from warden.demo.content import SETTINGS
from warden.demo.java import run_java
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa
from warden.state.replicate.config import read_config
from warden.state.replicate.once import replicate_once

__all__ = ["COMMANDS", "show_gateway"]

_MAINS: Final = {
    "kafka-topics.sh": "org.apache.kafka.tools.TopicCommand",
    "kafka-configs.sh": "kafka.admin.ConfigCommand",
}

COMMANDS: Final = (
    "kafka-topics.sh --create --topic orders.refund.created-v1 --partitions 2",
    "kafka-topics.sh --create --topic OrdersRefund",
    "kafka-topics.sh --create --topic orders.refund.clicks-v1 --partitions 600",
    "kafka-configs.sh --alter --topic orders.order.created-v1 --add-config retention.ms=345600000",
    "kafka-configs.sh --alter --topic orders.order.created-v1 --add-config retention.ms=1000",
)
"""What somebody types, without ``--bootstrap-server``, which is the gateway's."""

# Nobody logs in to the demo's broker, so that nobody is known to have topics.
_SETTINGS = f"{SETTINGS}      KFK-SIZ-003: {{mode: dryrun}}\n"

_STARTED = 60.0  # seconds


def show_gateway(broker: LocalBroker, print_status: Callable[[str], None]) -> None:
    """Run `COMMANDS` through a gateway before a broker, and print each with what it prints.

    Args:
        broker: The demo's broker, which is filled.
        print_status: Prints a line.

    Raises:
        WardenError: OPA or the gateway did not start.
    """
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="warden-demo-")))
        with show_working("starting OPA and the gateway"):
            (directory / "settings.yaml").write_text(_SETTINGS, encoding="utf-8")
            bundle = build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml")
            opa = stack.enter_context(LocalOpa(bundle))
            _replicate(broker, opa, directory)
            address = stack.enter_context(_run_gateway(broker, opa, directory))
        for command in COMMANDS:
            print_status(f"> {command}")
            for line in _run(command, address):
                print_status(line)


def _run(command: str, address: str) -> list[str]:
    """The lines that a tool prints: those of its errors without the class, without warnings and traces."""
    name, *arguments = command.split()
    arguments = ["--bootstrap-server", address, *arguments]
    try:
        said = run_java(_MAINS[name], arguments, class_path=build_class_path())
    except KafkaError as error:
        said = str(error)
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith("WARNING: ")]
    refused = [line for line in lines if "KFK-" in line]
    return [line[line.index("KFK-") :] for line in refused[:1]] or lines


def _replicate(broker: LocalBroker, opa: LocalOpa, directory: Path) -> None:
    (directory / "replicator").write_text(opa.tokens.replicator, encoding="utf-8")
    clusters = [{"name": "demo", "bootstrapServers": broker.bootstrap_servers}]
    document = {"opa": {"url": opa.url, "token": {"file": "replicator"}}, "clusters": clusters}
    path = directory / "replicator.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    replicate_once(read_config(path), trim=True, accept_loss=(), dry_run=False)


@contextmanager
def _run_gateway(broker: LocalBroker, opa: LocalOpa, directory: Path) -> Iterator[str]:
    (directory / "query").write_text(opa.tokens.query, encoding="utf-8")
    port = find_free_port()
    cluster = {
        "name": "demo",
        "advertisedHost": "127.0.0.1",
        "bind": "127.0.0.1",
        "authentication": "none",
        "brokers": [{"id": 1, "address": broker.bootstrap_servers, "port": port}],
    }
    document = {"opa": {"url": opa.url, "token": {"file": "query"}}, "clusters": [cluster]}
    path, log = directory / "gateway.yaml", directory / "gateway.log"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    command = [sys.executable, "-m", "warden", "gateway", "--config", str(path), "--listen", "127.0.0.1:0"]
    with log.open("wb") as output, subprocess.Popen(command, stderr=output) as process:
        try:
            deadline = time.monotonic() + _STARTED
            while b'"listening"' not in log.read_bytes():
                if process.poll() is not None or time.monotonic() > deadline:
                    raise KafkaError(f"the gateway did not start: {log.read_text(errors='replace')[-2000:]}")
                time.sleep(0.05)
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()
