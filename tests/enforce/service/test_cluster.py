"""The thread that follows a cluster: it goes on whatever happens in it."""

import asyncio
import logging
import threading
from collections.abc import Callable

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import KafkaUnreachable
from warden.base.files.secret import Secret
from warden.enforce.service import cluster
from warden.enforce.service.cluster import ClusterFollower
from warden.enforce.service.config import ServedCluster, ServiceConfig
from warden.enforce.service.server import ServiceServer
from warden.policy.opa.client import OpaClient


def test_a_defect_is_not_the_end(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """It is logged and named, so that the service is not ready; then the cluster is tried again."""
    problems: list[str | None] = []
    settings = ServedCluster.model_validate({"name": "c", "bootstrapServers": "127.0.0.1:9", "store": "topic:t"})
    with OpaClient("http://127.0.0.1:9") as client:
        followed = ClusterFollower(settings, client, lambda _: None)

        def fail(*_: object, **__: object) -> None:
            problems.append(followed.problem)
            raise ZeroDivisionError

        monkeypatch.setattr(cluster, "connect", fail)
        monkeypatch.setattr(cluster, "_PAUSE_SECONDS", 0.01)
        with caplog.at_level(logging.ERROR):
            followed.start()
            eventually(lambda: len(problems) > 2, "it is tried again")
            followed.stop()

    assert ["it has not been reached yet", "a defect: see the log", "a defect: see the log"] == problems[:3]
    assert {(cluster.__name__, "a defect")} == {(line.name, line.message) for line in caplog.records}
    assert {ZeroDivisionError} == {line.exc_info[0] for line in caplog.records if line.exc_info}


def _stop_while_connecting(monkeypatch: pytest.MonkeyPatch, connect: Callable[[ServiceServer], None]) -> None:
    """Run a service of four clusters, and stop it once each has begun to connect."""
    document = {
        "callers": ({"token": Secret("callers", env="ALICE_TOKEN"), "principal": "User:alice"},),
        "clusters": tuple({"name": name, "bootstrapServers": "127.0.0.1:9"} for name in "abcd"),
    }
    monkeypatch.setenv("ALICE_TOKEN", "token-of-alice")
    server = ServiceServer(ServiceConfig.model_validate(document), "127.0.0.1", 0)
    begun = threading.Semaphore(0)

    def hang(*_: object, **__: object) -> None:
        begun.release()
        connect(server)
        raise KafkaUnreachable("silent")

    async def serve() -> None:
        async with server:
            for _ in "abcd":
                await asyncio.to_thread(begun.acquire, timeout=PATIENCE)

    monkeypatch.setattr(cluster, "connect", hang)
    asyncio.run(serve())


def test_clusters_stop_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service that ends has all of them stop before it waits for one."""
    ended: list[str] = []

    def connect(server: ServiceServer) -> None:
        followed = [one for one, _ in server._clusters.values()]
        eventually(lambda: all(one._stopped.is_set() for one in followed), "all are to end")
        ended.append(threading.current_thread().name)

    monkeypatch.setattr(cluster, "_STOP_SECONDS", PATIENCE)
    _stop_while_connecting(monkeypatch, connect)
    assert ["cluster a", "cluster b", "cluster c", "cluster d"] == sorted(ended)


def test_clusters_that_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service ends although they still do not."""
    let_go, heard = threading.Event(), threading.Semaphore(0)

    def connect(_: ServiceServer) -> None:
        if let_go.wait(PATIENCE):
            heard.release()

    monkeypatch.setattr(cluster, "_STOP_SECONDS", 0.1)
    _stop_while_connecting(monkeypatch, connect)
    let_go.set()
    assert all(heard.acquire(timeout=PATIENCE) for _ in "abcd")
