"""Before the first ConfigMap with policies a real API server admits what it refuses from then on."""

import pytest
import yaml

from tests.enforce.webhook.process import WebhookProcess
from tests.fixtures.conditions import eventually
from tests.k8s.webhook.webhooks import REGISTRATIONS, Server, register, thing
from warden.base.http.ports import find_free_port

pytestmark = pytest.mark.k8s

NAME = "policies-from-config-maps"


@pytest.fixture
def server(control_plane, namespace, tmp_path):
    """An API server that asks a webhook without OPA, which is to be open; with the namespace of its policies."""
    kubeconfig = control_plane.kubeconfig("webhook", {"token": control_plane.admin_token})
    policies, shop = namespace("policies"), namespace("shop")
    config = {
        "opa": {"url": f"http://127.0.0.1:{find_free_port()}", "pause": 0, "attempts": 1},
        "policiesFrom": "configMaps",
        "kubernetes": {
            "kubeconfig": str(kubeconfig),
            "namespace": policies,
            "namespaces": [{"name": shop}],
            "registration": NAME,
        },
    }
    with (
        WebhookProcess(tmp_path / "webhook", yaml.safe_dump(config)) as webhook,
        register(control_plane, webhook, NAME),
    ):
        yield Server(control_plane, namespace("objects")), policies, Server(control_plane, shop)


def _failure_policy(control_plane):
    return control_plane.api("GET", f"{REGISTRATIONS}/{NAME}")["webhooks"][0]["failurePolicy"]


def test_closed_once_there_is_a_config_map(server, control_plane):
    """Also one that does not compile; open again when its namespace is deleted; failurePolicy and an event follow."""
    server, policies, _ = server
    path = f"/api/v1/namespaces/{policies}/configmaps"
    eventually(lambda: _failure_policy(control_plane) == "Ignore", "the API server would do without the webhook")
    assert 201 == server.send("POST", thing(name="before")).status_code

    control_plane.api("POST", path, {"metadata": {"name": "kube-root-ca.crt"}, "data": {"ca.crt": "x"}})
    control_plane.api("POST", path, {"metadata": {"name": "broken"}, "data": {"a.rego": "package"}})
    eventually(lambda: _failure_policy(control_plane) == "Fail", "the API server would not do without the webhook")

    def refused():
        answer = server.send("POST", thing(name="after"), query="?dryRun=All")
        return answer.json()["message"] if answer.status_code == 403 else None

    assert "cannot be reached" in eventually(refused, "objects are refused")
    assert [] == _events(server, control_plane, "after")
    for _ in range(2):
        assert 403 == server.send("POST", thing(name="after")).status_code
    event = eventually(lambda: _events(server, control_plane, "after"), "there is an event")
    assert ["Warning", "PlacementRefused"] == [event[0]["type"], event[0]["reason"]]
    assert "cannot be reached" in event[0]["note"]

    # Nobody finishes namespaces here: what its controller does first is done by hand.
    control_plane.api("DELETE", f"/api/v1/namespaces/{policies}")
    control_plane.api("DELETE", path)
    eventually(lambda: _failure_policy(control_plane) == "Ignore", "the API server would do without the webhook again")
    assert 201 == server.send("POST", thing(name="after")).status_code
    assert 1 == len(_events(server, control_plane, "after"))


def test_a_tenants_policies_close_their_own_namespace(server, control_plane):
    """Not that of others, and not the API server's way without the webhook."""
    server, _, tenant = server
    eventually(lambda: _failure_policy(control_plane) == "Ignore", "the API server would do without the webhook")
    assert 201 == tenant.send("POST", thing(name="before")).status_code
    namespace = tenant.path.split("/namespaces/")[1].split("/")[0]
    broken = {"metadata": {"name": "broken"}, "data": {"a.rego": "package"}}
    control_plane.api("POST", f"/api/v1/namespaces/{namespace}/configmaps", broken)

    def refused():
        return tenant.send("POST", thing(name="after"), query="?dryRun=All").status_code == 403

    eventually(refused, "the tenant's objects are refused")
    assert 201 == server.send("POST", thing(name="of-another")).status_code
    assert "Ignore" == _failure_policy(control_plane)


def _events(server, control_plane, name):
    path = server.path.replace("/apps/v1/", "/events.k8s.io/v1/").replace("/replicasets", "/events")
    found = control_plane.api("GET", path)["items"]
    return [event for event in found if event["regarding"]["name"] == name]
