"""A webhook with two real OPAs, each with a replica of its own."""

from collections.abc import Iterator
from pathlib import Path

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


@pytest.fixture(scope="module")
def pair(few_bundle: Bundle, opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Both."""
    with Pair(few_bundle, opa_binary, tmp_path_factory.mktemp("webhook-pair")) as running:
        yield running


@pytest.fixture(scope="module")
def webhook(pair: Pair, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebhookProcess]:
    """Asks both."""
    first, second = (opa.url for opa in pair.opas)
    text = f"opa: {{urls: ['{first}', '{second}'], token: {{file: '{pair.token}'}}, timeout: 20}}\n"
    with WebhookProcess(tmp_path_factory.mktemp("webhook"), text) as running:
        yield running


def _write(pair: Pair, at: int) -> None:
    """Replicate that there are no clusters."""
    with pair.opas[at].client(pair.opas[at].tokens.replicator) as client:
        client.put_data(["kubernetes"], {"clusters": {}, "meta": {"revision": "1.1"}})


def _is_allowed(webhook: WebhookProcess) -> bool:
    answer = webhook.send(review(THING)).json()["response"]
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
    assert _decides(webhook, first)
    _write(pair, 1)
    eventually(lambda: _decides(webhook, second), "the first has no state")
    _write(pair, 0)
    eventually(lambda: _decides(webhook, first), "it has one again")
    pair.kill(0)
    assert _decides(webhook, second)
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
    assert _decides(webhook, second)
    pair.resume(0)
