"""Objects are admitted, changed and refused by a real API server that has the webhook registered."""

import json
from typing import Any

import pytest
import requests
import yaml

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.webhook.faulty_opa import FaultyOpa
from tests.webhook.process import WebhookProcess
from warden.cli import main
from warden.opa.client import OpaClient
from warden.process.ports import free_port

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

SEED = CHECKOUT / "tests/policies/placement/seed"
PREFERENCES = "federation.kubernetes.io/replica-set-preferences"
PLACED = '{"clusters":{"gce-europe-west1":{"weight":1},"gce-europe-west2":{"weight":1}},"rebalance":true}'
# Less than the API server waits (30 s), with room for a machine that is busy.
CONFIG = "opa: {{url: '{url}', token: {{file: token}}, pause: 0, timeout: 12, attempts: 2}}\n"
REGISTRATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations"


def _thing(**metadata: Any) -> dict[str, Any]:
    """The object of the design's example, in the version that the API server of today has."""
    thing = json.loads((SEED / "query.json").read_bytes())["input"]
    kept = {name: thing["metadata"][name] for name in ("annotations", "labels")}
    return {**thing, "apiVersion": "apps/v1", "metadata": {**kept, **metadata}}


class Server:
    """Sends objects to the API server and returns its answer, whatever it is."""

    def __init__(self, control_plane, namespace):
        self._plane, self.path = control_plane, f"/apis/apps/v1/namespaces/{namespace}/replicasets"
        self._headers = {"Authorization": f"Bearer {control_plane.admin_token}"}

    def send(self, method, document=None, name="", query=""):
        url = f"{self._plane.url}{self.path}/{name}{query}".replace("/?", "?").rstrip("/")
        trust = str(self._plane.authority.certificate)
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        headers = {**self._headers, "Content-Type": kind}
        return requests.request(method, url, json=document, headers=headers, verify=trust, timeout=60)


@pytest.fixture(scope="module")
def faulty(opa):
    """What stands between the webhook and OPA."""
    with FaultyOpa(opa.url) as running:
        yield running


@pytest.fixture(scope="module")
def webhook(control_plane, opa, faulty, tmp_path_factory):
    """A process of its own, registered at the API server, by the manifest that its command prints."""
    directory = tmp_path_factory.mktemp("webhook")
    (directory / "token").write_text(opa.tokens.query, encoding="utf-8")
    with WebhookProcess(directory, CONFIG.format(url=faulty.url)) as running:
        manifest = _registration(running)
        control_plane.api("POST", REGISTRATIONS, manifest)
        yield running
        control_plane.api("DELETE", f"{REGISTRATIONS}/{manifest['metadata']['name']}")


def _registration(webhook: WebhookProcess) -> dict[str, Any]:
    import contextlib
    import io

    url = f"https://{webhook.address}/mutate"
    options = ["--config", str(webhook.config), "--authority", str(webhook.authority.certificate), "--url", url]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), pytest.raises(SystemExit) as ended:
        main(["webhook", "registration", *options, "--timeout", "30"])
    assert ended.value.code == 0
    return dict(yaml.safe_load(printed.getvalue()))


@pytest.fixture
def server(control_plane, webhook, opa, faulty, namespace):
    """The API server, once it asks the webhook; OPA has the clusters of the design's example."""
    faulty.faults = ["none"]
    with OpaClient(opa.url, token=opa.tokens.replicator) as client:
        client.put_data(["kubernetes"], {"clusters": json.loads((SEED / "clusters.json").read_bytes())})
    server = Server(control_plane, namespace("webhook"))

    def is_decided():
        answer = server.send("POST", _thing(name="probe"), query="?dryRun=All")
        return PREFERENCES in answer.json().get("metadata", {}).get("annotations", {})

    eventually(is_decided, "the API server asks the webhook")
    return server


def test_the_example_of_the_design(server):
    """It is stored with the design's annotation; updating it again changes nothing, whatever a user wrote there."""
    created = server.send("POST", _thing(name="nginx-eu"))
    assert (201, PLACED) == (created.status_code, created.json()["metadata"]["annotations"][PREFERENCES])

    thing = created.json()
    thing["metadata"]["labels"]["changed"] = "yes"
    updated = server.send("PUT", thing, "nginx-eu").json()
    again = server.send("PUT", updated, "nginx-eu").json()
    assert PLACED == updated["metadata"]["annotations"][PREFERENCES]
    assert updated["metadata"]["resourceVersion"] == again["metadata"]["resourceVersion"]


def test_no_name_and_no_annotations(server):
    """The API server names one; an object that says nothing is admitted as the policy has it."""
    named = server.send("POST", _thing(generateName="nginx-")).json()
    assert PLACED == named["metadata"]["annotations"][PREFERENCES]
    for annotations in ({}, {"annotations": None}):
        plain = _thing(generateName="plain-")
        del plain["metadata"]["annotations"]
        plain["metadata"] |= annotations
        assert 201 == server.send("POST", plain).status_code


