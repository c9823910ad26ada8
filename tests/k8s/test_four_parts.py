"""From nothing to a moved object: OPA, replicator, webhook and remediator together, started as they are installed."""

import contextlib
import json

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.four_parts import FourParts
from tests.k8s.remediation.remediators import CLUSTERS, PREFERENCES, Workloads
from tests.k8s.webhook.webhooks import PLACED, thing

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

GROUP, VERSION = "federation.warden.test", "v1beta1"
WEST1, WEST2 = "gce-europe-west1", "gce-europe-west2"
MERGE = "application/merge-patch+json"
POLICY = """package site.placement.team

annotations["team"] contains "payments"

errors contains "no new work on Fridays" if input.metadata.labels.day == "friday"
"""


@pytest.fixture
def parts(control_plane, define, namespace, tmp_path):
    """The four parts, and clusters of the design's example as objects of the API server."""
    path = define(GROUP, VERSION, "Cluster")
    policies, workloads = namespace("policies"), namespace("four")
    all_may_move = {"stop": {"share": 1.0, "atLeast": 1000}}
    with FourParts(control_plane, tmp_path, f"{GROUP}/{VERSION}", policies, workloads, **all_may_move) as running:
        for name, cluster in CLUSTERS.items():
            metadata = {**cluster["metadata"], "name": name}
            running.create({**cluster, "apiVersion": f"{GROUP}/{VERSION}", "kind": "Cluster", "metadata": metadata})
        yield running, Workloads(control_plane, running.opa, workloads), policies
    control_plane.api("DELETE", path)
    control_plane.api("DELETE", f"/apis/apps/v1/namespaces/{workloads}/replicasets")


def test_from_nothing_to_a_moved_object(parts, control_plane):
    """The design's example is stored with its annotation and moved off; then a ConfigMap decides, without a restart."""
    running, workloads, policies = parts
    config_maps = f"/api/v1/namespaces/{policies}/configmaps"

    def create(**metadata):
        return running.create(thing(namespace=workloads.namespace, **metadata))["metadata"]["annotations"]

    def is_known():
        with contextlib.suppress(AssertionError):  # refused: no cluster is known
            return create(generateName="probe-").get(PREFERENCES) == PLACED
        return False

    eventually(is_known, "OPA knows the clusters")
    assert PLACED == create(name="nginx-eu")[PREFERENCES]

    cluster = f"/apis/{GROUP}/{VERSION}/clusters/{WEST1}"
    stored = control_plane.api("GET", cluster)
    level = {"policy.federation.alpha.kubernetes.io/pci-compliance-level": "1", "pci-compliance-level": "1"}
    stored["metadata"]["annotations"] = {**stored["metadata"]["annotations"], **level}
    control_plane.api("PUT", cluster, stored)
    eventually(lambda: workloads.placed("nginx-eu") == {WEST2}, "it is moved off")

    config_map = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"team.rego": POLICY}}
    running.create({**config_map, "metadata": {"namespace": policies, "name": "team"}})
    eventually(
        lambda: create(generateName="later-").get("team") == "payments", "the ConfigMap decides about new objects"
    )
    with pytest.raises(AssertionError, match="no new work on Fridays"):
        create(name="friday", labels={**thing()["metadata"]["labels"], "day": "friday"})
    eventually(
        lambda: workloads.get("nginx-eu")["metadata"]["annotations"].get("team") == "payments",
        "and about those that are stored",
    )

    control_plane.api("DELETE", f"{config_maps}/team")
    eventually(lambda: "team" not in create(generateName="last-"), "it decides no more")
    assert {WEST2} == set(json.loads(workloads.get("nginx-eu")["metadata"]["annotations"][PREFERENCES])["clusters"])
