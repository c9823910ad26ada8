"""Karmada's own programs have a Deployment run where policy says: what the remediator keeps is what they obey."""

import json

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ControlPlane
from tests.k8s.karmada import Karmada, find_programs
from tests.k8s.remediation.remediators import Remediation, configuration

PROGRAMS = find_programs()
pytestmark = [
    pytest.mark.k8s,
    pytest.mark.opa,
    pytest.mark.skipif(PROGRAMS is None, reason="Karmada is not built: run python -m tests.k8s.karmada"),
]

DEMANDS = {"policy.federation.alpha.kubernetes.io/eu-jurisdiction-required": "true"}
REGIONS = {"eu-1": "europe-west1", "eu-2": "europe-west2", "us-1": "us-east1"}


@pytest.fixture(scope="module")
def karmada(tmp_path_factory):
    """An API server of its own with Karmada's programs and three clusters."""
    assert PROGRAMS is not None
    with ControlPlane() as plane, Karmada(plane, PROGRAMS, tmp_path_factory.mktemp("karmada")) as running:
        for name, region in REGIONS.items():
            running.join(name, region)
        plane.api("POST", "/api/v1/namespaces", {"metadata": {"name": "shop"}})
        yield plane


def test_bindings_are_where_policy_has_them(karmada, opa, replicator, tmp_path):
    """Karmada's webhook takes what is applied, its scheduler divides replicas by it, and follows clusters."""

    def know(*names):
        clusters = {name: {"metadata": {"name": name}, "spec": {"region": REGIONS[name]}} for name in names}
        replicator.put_data(["kubernetes"], {"clusters": clusters, "meta": {"revision": json.dumps(names)}})

    def bound():
        path = "/apis/work.karmada.io/v1alpha2/namespaces/shop/resourcebindings/web-deployment"
        found = karmada.api("GET", path)["spec"].get("clusters", [])
        return {row["name"]: row["replicas"] for row in found}

    def is_bound(expected):
        try:
            return bound() == expected
        except AssertionError:
            return False  # no binding yet

    know("eu-1", "eu-2", "us-1")
    pod = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
    spec = {"replicas": 4, "selector": {"matchLabels": {"app": "a"}}, "template": pod}
    metadata = {"name": "web", "annotations": DEMANDS}
    karmada.api("POST", "/apis/apps/v1/namespaces/shop/deployments", {"metadata": metadata, "spec": spec})
    resources = [{"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop"}]
    path = configuration(tmp_path, karmada, opa.url, opa.tokens.query, "shop", target="karmada", resources=resources)
    with Remediation(path) as remediation:
        eventually(lambda: is_bound({"eu-1": 2, "eu-2": 2}), "the scheduler divides by the policy")
        know("eu-2", "us-1")
        eventually(lambda: is_bound({"eu-2": 4}), "it follows when a cluster is no longer allowed")
        patched = len(remediation.lines("patched"))
    assert 2 == patched  # what Karmada's webhook adds is no drift
