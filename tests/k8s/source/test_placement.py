"""From cluster objects in a real API server to the placement of a workload: by list and watch, index and all."""

import json

import pytest

from tests.fixtures.conditions import eventually

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

GROUP = "cluster.test.warden"
CLUSTERS = f"/apis/{GROUP}/v1/clusters"
LEVEL = "policy.federation.alpha.kubernetes.io/pci-compliance-level"


@pytest.fixture(scope="module")
def clusters(control_plane, define):
    """A type for clusters, as multi-cluster systems define one; return what creates or changes one."""
    define(GROUP, "v1", "Cluster")

    def put(name, region, level="1"):
        thing = {"apiVersion": f"{GROUP}/v1", "kind": "Cluster", "status": {"region": region}}
        metadata = {"name": name, "annotations": {LEVEL: level}}
        known = {item["metadata"]["name"]: item for item in control_plane.api("GET", CLUSTERS)["items"]}
        if name in known:
            metadata["resourceVersion"] = known[name]["metadata"]["resourceVersion"]
            return control_plane.api("PUT", f"{CLUSTERS}/{name}", {**thing, "metadata": metadata})
        return control_plane.api("POST", CLUSTERS, {**thing, "metadata": metadata})

    yield put
    control_plane.api("DELETE", CLUSTERS)


def _placed(opa):
    """The clusters on which a workload for the EU may run, as admission writes them."""
    workload = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {
            "name": "nginx-pci",
            "annotations": {
                "policy.federation.alpha.kubernetes.io/eu-jurisdiction-required": "true",
                LEVEL: "2",
            },
        },
    }
    with opa.build_client() as client:
        answer = client.evaluate("io/k8s/federation/admission", workload)
    value = answer["annotations"].get("federation.kubernetes.io/replica-set-preferences", "{}")
    value = json.loads(value) if isinstance(value, str) else value
    return set(value.get("clusters", {})), answer.get("errors", [])


def test_placement_follows_the_clusters(control_plane, copies, clusters, opa):
    """A workload goes where the clusters of the moment allow it; the index is the rule's, after every change."""
    clusters("gce-europe-west1", "europe-west1", "2")
    clusters("gce-us-east1", "us-east1", "3")
    copies.start([{"apiVersion": f"{GROUP}/v1", "kind": "Cluster"}])
    copies.equal(CLUSTERS)
    assert _placed(opa) == ({"gce-europe-west1"}, [])

    clusters("gce-europe-west2", "europe-west2", "3")
    copies.equal(CLUSTERS)
    assert _placed(opa)[0] == {"gce-europe-west1", "gce-europe-west2"}

    clusters("gce-europe-west1", "us-west1", "2")
    clusters("gce-us-east1", "europe-west9", "1")
    copies.equal(CLUSTERS)
    assert _placed(opa)[0] == {"gce-europe-west2"}
    assert copies.copy()["clusterIndex"]["region"].keys() == {"us-west1", "europe-west2", "europe-west9"}

    control_plane.api("DELETE", f"{CLUSTERS}/gce-europe-west2")
    copies.equal(CLUSTERS)
    chosen, errors = _placed(opa)
    assert chosen == set()
    assert errors


def test_clusters_that_change_while_opa_is_away(control_plane, copies, clusters, opa):
    """Who makes the index is away: what changed meanwhile waits for it, and nothing is listed again."""
    clusters("waiting", "europe-west1")
    _, status = copies.start([{"apiVersion": f"{GROUP}/v1", "kind": "Cluster"}])
    copies.equal(CLUSTERS)

    opa._end()
    clusters("waiting", "us-east1")
    clusters("another", "us-east1")
    eventually(lambda: status.opa_error, "OPA is missed")
    opa.restart()

    copies.equal(CLUSTERS)
    assert copies.copy()["clusterIndex"]["region"]["us-east1"] == {"another": True, "waiting": True}
    assert status.counts["loads", "requested"] == 1


def test_clusters_and_their_index_change_together(control_plane, copies, clusters, opa):
    """Whoever reads both in one request never sees a cluster without its entry in the index, nor the reverse."""
    clusters("steady", "europe-west1")
    copies.start([{"apiVersion": f"{GROUP}/v1", "kind": "Cluster"}])
    copies.equal(CLUSTERS)
    torn = []

    def look():
        copy = copies.copy()
        regions = {name: region for region, names in copy["clusterIndex"]["region"].items() for name in names}
        if {name: thing["status"]["region"] for name, thing in copy["clusters"].items()} != regions:
            torn.append(copy)
        return copy["clusters"]

    for number in range(10):
        clusters("moving", f"europe-west{number}")
        eventually(lambda: look().get("moving", {}).get("status") == {"region": f"europe-west{number}"}, "it moved")  # noqa: B023 - called at once
    control_plane.api("DELETE", f"{CLUSTERS}/moving")
    eventually(lambda: "moving" not in look(), "it is gone")

    assert torn == []
