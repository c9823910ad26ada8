"""The demo that stays (`warden demo --keep`): its broker, and an OPA under the profile for clusters of one broker."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from warden.base.errors import KafkaError, OpaUnreachable
from warden.base.files.private import write_private
from warden.base.process.progress import show_working
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

__all__ = ["COMMANDS", "PROFILE", "keep_running"]

PROFILE: Final = "single-broker"

COMMANDS: Final = (
    "warden topics create --bootstrap-server $BROKER --topic shop.orders.placed --partitions 3",
    "warden topics create --bootstrap-server $BROKER --topic Bad_Name --partitions 300",
    "warden snapshot --bootstrap-server $BROKER --cluster demo --out snapshots",
    f"warden scan snapshots --profile {PROFILE}",
    f"warden impact --baseline-profile {PROFILE} --candidate-profile production --snapshot snapshots",
)
"""What to try next, in a shell that has the variables."""


def keep_running(broker: LocalBroker, print_status: Callable[[str], None], ended: threading.Event, runs: Path) -> None:
    """Start an OPA beside the broker, print where both are and what to try, and return once that is requested.

    Args:
        broker: The demo's broker, which is filled.
        print_status: Prints a line.
        ended: Set to have it end.
        runs: Where `warden scan` writes, for the console.

    Raises:
        KafkaError, OpaUnreachable: One of the two ended by itself.
        WardenError: OPA did not start.
    """
    with TemporaryDirectory(prefix="warden-demo-") as directory:
        with show_working("starting OPA"):
            bundle = build_bundle(Path(directory) / "bundle.tar.gz", profile=PROFILE)
            opa = LocalOpa(bundle)
        with opa:
            console = _configure_console(Path(directory), opa, runs)
            for line in _format_introduction(broker, opa, console):
                print_status(line)
            while not ended.wait(0.5):
                if not opa.is_alive:
                    raise OpaUnreachable("the demo's OPA has ended by itself: start the demo again")
                if not broker.is_alive:
                    raise KafkaError("the demo's broker has ended by itself: start the demo again")


def _configure_console(directory: Path, opa: LocalOpa, runs: Path) -> Path:
    """Write the configuration of a console that shows what this OPA decides, and return where it is."""
    write_private(directory / "query.token", opa.tokens.query)
    document = {
        "decisions": {"files": [str(opa.log)]},
        "runs": str(runs.absolute()),
        "opa": {"url": opa.url, "token": {"file": "query.token"}},
        "policy": {"profile": PROFILE},
    }
    path = directory / "console.yaml"
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return path


def _format_introduction(broker: LocalBroker, opa: LocalOpa, console: Path) -> list[str]:
    """Lines that a shell may read: the variables, all else as comments."""
    return [
        f"export BROKER={broker.bootstrap_servers}",
        f"export WARDEN_OPA_URL={opa.url}",
        *(f"export {name}={token}" for name, token in opa.tokens.environment.items()),
        "# Broker and OPA run until Ctrl-C. In another shell, with the lines above:",
        *(f"#   {command}" for command in COMMANDS),
        "# What comes of them in a browser, at http://127.0.0.1:8650:",
        f"#   warden console --config {console}",
    ]
