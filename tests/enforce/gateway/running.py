"""A gateway that runs beside a test, in a thread with a loop of its own."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import yaml

from tests.fixtures.brokers.replication import replicate_cluster
from tests.fixtures.patience import PATIENCE
from warden.base.http.ports import find_free_port
from warden.base.process.closing import ManagedProgram
from warden.demo.local_broker import LocalBroker
from warden.enforce.gateway.config import GatewayConfig, read_config
from warden.enforce.gateway.server import Gateway
from warden.policy.opa.local import LocalOpa

__all__ = ["RunningGateway", "build_gateway", "gateway_with_state", "write_config"]


def write_config(path: Path, local: LocalOpa, clusters: list[dict[str, Any]], **more: Any) -> GatewayConfig:
    """Write a configuration file of clusters with free ports, and read it.

    Args:
        path: The file; OPA's token is put beside it.
        local: The OPA that decides.
        clusters: Each with its name, its ``brokers`` as addresses by id, and what differs from the usual.
        more: Further keys of the file; of ``opa`` and ``limits`` too, which else wait for as long as tests do.
    """
    token = path.with_suffix(".token")
    token.write_text(local.tokens.query)
    usual: dict[str, Any] = {"advertisedHost": "127.0.0.1", "bind": "127.0.0.1", "authentication": "none"}
    document = {
        "opa": {"url": local.url, "token": {"file": token.name}, "timeout": PATIENCE} | more.pop("opa", {}),
        "clusters": [
            usual
            | cluster
            | {
                "brokers": [
                    {"id": id_, "address": at} | ({} if "sni" in cluster else {"port": find_free_port()})
                    for id_, at in cluster["brokers"].items()
                ]
            }
            for cluster in clusters
        ],
        "limits": {"connectSeconds": PATIENCE, "waitSeconds": PATIENCE} | more.pop("limits", {}),
        **more,
    }
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return read_config(path)


class RunningGateway(ManagedProgram):
    """A gateway; leaving the block drains it.

    Args:
        config: Its configuration.
    """

    def __init__(self, config: GatewayConfig) -> None:
        self.config = config
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._error: BaseException | None = None
        self.gateway: Gateway | None = None

    def address(self, cluster: int = 0, broker: int = 0) -> str:
        """Return ``host:port`` of the gateway for a broker, both by their place in the file."""
        return f"127.0.0.1:{self.config.clusters[cluster].brokers[broker].port}"

    @property
    def probes(self) -> str:
        """The URL of its probes."""
        assert self.gateway is not None
        return f"http://127.0.0.1:{self.gateway.probes_port}"

    def call(self, what: Callable[[], object]) -> None:
        """Call something in the gateway's loop."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(what)

    def start(self) -> None:
        """Start, and wait until it listens."""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()), name="gateway")
        self._thread.start()
        self._ready.wait(PATIENCE)
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Drain and stop."""
        if self._thread is None or self._loop is None or self._stop is None:
            return
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self._thread = None

    async def _main(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            async with Gateway(self.config, ("127.0.0.1", 0)) as self.gateway:
                self._ready.set()
                await self._stop.wait()
        except BaseException as error:
            self._error = error
            self._ready.set()


def build_gateway(directory: Path, upstream: socket.socket, url: str, **settings: Any) -> RunningGateway:
    """Return a gateway before a listener in a broker's place, which asks whatever the test puts in OPA's place.

    Args:
        directory: For its files.
        upstream: The listener.
        url: Where OPA would be.
        settings: Further keys of ``opa``.
    """
    clusters = [{"name": "gate", "brokers": {1: f"127.0.0.1:{upstream.getsockname()[1]}"}}]
    opa = cast("LocalOpa", SimpleNamespace(url=url, tokens=SimpleNamespace(query="token")))
    return RunningGateway(write_config(directory / "gateway.yaml", opa, clusters, opa=settings))


@contextmanager
def gateway_with_state(opa: LocalOpa, broker: LocalBroker, directory: Path) -> Iterator[RunningGateway]:
    """Write the state of a broker into OPA, as the cluster `eu`, and run a gateway before it.

    Args:
        opa: Who decides.
        broker: The broker.
        directory: For configurations.
    """
    replicate_cluster(opa, directory, broker.bootstrap_servers, "eu")
    brokers = {"name": "eu", "brokers": {1: broker.bootstrap_servers}}
    with RunningGateway(write_config(directory / "gateway.yaml", opa, [brokers])) as gateway:
        yield gateway
