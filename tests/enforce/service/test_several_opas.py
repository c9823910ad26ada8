"""A service with two real OPAs, each with a replica of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.enforce.service.conftest import EVERYBODY
from tests.enforce.service.running import Caller, RunningService, Serve
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.policy.failover.pair import Pair, build_state, write_state
from warden.policy.bundle.build import Bundle

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


@pytest.fixture(scope="module")
def pair(few_bundle: Bundle, opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Both."""
    with Pair(few_bundle, opa_binary, tmp_path_factory.mktemp("service-pair")) as running:
        yield running


@pytest.fixture(scope="module")
def service(serve: Serve, pair: Pair) -> RunningService:
    """Asks both; the cluster that it serves is replicated to each."""
    for at in (0, 1):
        _write(pair, at)
    urls = [opa.url for opa in pair.opas]
    opa = {"urls": urls, "token": {"file": str(pair.token)}, "timeout": 20.0, "behindSeconds": 3600.0}
    return serve(opa=opa)


def _write(pair: Pair, at: int) -> None:
    write_state(pair.opas[at], build_state({"old.topic": 1}), "c")


def _decide(service: RunningService, topic: str) -> tuple[int, bool, str | None]:
    request = {"topic": topic, "numPartitions": 1, "replicationFactor": 1}
    answer = Caller(service, "token-of-alice").post("decide", {"operation": "CreateTopic", "request": request})
    decision = answer.json()
    return answer.status_code, decision.get("allowed"), (decision.get("error") or {}).get("name")


def _check_decisions(service: RunningService) -> None:
    """By policy, by state, and of client configs, whose state is the service's own."""
    assert (200, True, None) == _decide(service, "new.topic")
    assert (200, False, "POLICY_VIOLATION") == _decide(service, "WRONG")
    assert (200, False, "TOPIC_ALREADY_EXISTS") == _decide(service, "old.topic")
    assert Caller(service, "token-of-admin").post("client-configs/describe", EVERYBODY).ok


def _ready(service: RunningService) -> tuple[int, str | None]:
    answer = requests.get(f"{service.url}/readyz", timeout=PATIENCE)
    return answer.status_code, answer.json()["opa"]


def _metrics(service: RunningService) -> str:
    return requests.get(f"{service.url}/metrics", timeout=PATIENCE).text


def test_one_after_the_other_is_away(service: RunningService, pair: Pair) -> None:
    """Decisions go on while one is well; with none of them the service is not ready, and nothing is decided."""
    first, second = (opa.url for opa in pair.opas)
    _check_decisions(service)
    pair.kill(0)
    _check_decisions(service)
    assert (200, None) == _ready(service)
    assert f'warden_service_opa_healthy{{opa="{first}"}} 0.0' in _metrics(service)
    assert f'warden_service_opa_current{{cluster="c",opa="{second}"}} 1.0' in _metrics(service)
    pair.kill(1)
    assert 503 == _decide(service, "new.topic")[0]
    eventually(lambda: _ready(service) == (503, "OpaUnreachable"), "it is not ready")
    pair.restart(0)
    _write(pair, 0)
    eventually(lambda: _ready(service) == (200, None), "one of them is enough")
    _check_decisions(service)
    pair.restart(1)
    _write(pair, 1)
    eventually(lambda: f'warden_service_opa_healthy{{opa="{second}"}} 1.0' in _metrics(service), "both are well")
    pair.pause(0)
    _check_decisions(service)
    pair.resume(0)
