"""Objects are admitted, changed and refused by a real API server that has the webhook registered."""

import json

import pytest

from tests.enforce.webhook.process import WebhookProcess
from tests.fixtures.conditions import eventually
from tests.k8s.remediation.remediators import CLUSTERS, PREFERENCES
from tests.k8s.webhook.webhooks import PLACED, Server, register, thing
from warden.base.http.ports import find_free_port
from warden.policy.opa.client import OpaClient

pytestmark = [pytest.mark.k8s, pytest.mark.opa]


def test_the_example_of_the_design(server):
    """It is stored with the design's annotation; updating it again changes nothing, whatever a user wrote there."""
    created = server.send("POST", thing(name="nginx-eu"))
    assert (201, PLACED) == (created.status_code, created.json()["metadata"]["annotations"][PREFERENCES])

    changed = created.json()
    changed["metadata"]["labels"]["changed"] = "yes"
    updated = server.send("PUT", changed, "nginx-eu").json()
    again = server.send("PUT", updated, "nginx-eu").json()
    assert PLACED == updated["metadata"]["annotations"][PREFERENCES]
    assert updated["metadata"]["resourceVersion"] == again["metadata"]["resourceVersion"]


def test_no_name_and_no_annotations(server):
    """The API server names one; an object that says nothing is admitted as the policy has it."""
    named = server.send("POST", thing(generateName="nginx-")).json()
    assert PLACED == named["metadata"]["annotations"][PREFERENCES]
    for annotations in ({}, {"annotations": None}):
        plain = thing(generateName="plain-")
        del plain["metadata"]["annotations"]
        plain["metadata"] |= annotations
        assert 201 == server.send("POST", plain).status_code


def test_refused_with_the_reason(server, webhook):
    """The client sees 403 and the design's own sentence; nothing is stored."""
    sent = thing(name="refused")
    sent["metadata"]["annotations"][PREFERENCES] = json.dumps({"clusters": {"gce-us-central1": {"weight": 1}}})

    answer = server.send("POST", sent)

    assert 403 == answer.status_code
    assert "requested replica-set-preferences includes invalid clusters" in answer.json()["message"]
    assert 404 == server.send("GET", name="refused").status_code


def test_a_demand_that_cannot_be_read(server):
    """The sentence names the annotation."""
    sent = thing(name="unreadable")
    sent["metadata"]["annotations"]["policy.federation.alpha.kubernetes.io/pci-compliance-level"] = "high"

    answer = server.send("POST", sent)

    assert 403 == answer.status_code
    assert "pci-compliance-level" in answer.json()["message"]


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("undefined", "is undefined"),
        ("garbage", "not OPA's JSON"),
        ("a proxy's page", "not OPA's JSON"),
        ("busy", "(429)"),
        ("away for an hour", "(503)"),
        ("forbidden", "refused this caller (401)"),
        ("conflict", "failed while it evaluated the policy"),
        ("closed", "cannot be reached"),
        ("slow", "did not answer within"),
    ],
)
def test_closed_inside_the_time_limit(server, faulty, fault, sentence):
    """Within timeoutSeconds the client gets a 403 with the reason, and no 500 of the API server's; deleting goes on."""
    server.send("POST", thing(name="old"))
    faulty.faults = [fault]

    answer = server.send("POST", thing(name="new"))

    assert 403 == answer.status_code, answer.text
    assert sentence in answer.json()["message"]
    assert 200 == server.send("DELETE", name="old").status_code


def test_opa_is_down(server, control_plane, webhook, tmp_path):
    """As above with nothing at OPA's address, by a second webhook of another name."""
    nothing = f"opa: {{url: 'http://127.0.0.1:{find_free_port()}', pause: 0}}\n"
    with WebhookProcess(tmp_path / "down", nothing) as other, register(control_plane, other, "down"):
        message = eventually(
            lambda: server.send("POST", thing(name="a"), query="?dryRun=All").json().get("message"),
            "OPA's absence is seen",
        )

    assert "cannot be reached" in message


def test_the_webhook_is_killed_under_both_failure_policies(server, control_plane, tmp_path):
    """Fail refuses what Ignore admits, for as long as nobody answers."""

    def status():
        return server.send("POST", thing(name="a"), query="?dryRun=All").status_code

    with WebhookProcess(tmp_path / "gone", "opa: {}\n") as other, register(control_plane, other, "gone") as path:
        other.stop()
        eventually(lambda: status() == 500, "Fail refuses")
        stored = control_plane.api("GET", path)
        stored["webhooks"][0]["failurePolicy"] = "Ignore"
        control_plane.api("PUT", path, stored)
        eventually(lambda: status() == 201, "Ignore admits")


def test_a_cluster_that_loses_its_level(server, opa):
    """An update that still names it is refused; the patch of the remediation passes, and moves the object off."""
    created = server.send("POST", thing(name="moves")).json()
    with OpaClient(opa.url, token=opa.tokens.replicator) as client:
        client.put_data(["kubernetes"], {"clusters": {name: CLUSTERS[name] for name in ["gce-europe-west2"]}})

    refused = server.send("PUT", created, "moves")
    with opa.build_client() as query_client:
        patch = query_client.evaluate("io/k8s/federation/remediation", {"object": created})["patch"]
    moved = server.send("PATCH", patch, "moves")

    assert (403, 200) == (refused.status_code, moved.status_code)
    stored = json.loads(moved.json()["metadata"]["annotations"][PREFERENCES])
    assert {"gce-europe-west2"} == stored["clusters"].keys()


def test_other_namespaces_are_left_alone(server, control_plane, faulty):
    """Nothing of kube-system goes to the webhook, not even while OPA is away."""
    faulty.faults, faulty.requests = ["closed"], []
    system = Server(control_plane, "kube-system")

    created = system.send("POST", thing(generateName="system-"), query="?dryRun=All")

    assert 201 == created.status_code
    assert PREFERENCES not in created.json()["metadata"]["annotations"]
    assert [] == faulty.requests
