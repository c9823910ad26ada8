"""The webhook as a process: whatever becomes of OPA, the answer is a decision or a 403 that says why, in time."""

import asyncio
import base64
import json
import re
import ssl

import pytest
import requests

from tests.enforce.webhook.faulty_opa import FaultyOpa
from tests.enforce.webhook.process import WebhookProcess
from tests.enforce.webhook.test_review import review
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import OpaInputTooLarge
from warden.enforce.webhook.config import read_config
from warden.enforce.webhook.engine import Engine
from warden.enforce.webhook.without_decision import WithoutDecision, parse_rule

pytestmark = pytest.mark.process

THING = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a", "namespace": "web"}}


@pytest.fixture(scope="module")
def opa():
    """What misbehaves."""
    with FaultyOpa() as running:
        yield running


@pytest.fixture(scope="module")
def webhook(tmp_path_factory, opa):
    """A webhook that asks it."""
    directory = tmp_path_factory.mktemp("webhook")
    (directory / "token").write_text("first", encoding="utf-8")
    with WebhookProcess(
        directory, f"opa: {{url: '{opa.url}', token: {{file: token}}, pause: 0, timeout: {PATIENCE:g}}}\n"
    ) as running:
        yield running


@pytest.mark.parametrize(
    ("fault", "sentence", "again"),
    [
        ("undefined", "is undefined: check that OPA has loaded Warden's bundle", False),
        ("garbage", "which is not OPA's JSON", True),
        ("empty", "OPA answered with nothing, which is not OPA's JSON", True),
        ("no object", "the policy's response is a number, not an object", False),
        ("null annotation", "annotation a is null", False),
        ("a proxy's page", "which is not OPA's JSON", True),
        ("busy", "cannot answer now (429)", True),
        ("away for an hour", "cannot answer now (503)", False),
        ("forbidden", "refused this caller (401)", False),
        ("conflict", "failed while it evaluated the policy", False),
        ("closed", "cannot be reached", True),
    ],
)
def test_closed_with_a_reason(opa, webhook, fault, sentence, again):
    """What another attempt may mend is tried again, what it cannot is not."""
    opa.faults, opa.requests = [fault], []

    answer = webhook.send(review(THING)).json()["response"]

    assert (False, 403, "u") == (answer["allowed"], answer["status"]["code"], answer["uid"])
    assert sentence in (message := answer["status"]["message"])
    assert not re.search(r"https?:|127\.0\.0\.1|0x[0-9a-f]|[A-Z][a-z]+Error|<.*object", message)
    assert again == (len(opa.requests) > 1)


def test_what_is_too_large_is_not_sent(tmp_path, opa):
    """An object above the limit is not sent, and refused with its size."""
    (tmp_path / "w.yaml").write_text(f"opa: {{url: '{opa.url}', maxItemBytes: 1024}}")
    opa.faults, opa.requests = ["fixed"], []

    async def evaluate(thing):
        async with Engine(read_config(tmp_path / "w.yaml")) as engine:
            return await engine.evaluate(thing, 60.0)

    assert {"annotations": {"a": "1"}} == asyncio.run(evaluate(THING))
    with pytest.raises(OpaInputTooLarge, match=r"the object has 1,[0-9]+ bytes of JSON, more than the 1,024"):
        asyncio.run(evaluate({**THING, "spec": {"a": "x" * 1024}}))
    assert 1 == len(opa.requests)


def test_slow(opa, webhook):
    """All attempts together take less time than the API server waits."""
    opa.faults = ["slow"]

    said = r"OPA did not answer within ([\d.]+) s, in [23] attempts"
    for limit in (1, 5, 25):  # a slow machine may have no time for a second attempt
        sent = webhook.send(review(THING), timeout=f"{limit}s")
        if found := re.search(said, sent.json()["response"]["status"]["message"]):
            break

    assert found is not None
    assert limit > float(found[1]) >= 0.7 * limit
    assert any(line["message"] == "undecided" for line in webhook.lines())


def test_a_kubeconfig_that_names_no_file(tmp_path):
    """It does not start: it could send no event, and would take policies to be there for ever."""
    text = "opa: {}\npoliciesFrom: configMaps\nkubernetes: {kubeconfig: nowhere.yaml}\n"
    with pytest.raises(AssertionError, match=r"nowhere\.yaml"), WebhookProcess(tmp_path, text):
        pass


def test_mended_by_another_attempt(opa, webhook):
    """A server that is busy once decides the second time."""
    opa.faults, opa.requests = ["busy", "fixed"], []

    answer = webhook.send(review(THING)).json()["response"]

    assert answer["allowed"]
    patch = [{"op": "add", "path": "/metadata/annotations", "value": {"a": "1"}}]
    assert patch == json.loads(base64.b64decode(answer["patch"]))


def test_a_token_is_taken_up_anew(opa, webhook):
    """Once OPA refuses the last one: what the file has now is what is sent, and the object is admitted."""
    opa.requests = []
    for token in ("second", "third"):
        (webhook.config.parent / "token").write_text(token, encoding="utf-8")
        opa.faults = ["forbidden", "fixed"]
        assert webhook.send(review(THING)).json()["response"]["allowed"]

    assert ["Bearer second", "Bearer second", "Bearer third"] == [token for _, token in opa.requests][1:]


