"""The demo's third act: a producer whose acks change while it sends (KIP-649)."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import requests
import yaml

from warden.base.errors import StoreError
from warden.base.http.ports import find_free_port
from warden.base.process.progress import show_working
from warden.demo.local_broker import LocalBroker
from warden.dynamic_clients import ConfigService, DynamicConfigs, DynamicKafkaProducer
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

__all__ = ["show_dynamic_clients"]

_TOPIC: Final = "orders.order.created-v1"
_TOKENS: Final = {"admin": "demo-admin", "shop": "demo-shop"}
_PATIENCE = 60.0  # seconds


def show_dynamic_clients(broker: LocalBroker, print_status: Callable[[str], None]) -> None:
    """Send without an end, change the producer's acks meanwhile, and print what it makes of that.

    Args:
        broker: The demo's broker, which is filled.
        print_status: Prints a line.

    Raises:
        WardenError: OPA or the service did not start, or the change did not come.
    """
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="warden-demo-")))
        with show_working("starting OPA and the service"):
            (directory / "settings.yaml").write_text('superUsers: ["User:admin"]\n', encoding="utf-8")
            bundle = build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml")
            url = stack.enter_context(_run_service(broker, stack.enter_context(LocalOpa(bundle)), directory))
        changes: list[DynamicConfigs] = []
        producer = DynamicKafkaProducer(
            service=ConfigService(url, _TOKENS["shop"]),
            on_change=changes.append,
            bootstrap_servers=broker.bootstrap_servers,
            client_id="checkout",
        )
        stack.callback(producer.close)
        print_status("a producer of User:shop sends all the time, with its own acks=all")
        sent = 0
        for acks in ("1", "all"):
            sent += _send_until(producer, lambda count: count >= 100)
            before = len(changes)
            print_status(f"> alter client configs of User:shop: acks={acks}")
            _alter(url, acks)
            sent += _send_until(producer, partial(_has_more, changes, before))
            configs = changes[-1].configs
            in_force = ", ".join(f"{key}={value}" for key, value in sorted(configs.items())) or "its own configs"
            print_status(f"the producer, {sent:,} records later: {in_force}")
        producer.flush(_PATIENCE)
        print_status(f"{sent:,} records are delivered, and the producer was never restarted")


def _has_more(changes: list[DynamicConfigs], before: int, _count: int) -> bool:
    return len(changes) > before


def _send_until(producer: DynamicKafkaProducer, ended: Callable[[int], bool]) -> int:
    count, deadline = 0, time.monotonic() + _PATIENCE
    while not ended(count):
        if time.monotonic() > deadline:
            raise StoreError("the change has not come to the producer")
        producer.send(_TOPIC, f"order {count}".encode())
        count += 1
        time.sleep(0.002)
    return count


def _alter(url: str, acks: str) -> None:
    entry = {"entity": [{"entityType": "user", "entityName": "shop"}], "ops": [{"key": "acks", "value": acks}]}
    headers = {"Authorization": f"Bearer {_TOKENS['admin']}"}
    where = f"{url}/v1/client-configs/alter"
    answer = requests.post(where, json={"entries": [entry]}, headers=headers, timeout=_PATIENCE)
    if not answer.ok or any(result["errorCode"] for result in answer.json()["entries"]):
        raise StoreError(f"the alteration was refused: {answer.text}")


@contextmanager
def _run_service(broker: LocalBroker, opa: LocalOpa, directory: Path) -> Iterator[str]:
    for name, token in {**_TOKENS, "opa": opa.tokens.query}.items():
        (directory / f"{name}.token").write_text(token, encoding="utf-8")
    cluster = {"name": "demo", "bootstrapServers": broker.bootstrap_servers, "store": f"sqlite:{directory / 'demo.db'}"}
    document = {
        "opa": {"url": opa.url, "token": {"file": "opa.token"}},
        "callers": [{"token": {"file": f"{name}.token"}, "principal": f"User:{name}"} for name in _TOKENS],
        "clusters": [cluster],
    }
    path, log, at = directory / "serve.yaml", directory / "serve.log", f"127.0.0.1:{find_free_port()}"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    command = [sys.executable, "-m", "warden", "serve", "--config", str(path), "--listen", at]
    with log.open("wb") as output, subprocess.Popen(command, stderr=output) as process:
        try:
            deadline = time.monotonic() + _PATIENCE
            while not _is_ready(f"http://{at}"):
                if process.poll() is not None or time.monotonic() > deadline:
                    raise StoreError(f"the service did not start: {log.read_text(errors='replace')[-2000:]}")
                time.sleep(0.05)
            yield f"http://{at}"
        finally:
            process.terminate()


def _is_ready(url: str) -> bool:
    try:
        return requests.get(f"{url}/readyz", timeout=5).ok
    except requests.RequestException:
        return False
