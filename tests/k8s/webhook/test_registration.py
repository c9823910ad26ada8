"""The webhook's registration is closed at the first policy of a ConfigMap, while the webhook itself is down."""

import logging
import threading

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.policies.policy_maps import open_maps, policy
from tests.k8s.webhook.webhooks import REGISTRATIONS, Server, thing
from warden.base.http.ports import find_free_port
from warden.state.config_map_policies.entry import PolicySource
from warden.state.config_map_policies.policy_set import LAST_GOOD
from warden.state.replicate.policies.config_map_watch import ConfigMapWatch
from warden.state.replicate.registration_guard import RegistrationGuard
from warden.state.replicate.status import SourceStatus

pytestmark = pytest.mark.k8s

NAME = "guarded"
REGO = "package site.placement"


@pytest.fixture
def registered(control_plane):
    """Registers a webhook that is down, as one whose API server does without it, and tells its failurePolicy."""

    def register():
        webhook = {
            "name": "down.warden.io",
            "clientConfig": {"url": f"https://127.0.0.1:{find_free_port()}/mutate"},
            "rules": [
                {"apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["replicasets"], "operations": ["CREATE"]}
            ],
            "failurePolicy": "Ignore",
            "admissionReviewVersions": ["v1"],
            "sideEffects": "NoneOnDryRun",
        }
        control_plane.api("POST", REGISTRATIONS, {"metadata": {"name": NAME}, "webhooks": [webhook]})

    yield register
    control_plane.api("DELETE", f"{REGISTRATIONS}/{NAME}")


@pytest.fixture
def guard(control_plane, namespace):
    """Watches over it; where its policies are, its status, and itself."""
    policies, status, stop = namespace("policies"), SourceStatus(NAME, "registration", 30.0), threading.Event()
    access = control_plane.kubeconfig("guard", {"token": control_plane.admin_token})
    source = PolicySource(kubeconfig=access, namespace=policies)
    watch = ConfigMapWatch(source, logging.getLogger(__name__))
    watching = RegistrationGuard(source, watch, NAME, status)
    thread = threading.Thread(target=watching.run, args=(stop,))
    watch.start()
    thread.start()
    yield f"/api/v1/namespaces/{policies}/configmaps", status, watching
    stop.set()
    watch.stop()
    thread.join()


@pytest.fixture
def maps(control_plane, placement_bundle, namespace, tmp_path):
    """ConfigMaps that a replicator follows, which closes the registration too; with a tenant's namespace."""
    policies, shop = namespace("policies"), namespace("shop")
    with open_maps(control_plane, placement_bundle, tmp_path, policies, shop, registration=NAME) as made, made:
        made.shop = shop
        yield made


def _failure_policy(control_plane):
    return control_plane.api("GET", f"{REGISTRATIONS}/{NAME}")["webhooks"][0]["failurePolicy"]


def test_closed_at_the_first_policy(registered, guard, control_plane, namespace):
    """Objects pass before it and are refused from then on; what the webhook sets later stays."""
    registered()
    path, status, watching = guard
    server = Server(control_plane, namespace("objects"))
    eventually(lambda: status.loaded, "the ConfigMaps are watched")
    control_plane.api("POST", path, {"metadata": {"name": "kube-root-ca.crt"}})
    assert 201 == server.send("POST", thing(name="before")).status_code
    assert "Ignore" == _failure_policy(control_plane)

    first = {"metadata": {"name": "first"}, "data": {"a.rego": REGO}}
    control_plane.api("POST", path, first)
    eventually(lambda: _failure_policy(control_plane) == "Fail", "it is closed")
    eventually(lambda: server.send("POST", thing(name="a"), query="?dryRun=All").status_code == 500, "it refuses")

    opened = control_plane.api("GET", f"{REGISTRATIONS}/{NAME}")
    opened["webhooks"][0]["failurePolicy"] = "Ignore"
    control_plane.api("PUT", f"{REGISTRATIONS}/{NAME}", opened)
    control_plane.api("POST", path, {**first, "metadata": {"name": "second"}})
    before = status.observed
    eventually(lambda: status.observed > before, "the second is seen")
    assert "Ignore" == _failure_policy(control_plane)

    control_plane.api("DELETE", path)
    eventually(lambda: not watching._closed_for, "they are gone")
    control_plane.api("POST", path, first)
    eventually(lambda: _failure_policy(control_plane) == "Fail", "it is closed again")


def test_registered_after_the_policies(registered, guard, control_plane):
    """It is closed as soon as it is there, and nobody waits for it before."""
    path, status, _ = guard
    control_plane.api("POST", path, {"metadata": {"name": "first"}, "data": {"a.rego": REGO}})
    eventually(lambda: status.find_problem() is None, "all is well")
    registered()
    eventually(lambda: _failure_policy(control_plane) == "Fail", "it is closed")


def test_texts_that_are_kept_are_no_policies(registered, guard, control_plane):
    """Where all that is left is the last good text of a ConfigMap, the next policy closes it anew."""
    registered()
    path, _, watching = guard
    kept = {"metadata": {"name": "kept", "labels": {LAST_GOOD: "of-none"}}, "data": {"a.rego": REGO}}
    first = {"metadata": {"name": "first"}, "data": {"a.rego": REGO}}
    control_plane.api("POST", path, kept)
    control_plane.api("POST", path, first)
    eventually(lambda: watching._closed_for, "it is closed")
    control_plane.api("DELETE", f"{path}/first")
    eventually(lambda: not watching._closed_for, "there is no policy")


@pytest.mark.opa
def test_no_policy_is_ok_before_it_is_closed(registered, maps, control_plane):
    """OPA decides by it already; it says ok once objects are refused without the webhook. A tenant's need not wait."""
    maps.write("first", {"a.rego": policy("one")})
    maps.warns("one")
    maps.write("later", {"a.rego": "package x {"})
    maps.refuses("later", "a.rego:1:")
    assert {} == maps.status("first")
    tenant = f'package site.tenants["{maps.shop}"]\n\nwarnings contains "two"\n'
    maps.write("own", {"a.rego": tenant}, namespace=maps.shop)
    eventually(lambda: maps.says_ok("own", maps.shop), "the tenant's policy is ok")
    assert {} == maps.status("first")

    registered()
    eventually(lambda: maps.says_ok("first"), "the policy is ok")
    assert "Fail" == _failure_policy(control_plane)
