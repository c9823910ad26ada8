"""A gateway before a real broker, with two real OPAs, each with a replica of its own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.enforce.gateway.frames import create_topics
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.test_faults import client, errors_of, receive
from tests.fixtures.brokers.replication import replicate_cluster
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.policy.failover.pair import Pair
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import Bundle

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

CLUSTER = "several"


class Estate(Pair):
    """Two OPAs whose state is what a broker has."""

    def __init__(self, bundle: Bundle, opa: Path, directory: Path, broker: LocalBroker) -> None:
        super().__init__(bundle, opa, directory)
        self._directory, self._broker = directory, broker

    def write(self, at: int, age: float = 0.0) -> None:
        """Replicate the broker into one, once."""
        assert age == 0.0
        replicate_cluster(self.opas[at], self._directory, self._broker.bootstrap_servers, CLUSTER)


@pytest.fixture(scope="module")
def estate(
    few_bundle: Bundle, opa_binary: Path, broker: LocalBroker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Estate]:
    """Two OPAs beside a broker."""
    with Estate(few_bundle, opa_binary, tmp_path_factory.mktemp("several"), broker) as running:
        yield running


@pytest.fixture
def gateway(estate: Estate, broker: LocalBroker, tmp_path: Path) -> Iterator[RunningGateway]:
    """A gateway that asks both, each well at first."""
    for at, opa in enumerate(estate.opas):
        estate.resume(at)
        if not opa.is_alive:
            estate.restart(at)
        estate.write(at)
    clusters = [{"name": CLUSTER, "brokers": {1: broker.bootstrap_servers}}]
    config = _write(tmp_path / "gateway.yaml", estate, clusters)
    with RunningGateway(config) as running:
        eventually(lambda: _order(running) == [0, 1], "both have been looked at")
        yield running


def _write(path: Path, estate: Estate, clusters: list[dict[str, Any]]) -> Any:
    urls = {"url": None, "urls": [opa.url for opa in estate.opas], "behindSeconds": 3600, "timeout": 20.0}
    return write_config(path, estate.opas[0], clusters, opa=urls)


def _order(gateway: RunningGateway) -> list[int]:
    assert gateway.gateway is not None
    ranking = gateway.gateway._decider.ranking
    assert ranking is not None
    if any(CLUSTER not in known.observed for known in ranking._known.values() if known.problem is None):
        return []
    return [ranking.urls.index(url) for url in ranking.rank_urls(CLUSTER)]


def _create(gateway: RunningGateway, *names: str) -> list[tuple[int, str | None]]:
    """Return code and message of each topic."""
    with client(gateway) as connected:
        connected.sendall(create_topics(*names))
        found: list[tuple[int, str | None]] = errors_of(receive(connected))
        return found


def _ready(gateway: RunningGateway) -> tuple[int, Any]:
    try:
        with urlopen(f"{gateway.probes}/readyz", timeout=PATIENCE) as answer:
            return answer.status, json.load(answer)
    except HTTPError as error:
        return error.code, json.load(error)


def _check_decisions(gateway: RunningGateway, name: str) -> None:
    """A topic is made, another one is refused by its name; made a second time it is there, as OPA or overlay says."""
    [made, refused] = _create(gateway, name, name.upper())
    assert (0, 44) == (made[0], refused[0]), (made, refused)
    assert "KFK-NAM-001" in str(refused[1])
    [again] = _create(gateway, name)
    assert 36 == again[0], again


def _metrics(gateway: RunningGateway) -> str:
    with urlopen(f"{gateway.probes}/metrics", timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def test_one_is_killed_and_comes_back(gateway: RunningGateway, estate: Estate) -> None:
    """Decisions go on, the gateway stays ready, and what was let through meanwhile is known to each."""
    _check_decisions(gateway, "several.one")
    estate.kill(0)
    _check_decisions(gateway, "several.two")
    assert 200 == _ready(gateway)[0]
    metrics = _metrics(gateway)
    assert f'warden_gateway_opa_healthy{{opa="{estate.opas[0].url}"}} 0.0' in metrics
    assert f'warden_gateway_opa_current{{cluster="{CLUSTER}",opa="{estate.opas[1].url}"}} 1.0' in metrics
    assert f'warden_gateway_opa_failovers_total{{opa="{estate.opas[0].url}"}}' in metrics
    estate.restart(0)
    _check_decisions(gateway, "several.three")
    estate.write(0)
    eventually(lambda: _order(gateway) == [0, 1], "it is preferred again")
    _check_decisions(gateway, "several.four")


def test_one_hangs(gateway: RunningGateway, estate: Estate) -> None:
    """A request waits for its share at the most, and is decided by the other."""
    estate.pause(0)
    _check_decisions(gateway, "several.five")
    assert [1, 0] == _order(gateway)
    estate.resume(0)


def test_both_are_away(gateway: RunningGateway, estate: Estate) -> None:
    """Nothing goes on undecided, and the gateway is not ready; with one of them it is again."""
    estate.kill(0)
    estate.kill(1)
    [denied] = _create(gateway, "several.six")
    assert denied[0] == 44
    assert "cannot be reached" in str(denied[1])
    status, body = eventually(lambda: found if (found := _ready(gateway))[0] == 503 else None, "it is not ready")
    assert (503, []) == (status, [opa.url for opa in estate.opas if opa.url not in str(body["opa"])]), body
    estate.restart(1)
    estate.write(1)
    eventually(lambda: _ready(gateway)[0] == 200, "one of them is enough")
    _check_decisions(gateway, "several.six")


def test_what_one_has_passed_is_kept_for_the_other(gateway: RunningGateway, estate: Estate) -> None:
    """An overlay is dropped once all that are used have passed it: one that is behind knows what was let through."""
    _check_decisions(gateway, "several.seven")
    estate.write(0)
    _create(gateway, "WRONG")  # by the first, whose replica has the topic by now
    estate.kill(0)
    [again] = _create(gateway, "several.seven")
    assert 36 == again[0]
