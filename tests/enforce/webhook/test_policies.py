"""Whether there are policies, and events about refusals; tests/k8s/webhook/test_first_policy.py has an API server."""

import json
import queue
from queue import SimpleQueue

import pytest
import yaml

from tests.enforce.webhook.process import WebhookProcess
from tests.enforce.webhook.test_review import review
from tests.fixtures.http import Handler, served
from tests.fixtures.patience import PATIENCE
from warden.base.errors import ConfigurationError
from warden.base.http.ports import find_free_port
from warden.enforce.webhook.config import ApiServerEntry, read_config
from warden.enforce.webhook.events import AdmissionEvents, build_refusal_event
from warden.enforce.webhook.policies import PolicyWatch
from warden.enforce.webhook.review import parse_review
from warden.enforce.webhook.without_decision import WithoutDecision

THING = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a", "namespace": "web"}}


def _write_kubeconfig(directory, server, token):
    kubeconfig = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": server, "insecure-skip-tls-verify": True}}],
        "users": [{"name": "u", "user": {"token": token}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "x",
    }
    (directory / "kubeconfig").write_text(yaml.safe_dump(kubeconfig), encoding="utf-8")
    return directory / "kubeconfig"


@pytest.mark.process
def test_not_known_counts_as_closed(tmp_path):
    """While the API server cannot be reached nobody knows that there are no policies."""
    server = f"https://127.0.0.1:{find_free_port()}"
    kubeconfig = _write_kubeconfig(tmp_path, server, "t")
    config = {
        "opa": {"url": f"http://127.0.0.1:{find_free_port()}", "attempts": 1},
        "policiesFrom": "configMaps",
        "kubernetes": {"kubeconfig": str(kubeconfig)},
    }
    with WebhookProcess(tmp_path / "webhook", yaml.safe_dump(config)) as webhook:
        answer = webhook.send(review(THING)).json()["response"]

    assert (False, 403) == (answer["allowed"], answer["status"]["code"])


@pytest.mark.parametrize(
    ("text", "kubernetes", "open_before"),
    [
        ("opa: {}", False, False),
        ("opa: {}\npoliciesFrom: bundle", False, False),
        ("opa: {}\npoliciesFrom: configMaps", True, True),
        ("opa: {}\nkubernetes: {}", True, False),
        ("EnforceSchedulingPolicy: {url: 'http://o/v1/data/x', token: t}\npoliciesFrom: configMaps", True, True),
    ],
)
def test_the_configuration(tmp_path, text, kubernetes, open_before):
    """Policies of ConfigMaps need the API server; events may have it alone."""
    (tmp_path / "webhook.yaml").write_text(text, encoding="utf-8")

    config = read_config(tmp_path / "webhook.yaml")

    assert (kubernetes, open_before) == (config.kubernetes is not None, config.from_config_maps)


def test_another_source_is_refused(tmp_path):
    """The sentence names both."""
    (tmp_path / "webhook.yaml").write_text("opa: {}\npoliciesFrom: git", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="policiesFrom") as refused:
        read_config(tmp_path / "webhook.yaml")
    assert "configMaps" in str(refused.value)


def _sent(events: AdmissionEvents) -> list[str]:
    found = []
    while True:
        try:
            document = events._queue.get_nowait()
            assert document is not None
            found.append(document["note"])
        except queue.Empty:
            return found


def _review(**changes):
    return parse_review(json.dumps(review(THING, **changes)).encode())


def test_the_same_refusal_is_one_event():
    """Another reason is another event; a dry run is none."""
    events = AdmissionEvents(lambda: pytest.fail("nothing is sent in this test"))

    for why in ("one", "one", "two"):
        events.report_refusal(_review(), why)
    events.report_refusal(_review(dryRun=True), "three")

    assert ["one", "two"] == _sent(events)


def test_no_event_waits_for_another():
    """Where too many wait, further ones are left out."""
    events = AdmissionEvents(lambda: pytest.fail("nothing is sent in this test"))
    for number in range(1500):
        events.report_refusal(_review(), str(number))
    assert 1000 == len(_sent(events))


class _Moment(float):
    """A time; how often one is compared with another is counted."""

    count = 0

    def __sub__(self, other):
        _Moment.count += 1
        return float(self) - float(other)


def test_many_refusals_of_a_minute(monkeypatch):
    """Each looks at what is over, and never at all there are; what is over is forgotten, and so is the oldest."""
    events, now = AdmissionEvents(lambda: pytest.fail("nothing is sent in this test")), [0.0]
    monkeypatch.setattr("warden.enforce.webhook.events.time.monotonic", lambda: _Moment(now[0]))
    monkeypatch.setattr("warden.enforce.webhook.events._MAX_KEPT", 2500)
    monkeypatch.setattr(_Moment, "count", 0)

    for number in range(3000):
        now[0] = number / 100
        events.report_refusal(_review(), str(number))
    assert _Moment.count <= 3000
    assert 2500 == len(events._sent)

    _sent(events)
    for now[0], why in ((59.0, "2999"), (88.0, "2999"), (90.0, "2999"), (150.0, "another")):
        events.report_refusal(_review(), why)
    assert ["2999", "another"] == _sent(events)
    assert 1 == len(events._sent)


@pytest.mark.parametrize(
    ("metadata", "namespace", "name"),
    [
        ({"name": "a", "namespace": "web"}, "web", "a"),
        ({"generateName": "a-", "namespace": "web"}, "web", "a-"),
        ({"name": "a"}, "default", "a"),
        (None, "default", ""),
    ],
)
def test_an_event_is_as_long_as_it_may_be(metadata, namespace, name):
    """It is cut between characters."""
    event = build_refusal_event({"apiVersion": "v1", "kind": "A", "metadata": metadata}, "é" * 1000)
    assert ("é" * 512, namespace, name) == (event["note"], event["metadata"]["namespace"], event["regarding"]["name"])


class _Api(Handler):
    """An API server with a registration and no ConfigMaps, which takes one token; it notes what it is sent."""

    token, sent, refused = "", SimpleQueue[str](), SimpleQueue[str]()

    def respond(self):
        """Answer, where the token is the one that holds."""
        body = self.body()
        if self.headers["Authorization"] != f"Bearer {self.token}":
            self.refused.put(self.path)
            return self.answer(401, b"{}")
        if self.command != "GET":
            self.sent.put(self.path)
            return self.answer(200, body)
        verbs = {"kind": "ConfigMap", "name": "configmaps", "namespaced": True, "verbs": ["list", "watch"]}
        listed = {"metadata": {"resourceVersion": "1"}, "items": [], "resources": [verbs]}
        webhooks = [{"name": "w", "failurePolicy": "Fail"}]
        return self.answer(
            200, b"" if "watch=true" in self.path else json.dumps(listed | {"webhooks": webhooks}).encode()
        )


def _report(access):
    """Tell of a refusal until the API server has it."""
    events = AdmissionEvents(access.read_access)
    events.start()
    events.report_refusal(_review(), "one")
    return events, lambda: events.report_refusal(_review(), "two")


def _follow(access):
    """Keep a registration in step."""
    watch = PolicyWatch(access, "warden-placement", WithoutDecision())
    watch.start()
    return watch, lambda: None


@pytest.mark.parametrize(
    ("start", "path"),
    [(_report, "/apis/events.k8s.io/v1/namespaces/web/events"), (_follow, "warden-placement")],
)
def test_a_token_of_a_kubeconfig_that_is_replaced(tmp_path, monkeypatch, start, path):
    """What was refused is sent with the new one, without a restart."""
    monkeypatch.setattr(_Api, "token", "new")
    with served(_Api) as url:
        file = _write_kubeconfig(tmp_path, url, "old")
        running, again = start(ApiServerEntry(kubeconfig=file))
        try:
            while not _Api.refused.get(timeout=PATIENCE).endswith(path):
                pass
            _write_kubeconfig(tmp_path, url, "new")
            again()
            assert _Api.sent.get(timeout=PATIENCE).endswith(path)
        finally:
            running.stop()
