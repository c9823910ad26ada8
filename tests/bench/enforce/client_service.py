"""A service in a process of its own, as `tests.bench.enforce.clients` measures it."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests
import yaml

from warden.base.http.ports import find_free_port
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.local import LocalOpa

__all__ = ["Service", "headers", "started"]

_CALLERS = ("admin", "crowd", "probe", "user-0")


class Service:
    """A service in a process of its own.

    Args:
        url: Its address.
        process: Its process.
    """

    def __init__(self, url: str, process: "subprocess.Popen[bytes]") -> None:
        self.url, self._process = url, process
        self._session = requests.Session()

    def post(self, caller: str, verb: str, body: Any) -> Any:
        """Ask, and return the answer."""
        answer = self._session.post(
            f"{self.url}/v1/client-configs/{verb}", json=body, headers=headers(caller), timeout=300
        )
        answer.raise_for_status()
        document = answer.json()
        if document.get("errorCode") or any(entry.get("errorCode") for entry in document.get("entries") or ()):
            raise RuntimeError(answer.text)
        return document

    def alter(self, user: str, client: str | None = None, acks: str = "1") -> None:
        """Alter an entity."""
        entity = [{"entityType": "user", "entityName": user}]
        if client is not None:
            entity.append({"entityType": "client-id", "entityName": client})
        self.post("admin", "alter", {"entries": [{"entity": entity, "ops": [{"key": "acks", "value": acks}]}]})

    def wait_for(self, count: int) -> None:
        """Return once so many clients resolve and are not answered yet."""
        while self._resolving() < count:
            time.sleep(0.2)

    def _resolving(self) -> int:
        lines = self._session.get(f"{self.url}/metrics", timeout=60).text.splitlines()
        found = [line for line in lines if line.startswith("warden_service_open_requests{") and "resolve" in line]
        return int(float(found[0].split()[-1])) if found else 0

    def bytes(self) -> int:
        """Return the memory that it holds."""
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


@contextmanager
def started(directory: Path, broker: LocalBroker, opa: LocalOpa, store: str) -> Iterator[Service]:
    """Run a service in a process of its own, for as long as the block lasts.

    Args:
        directory: Where its configuration is written to.
        broker: The cluster.
        opa: The OPA that decides.
        store: Address of its store.
    """
    (directory / "opa.token").write_text(opa.tokens.query)
    for name in _CALLERS:
        (directory / f"{name}.token").write_text(f"token-of-{name}")
    document = {
        "opa": {"url": opa.url, "token": {"file": "opa.token"}, "timeout": 60},
        "callers": [{"token": {"file": f"{name}.token"}, "principal": f"User:{name}"} for name in _CALLERS],
        "clusters": [{"name": "c", "bootstrapServers": broker.bootstrap_servers, "store": store}],
        "limits": {"requestsPerSecond": 1_000_000, "waitSeconds": 3600},
    }
    (directory / "serve.yaml").write_text(yaml.safe_dump(document))
    at = f"127.0.0.1:{find_free_port()}"
    command = [sys.executable, "-m", "warden", "serve", "--config", str(directory / "serve.yaml"), "--listen", at]
    with (directory / "serve.log").open("w") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            while not _ready(f"http://{at}"):
                if process.poll() is not None:
                    raise RuntimeError((directory / "serve.log").read_text())
                time.sleep(0.1)
            yield Service(f"http://{at}", process)
        finally:
            process.terminate()


def _ready(url: str) -> bool:
    try:
        return requests.get(f"{url}/readyz", timeout=30).ok
    except requests.ConnectionError:
        return False


def headers(caller: str) -> dict[str, str]:
    """Return the headers of a caller's requests."""
    return {"Authorization": f"Bearer token-of-{caller}"}