def test_refused_with_the_reason(server, webhook):
    """The client sees 403 and the design's own sentence; nothing is stored."""
    thing = _thing(name="refused")
    thing["metadata"]["annotations"][PREFERENCES] = json.dumps({"clusters": {"gce-us-central1": {"weight": 1}}})

    answer = server.send("POST", thing)

    assert 403 == answer.status_code
    assert "requested replica-set-preferences includes invalid clusters" in answer.json()["message"]
    assert 404 == server.send("GET", name="refused").status_code


def test_a_demand_that_cannot_be_read(server):
    """The sentence names the annotation."""
    thing = _thing(name="unreadable")
    thing["metadata"]["annotations"]["policy.federation.alpha.kubernetes.io/pci-compliance-level"] = "high"

    answer = server.send("POST", thing)

    assert 403 == answer.status_code
    assert "pci-compliance-level" in answer.json()["message"]


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("undefined", "is undefined"),
        ("garbage", "not OPA's JSON"),
        ("a proxy's page", "not OPA's JSON"),
        ("busy", "(429)"),
        ("forbidden", "refused this caller (401)"),
        ("conflict", "failed while it evaluated the policy"),
        ("closed", "cannot be reached"),
        ("slow", "did not answer within"),
    ],
)
def test_closed_inside_the_time_limit(server, faulty, fault, sentence):
    """Within timeoutSeconds the client gets a 403 with the reason, and no 500 of the API server's; deleting goes on."""
    server.send("POST", _thing(name="old"))
    faulty.faults = [fault]

    answer = server.send("POST", _thing(name="new"))

    assert 403 == answer.status_code, answer.text
    assert sentence in answer.json()["message"]
    assert 200 == server.send("DELETE", name="old").status_code


def test_opa_is_down(server, control_plane, webhook, tmp_path):
    """As above with nothing at OPA's address, by a second webhook of another name."""
    with WebhookProcess(tmp_path / "down", f"opa: {{url: 'http://127.0.0.1:{free_port()}', pause: 0}}\n") as other:
        manifest = _registration(other)
        manifest["metadata"]["name"] = "down"
        manifest["webhooks"][0]["name"] = "down.warden.io"
        control_plane.api("POST", REGISTRATIONS, manifest)
        try:
            message = eventually(
                lambda: server.send("POST", _thing(name="a"), query="?dryRun=All").json().get("message"),
                "OPA's absence is seen",
            )
        finally:
            control_plane.api("DELETE", f"{REGISTRATIONS}/down")

    assert "cannot be reached" in message


def test_the_webhook_is_killed_under_both_failure_policies(server, control_plane, tmp_path):
    """Fail refuses what Ignore admits, for as long as nobody answers."""
    with WebhookProcess(tmp_path / "gone", "opa: {}\n") as other:
        manifest = _registration(other)
    manifest["metadata"]["name"] = "gone"
    manifest["webhooks"][0]["name"] = "gone.warden.io"
    control_plane.api("POST", REGISTRATIONS, manifest)
    path = f"{REGISTRATIONS}/gone"

    def status():
        return server.send("POST", _thing(name="a"), query="?dryRun=All").status_code

    try:
        eventually(lambda: status() == 500, "Fail refuses")
        stored = control_plane.api("GET", path)
        stored["webhooks"][0]["failurePolicy"] = "Ignore"
        control_plane.api("PUT", path, stored)
        eventually(lambda: status() == 201, "Ignore admits")
    finally:
        control_plane.api("DELETE", path)


def test_the_certificate_is_replaced(server, webhook):
    """Objects are admitted all the while, with the certificate before and the one after."""
    for number in range(20):
        if number == 10:
            webhook.issue()
        assert 201 == server.send("POST", _thing(generateName="replaced-")).status_code


def test_a_cluster_that_loses_its_level(server, opa):
    """An update that still names it is refused; the patch of the remediation passes, and moves the object off."""
    clusters = json.loads((SEED / "clusters.json").read_bytes())
    created = server.send("POST", _thing(name="moves")).json()
    with OpaClient(opa.url, token=opa.tokens.replicator) as client:
        client.put_data(["kubernetes"], {"clusters": {name: clusters[name] for name in ["gce-europe-west2"]}})

    refused = server.send("PUT", created, "moves")
    with opa.client() as query_client:
        patch = query_client.evaluate("io/k8s/federation/remediation", {"object": created})["patch"]
    moved = server.send("PATCH", patch, "moves")

    assert (403, 200) == (refused.status_code, moved.status_code)
    stored = json.loads(moved.json()["metadata"]["annotations"][PREFERENCES])
    assert {"gce-europe-west2"} == stored["clusters"].keys()


def test_other_namespaces_are_left_alone(server, control_plane, faulty):
    """Nothing of kube-system goes to the webhook, not even while OPA is away."""
    faulty.faults, faulty.requests = ["closed"], []
    system = Server(control_plane, "kube-system")

    created = system.send("POST", _thing(generateName="system-"), query="?dryRun=All")

    assert 201 == created.status_code
    assert PREFERENCES not in created.json()["metadata"]["annotations"]
    assert [] == faulty.requests
