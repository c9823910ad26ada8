"""A webhook with two real OPAs, each with a replica of its own."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.enforce.webhook.process import WebhookProcess
from tests.enforce.webhook.test_faults import THING
from tests.enforce.webhook.test_review import review
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.policy.failover.pair import Pair
from warden.policy.bundle.build import Bundle

pytestmark = [pytest.mark.opa, pytest.mark.process]

_DEMANDS = {"policy.federation.alpha.kubernetes.io/eu-jurisdiction-required": "true"}
_DEMANDING = {**THING, "metadata": {"name": "a", "namespace": "web", "annotations": _DEMANDS}}
_WEST = {
    "west": {
        "apiVersion": "federation/v1beta1",
        "kind": "Cluster",
        "metadata": {},
        "status": {"region": "europe-west1"},
    }
}


@pytest.fixture(scope="module")
def pair(shipped_bundle: Bundle, opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Both."""
    with Pair(shipped_bundle, opa_binary, tmp_path_factory.mktemp("webhook-pair")) as running:
        yield running


@pytest.fixture(scope="module")
def webhook(pair: Pair, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebhookProcess]:
    """Asks both."""
    first, second = (opa.url for opa in pair.opas)
    text = f"opa: {{urls: ['{first}', '{second}'], token: {{file: '{pair.token}'}}, timeout: 20}}\n"
    with WebhookProcess(tmp_path_factory.mktemp("webhook"), text) as running:
        yield running


def _write(pair: Pair, at: int, clusters: dict[str, Any] | None = None) -> None:
    """Replicate that there are these clusters, none where not given."""
    _put(pair, at, {"clusters": clusters or {}, "meta": {"revision": "1.1"}})


def _put(pair: Pair, at: int, document: dict[str, Any]) -> None:
    with pair.opas[at].build_client(pair.opas[at].tokens.replicator) as client:
        client.put_data(["kubernetes"], document)


def _is_allowed(webhook: WebhookProcess, thing: dict[str, Any] = THING) -> bool:
    answer = webhook.send(review(thing)).json()["response"]
    assert answer["allowed"] or answer["status"]["code"] == 403
    return bool(answer["allowed"])


def _get(webhook: WebhookProcess, path: str) -> requests.Response:
    return requests.get(
        f"https://{webhook.address}/{path}", verify=str(webhook.authority.certificate), timeout=PATIENCE
    )


def _decides(webhook: WebhookProcess, url: str) -> bool:
    """Whether an OPA decides about an object that is sent now."""
    assert _is_allowed(webhook)
    return f'warden_webhook_opa_current{{cluster="",opa="{url}"}} 1.0' in _get(webhook, "metrics").text


def test_one_after_the_other_is_away(webhook: WebhookProcess, pair: Pair) -> None:
    """Objects are admitted while one is well; one that has less of a state than the other is passed over."""
    first, second = (opa.url for opa in pair.opas)
    eventually(lambda: _decides(webhook, first), "the first decides")
    _write(pair, 1)
    eventually(lambda: _decides(webhook, second), "the first has no state")
    _write(pair, 0)
    eventually(lambda: _decides(webhook, first), "it has one again")
    pair.kill(0)
    eventually(lambda: _decides(webhook, second), "the second decides")
    pair.kill(1)
    assert not _is_allowed(webhook)
    shown = eventually(lambda: _get(webhook, "readyz").json()["opa"], "both are seen to be away")
    assert [] == [url for url in (first, second) if url not in shown]
    pair.restart(0)
    eventually(lambda: _is_allowed(webhook), "one of them is enough")
    pair.restart(1)
    _write(pair, 0)
    _write(pair, 1)
    eventually(lambda: _decides(webhook, first) and _get(webhook, "readyz").json()["opa"] is None, "both are well")
    pair.pause(0)
    eventually(lambda: _decides(webhook, second), "the second decides")
    pair.resume(0)


def test_one_has_just_lost_its_state(webhook: WebhookProcess, pair: Pair) -> None:
    """No object is refused for that, not before it has been looked at either; without a state anywhere each is."""
    first = pair.opas[0].url
    for _ in range(5):
        for at in (0, 1):
            _write(pair, at, _WEST)
        eventually(lambda: _decides(webhook, first), "the first decides")
        _put(pair, 0, {})
        assert _is_allowed(webhook, _DEMANDING)
    _put(pair, 1, {})
    answer = webhook.send(review(_DEMANDING)).json()["response"]
    assert "KFK-PLC-003: no cluster is replicated" in answer["status"]["message"]


def test_one_is_restarted_without_its_state(webhook: WebhookProcess, pair: Pair) -> None:
    """Meanwhile every object is admitted, from the moment at which it is killed until it has been looked at."""
    first, second = (opa.url for opa in pair.opas)
    for at in (0, 1):
        _write(pair, at, _WEST)
    eventually(lambda: _decides(webhook, first), "the first decides")
    with ThreadPoolExecutor(1) as thread:
        restart = thread.submit(pair.restart, 0)
        while not restart.done():
            assert _is_allowed(webhook, _DEMANDING)
        restart.result()
    for _ in range(20):
        assert _is_allowed(webhook, _DEMANDING)
    eventually(lambda: _decides(webhook, second), "the second decides")
