"""`python -m tests.console.picture`: makes the pictures of the console anew, from decisions of a real OPA and a scan.

`console.png`, the page of decisions, is the README's; the others show where the three questions are answered.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from click.testing import CliRunner

from tests.console.running import RunningConsole, write_config
from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.fixtures.pages.browser import Browser, Page, find_chromium
from warden.commands import EXIT_DENIED, EXIT_OK, command
from warden.console.policy.pastes import Paste
from warden.demo.estate import write_estate
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

__all__ = ["DIRECTORY", "make_pictures", "scan_estate"]

DIRECTORY: Final = CHECKOUT / "docs" / "operate"
"""Where the pictures are."""

_WIDTH: Final = 1280
_TOPICS: Final = 400
_REFUSED: Final = "fraud.score.computed-v1"
_TRIED: Final = Paste(
    text="topic: shop.orders.created-v1\ncluster: dev-eu\nnumPartitions: 3\nreplicationFactor: 3\n",
    settings="rules: {KFK-RET-001: {params: {max: 86400000}}}\n",
    sample=True,
)
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


def scan_estate(snapshot: Path, runs: Path, url: str, token: str) -> None:
    """Scan what the pictures show.

    Args:
        snapshot: Its snapshot.
        runs: Where the run goes.
        url: Address of the OPA.
        token: Its query token.

    Raises:
        WardenError: It cannot be scanned.
        SystemExit: Some of it was not evaluated.
    """
    arguments = ["scan", str(snapshot), "--out", str(runs), "--opa-url", url, "--opa-token", token]
    done = CliRunner().invoke(command, arguments, standalone_mode=False, catch_exceptions=False)
    if done.return_value not in {EXIT_OK, EXIT_DENIED}:
        raise SystemExit(f"the scan of {snapshot} ended with status {done.return_value}:\n{done.output}")


def make_pictures(browser: Browser) -> Iterator[tuple[str, bytes]]:
    """Have an OPA decide and scan an estate; yield the name of each picture, and the page as a PNG.

    Of a page that is filled in, all is shown; of others what a window shows.
    """
    with TemporaryDirectory(prefix="warden-picture-") as name:
        directory = Path(name)
        write_estate(directory / "snapshot", topics=_TOPICS)
        with LocalOpa(build_bundle(directory / "bundle.tar.gz")) as opa, opa.build_client() as client:
            scan_estate(directory / "snapshot", directory / "runs", opa.url, opa.tokens.query)
            decisions = directory / "opa.json"
            decisions.touch()
            config = write_config(
                directory, decisions={"files": [str(decisions)]}, runs=str(directory / "runs"), snapshot="snapshot"
            )
            with RunningConsole(config) as console:
                before = opa.log.stat().st_size  # what the scan has had decided is no enforcement point's
                for requested in _REQUESTED:
                    client.decide(_build_input(*requested))
                eventually(lambda: _count(opa.log, before) == len(_REQUESTED), "all are logged")
                decisions.write_bytes(opa.log.read_bytes()[before:])
                eventually(lambda: len(console.json("/decisions")["decisions"]) == len(_REQUESTED), "all are shown")
                (refused,) = (row for row in console.json("/decisions")["decisions"] if row["resource"] == _REFUSED)
                decided = "document.querySelector('section.decided') !== null"
                for picture, path, link, is_there in (
                    ("console", "/decisions", "", "true"),
                    ("console-decision", f"/decisions/{refused['id']}", "", "true"),
                    ("console-estate", "/estate", "", "true"),
                    ("console-playground", "/playground", f"#s={_TRIED.encode_link()}", decided),
                ):
                    page = Page(browser, f"{console.url}{path}", link, width=_WIDTH)
                    try:
                        eventually(partial(_holds, page, is_there), is_there)
                        yield picture, page.picture(window=not link)
                    finally:
                        page.close()


def _count(log: Path, start: int) -> int:
    return log.read_bytes()[start:].count(b'"decision_id"')


def _holds(page: Page, script: str) -> bool:
    """Whether something holds on a page, which may just be sending itself to another."""
    try:
        return bool(page.run(f"document.readyState === 'complete' && ({script})"))
    except AssertionError:
        return False


if __name__ == "__main__":
    program = find_chromium()
    if isinstance(program, str):
        raise SystemExit(program)
    with Browser(program) as started:
        for name, picture in make_pictures(started):
            (DIRECTORY / f"{name}.png").write_bytes(picture)
            print((DIRECTORY / f"{name}.png").relative_to(CHECKOUT))