def test_a_certificate_is_taken_up_anew(opa, webhook):
    """New connections get the new certificate; while its key does not fit, they get the one before."""
    opa.faults = ["fixed"]
    host, _, port = webhook.address.rpartition(":")

    def served():
        return ssl.get_server_certificate((host, int(port)))

    assert webhook.certificate.read_text() == served()
    webhook.issue()
    assert webhook.certificate.read_text() == served()
    good = served()
    webhook.certificate.write_text(webhook.authority.certificate.read_text())  # of another key
    assert good == served()
    assert any("refused" in line["message"] for line in webhook.lines())
    webhook.issue()
    assert webhook.send(review(THING)).json()["response"]["allowed"]


def test_what_is_no_review_is_400(webhook):
    """Without a uid no answer can be made: the sentence is in the body."""
    sent = webhook.send(b"[" * 10_000 + b"]" * 10_000)

    assert 400 == sent.status_code
    assert "nested too deeply" in sent.json()["error"]


def test_deleting_is_never_refused(opa, webhook):
    """OPA is not even called: what a broken policy refuses can be deleted."""
    opa.faults, opa.requests = ["closed"], []

    answer = webhook.send(review(None, "DELETE")).json()["response"]

    assert answer["allowed"]
    assert ["DELETE has no placement: register the webhook for CREATE and UPDATE only"] == answer["warnings"]
    assert [] == opa.requests


def test_a_review_without_object_is_refused(webhook):
    """Its sentence says so."""
    answer = webhook.send(review(None)).json()["response"]

    assert (False, "the AdmissionReview has no object: send the API server's own") == (
        answer["allowed"],
        answer["status"]["message"],
    )


def test_probes(opa, webhook):
    """It stays ready without OPA, so that it can be reached for a denial that says why, and tells of OPA."""
    opa.faults = ["closed"]
    webhook.send(review(THING))
    trust = str(webhook.authority.certificate)

    def get(path):
        return requests.get(f"https://{webhook.address}{path}", verify=trust, timeout=PATIENCE)

    assert {"alive": True} == get("/healthz").json()
    ready = get("/readyz").json()
    assert ready["ready"]
    assert "cannot be reached" in ready["opa"]
    assert 'warden_webhook_reviews_total{operation="CREATE",result="undecided"}' in get("/metrics").text


def test_the_configuration_of_the_design(tmp_path, opa):
    """Its url is the whole document's, and its token the one that is sent."""
    opa.faults, opa.requests = ["fixed"], []
    url = f"{opa.url}/v1/data/io/k8s/federation/annotations"
    config = json.dumps({"EnforceSchedulingPolicy": {"url": url, "token": "super-secret-token-value"}})
    with WebhookProcess(tmp_path / "design", config) as running:
        assert running.send(review(THING)).json()["response"]["allowed"]
        eventually(lambda: opa.requests, "it was sent")

    assert [("/v1/data/io/k8s/federation/annotations", "Bearer super-secret-token-value")] == opa.requests


def test_what_the_rule_says_holds_without_opa(tmp_path, opa):
    """KFK-PLC-003: as many attempts, and then the object passes with a warning; what OPA refuses stays refused."""
    opa.faults, opa.without_decision = ["fixed"], {"attempts": 5, "onError": "ignore"}
    (tmp_path / "token").write_text("t", encoding="utf-8")
    config = f"opa: {{url: '{opa.url}', token: {{file: token}}, pause: 0, timeout: {PATIENCE:g}}}\n"
    try:
        with WebhookProcess(tmp_path / "webhook", config.replace("file: token", f"file: {tmp_path}/token")) as running:
            eventually(lambda: any("KFK-PLC-003" in line["message"] for line in running.lines()), "the rule is known")
            opa.faults, opa.requests = ["busy"], []
            answer = running.send(review(THING)).json()["response"]
            assert (True, 5) == (answer["allowed"], len(opa.requests))
            assert ["OPA unreachable; admitted because KFK-PLC-003 has onError: ignore"] == (answer["warnings"])
            assert "patch" not in answer
            for fault in ("undefined", "forbidden", "conflict", "no object"):
                opa.faults = [fault]
                assert not running.send(review(THING)).json()["response"]["allowed"]
    finally:
        opa.without_decision = None


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        ({"attempts": 5, "onError": "ignore"}, WithoutDecision(5, lets_pass=True)),
        ({"attempts": 1, "onError": "fail"}, WithoutDecision(1)),
        ({"onError": "fail"}, WithoutDecision()),
        ({"attempts": 0, "onError": "fail"}, WithoutDecision()),
        ({"attempts": True, "onError": "fail"}, WithoutDecision()),
        ({"attempts": 3}, None),
        ({"onError": "open"}, None),
        (None, None),
        ([], None),
    ],
)
def test_what_a_rule_says(document, rule):
    """What cannot be carried out changes nothing."""
    assert rule == parse_rule(document)
