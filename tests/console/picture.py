"""`python -m tests.console.picture`: makes the README's picture of the console anew, from decisions of a real OPA."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.console.running import RunningConsole, write_config
from tests.fixtures.browser import Browser, Page, find_chromium
from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

__all__ = ["PICTURE", "make_picture"]

PICTURE: Final = CHECKOUT / "docs" / "operate" / "console.png"
"""Where the picture is."""

_WIDTH: Final = 1280
_BROKERS: Final = ("1", "2", "3")
_REQUESTED: Final = (
    ("payments.card.captured-v1", "payments", "User:payments-ci", "ci", 6, 3, "604800000"),
    ("orders.refund.created-v1", "orders", "User:orders-app", "gateway", 12, 3, "259200000"),
    ("OrdersRefund", "orders", "User:orders-app", "gateway", 3, 3, "604800000"),
    ("clickstream.page.viewed-v2", "clickstream", "User:tracker", "gateway", 600, 3, "86400000"),
    ("logistics.parcel.scanned-v1", "logistics", "User:alice", "portal", 6, 1, "604800000"),
    ("fraud.score.computed-v1", "fraud", "User:fraud-ci", "ci", 3, 3, "1000"),
    ("inventory.stock.counted-v1", "inventory", "User:bob", "portal", 6, 3, "604800000"),
    ("payments.card.refunded-v1", "payments", "User:payments-ci", "ci", 6, 2, "604800000"),
    ("billing.invoice.sent-v3", "billing", "User:billing-app", "gateway", 6, 3, "2592000000"),
    ("devices.firmware.tmp", "", "User:carol", "portal", 6, 3, "604800000"),
)


def _build_input(topic: str, owner: str, user: str, point: str, partitions: int, copies: int, kept: str) -> Any:
    kind, _, name = user.partition(":")
    return {
        "operation": "CreateTopic",
        "cluster": "prod-eu",
        "enforcementPoint": point,
        "principal": {"type": kind, "name": name},
        "clusterState": {
            "topics": {},
            "brokers": {broker: {"rack": f"r{broker}"} for broker in _BROKERS},
            "clusterSize": len(_BROKERS),
            "totals": {
                "topics": 40,
                "partitions": 240,
                "replicas": 720,
                "byBroker": dict.fromkeys(_BROKERS, 240),
                "byOwner": {owner: {"topics": 4, "partitions": 24}},
            },
        },
        "request": {
            "topic": topic,
            "numPartitions": partitions,
            "replicationFactor": copies,
            "configs": {"retention.ms": kept, "segment.ms": "86400000", "min.insync.replicas": "2"},
            "labels": {"dataClass": "internal"} | ({"owner": owner} if owner else {}),
        },
    }


def make_picture(browser: Browser) -> bytes:
    """Have an OPA decide, and return the page of decisions as a PNG."""
    with TemporaryDirectory(prefix="warden-picture-") as name:
        directory = Path(name)
        with LocalOpa(build_bundle(directory / "bundle.tar.gz")) as opa, opa.client() as client:
            config = write_config(directory, decisions={"files": [str(opa.log)]})
            with RunningConsole(config) as console:
                for requested in _REQUESTED:
                    client.decide(_build_input(*requested))
                eventually(lambda: len(console.json("/decisions")["decisions"]) == len(_REQUESTED), "all are shown")
                page = Page(browser, f"{console.url}/decisions", width=_WIDTH)
                try:
                    return page.picture(window=True)
                finally:
                    page.close()


if __name__ == "__main__":
    program = find_chromium()
    if isinstance(program, str):
        raise SystemExit(program)
    with Browser(program) as started:
        PICTURE.write_bytes(make_picture(started))
    print(PICTURE.relative_to(CHECKOUT))
