"""Targets have what says where stored objects run, at a real API server with Karmada's and OCM's own definitions."""

import json
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.remediation.remediators import Remediation, run_command

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

WEST1, WEST2 = "gce-europe-west1", "gce-europe-west2"
DEMANDS = {"policy.federation.alpha.kubernetes.io/eu-jurisdiction-required": "true"}
MANAGED = {"app.kubernetes.io/managed-by": "warden-remediator"}


class Carrying:
    """The carriers of a target in one namespace: sends requests about its objects.

    Args:
        control_plane: The API server.
        namespace: Of the objects.
        resource: Group, version and plural.
    """

    def __init__(self, control_plane, namespace, resource="policy.karmada.io/v1alpha1/propagationpolicies"):
        self._api = control_plane.api
        group, _, plural = resource.rpartition("/")
        self.path = f"/apis/{group}/namespaces/{namespace}/{plural}"

    def all(self):
        """Return all that are there, by name."""
        return {thing["metadata"]["name"]: thing for thing in self._api("GET", self.path)["items"]}

    def clusters(self, name):
        """Return the clusters that one names, None where it is not there."""
        thing = self.all().get(name)
        return thing and set(thing["spec"]["placement"]["clusterAffinity"]["clusterNames"])

    def write(self, thing):
        """Update one, as a person would."""
        return self._api("PUT", f"{self.path}/{thing['metadata']['name']}", thing)

    def delete(self, name=""):
        """Delete one, or all."""
        self._api("DELETE", f"{self.path}/{name}".rstrip("/"))


@pytest.fixture
def carriers(targets, workloads):
    """PropagationPolicies of Karmada in the namespace of the workloads."""
    made = Carrying(targets, workloads.namespace)
    yield made
    made.delete()


def _named(clusters):
    return {"clusterAffinity": {"clusterNames": clusters}}


def _own(workloads, name, clusters):
    """A policy that a person writes for a ReplicaSet."""
    selector = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web"}
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": name, "namespace": workloads.namespace},
        "spec": {"resourceSelectors": [selector], "placement": _named(clusters)},
    }


def test_kept_and_taken_back(carriers, workloads, config, clusters):
    """It is owned by the object, follows clusters, and what people change or delete comes back."""
    created = workloads.create("web")
    with Remediation(config(target="karmada")) as remediation:
        eventually(lambda: carriers.clusters("web-replicaset") == {WEST1, WEST2}, "Karmada has it")
        policy = carriers.all()["web-replicaset"]
        owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": created["metadata"]["uid"]}
        assert ([owner], MANAGED) == (policy["metadata"]["ownerReferences"], policy["metadata"]["labels"])
        assert ["warden-remediator"] == [row["manager"] for row in policy["metadata"]["managedFields"]]
        weights = policy["spec"]["placement"]["replicaScheduling"]["weightPreference"]["staticWeightList"]
        assert 2 == len(weights)

        clusters([WEST2])
        eventually(lambda: carriers.clusters("web-replicaset") == {WEST2}, "it follows the clusters")

        policy = carriers.all()["web-replicaset"]
        policy["spec"]["placement"]["clusterAffinity"]["clusterNames"] = ["gce-us-central1"]
        carriers.write(policy)
        eventually(lambda: carriers.clusters("web-replicaset") == {WEST2}, "drift is taken back")

        policy = carriers.all()["web-replicaset"]
        policy["spec"] |= {"suspension": {"dispatching": True}, "priority": 7}
        policy["spec"]["placement"]["clusterAffinity"]["exclude"] = [WEST2]
        carriers.write(policy)
        eventually(lambda: carriers.all()["web-replicaset"]["spec"]["priority"] == 0, "so is what was added")
        spec = carriers.all()["web-replicaset"]["spec"]
        assert "suspension" not in spec
        assert {"clusterNames": [WEST2]} == spec["placement"]["clusterAffinity"]

        carriers.delete("web-replicaset")
        eventually(lambda: carriers.clusters("web-replicaset") == {WEST2}, "it is made again")
        eventually(lambda: remediation.ready()["pending"] == 0, "nothing is left")
        assert 5 == len(remediation.lines("patched"))
    assert created["metadata"]["resourceVersion"] == workloads.get("web")["metadata"]["resourceVersion"]


def test_what_people_wrote_stays(carriers, workloads, config, clusters, targets):
    """A policy of the same name is refused with its name, and is ours again once it is gone."""
    workloads.create("web")
    own = targets.api("POST", carriers.path, _own(workloads, "web-replicaset", ["gce-us-central1"]))
    with Remediation(config(target="karmada")) as remediation:
        refused = eventually(lambda: remediation.line("refused"), "it is refused")
        name = f"{workloads.namespace}/web-replicaset"
        assert [f"PropagationPolicy {name} is there and was not made here: it stays as it is"] == refused["errors"]
        assert own["metadata"]["resourceVersion"] == carriers.all()["web-replicaset"]["metadata"]["resourceVersion"]

        carriers.delete("web-replicaset")
        eventually(lambda: carriers.clusters("web-replicaset") == {WEST1, WEST2}, "Karmada has it")


def test_report_stop_and_undo(carriers, workloads, config, clusters):
    """A report shows what would be applied and changes nothing; the stop holds; an undo takes back what was made."""
    for name in ("web", "db"):
        workloads.create(name)
    path = config(target="karmada", stop={"share": 0, "atLeast": 1})
    status, printed = run_command(path, "--once", "--report-only", "--output", "json")
    report = json.loads(printed)
    after = {key: json.loads(text) for one in report["differing"] for key, text in one["after"].items()}
    keys = {f"PropagationPolicy/{workloads.namespace}/{name}-replicaset" for name in ("web", "db")}
    assert (1, keys, {}) == (status, set(after), carriers.all())
    assert "2 of 2 objects would be patched" in json.loads(run_command(path, "--once", "--output", "json")[1])["held"]
    assert {} == carriers.all()

    first = json.loads(run_command(path, "--once", "--accept", "--output", "json")[1])
    assert (2, 2) == (first["patched"], len(carriers.all()))
    clusters([WEST2])
    second = json.loads(run_command(path, "--once", "--accept", "--output", "json")[1])
    assert [{WEST2}] * 2 == [carriers.clusters(name) for name in carriers.all()]

    status, printed = run_command(path, "--undo", second["record"], "--output", "json")
    assert (0, ["undone"] * 2) == (status, [one["result"] for one in json.loads(printed)])
    assert [{WEST1, WEST2}] * 2 == [carriers.clusters(name) for name in carriers.all()]
    policy = carriers.all()["web-replicaset"]
    carriers.write({**policy, "spec": {**policy["spec"], "placement": _named([WEST1])}})
    status, printed = run_command(path, "--undo", first["record"], "--output", "json")
    assert (1, ["changed since", "undone"]) == (status, sorted(one["result"] for one in json.loads(printed)))
    assert {"web-replicaset"} == carriers.all().keys()
    assert "gone" in run_command(path, "--undo", first["record"])[1]


_POD: dict[str, Any] = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}
_SELECTED = {"selector": {"matchLabels": {"app": "a"}}, "template": _POD}
_JOB: dict[str, Any] = {"template": {**_POD, "spec": {**_POD["spec"], "restartPolicy": "Never"}}}
KINDS = {
    ("apps/v1", "StatefulSet"): {**_SELECTED, "serviceName": "a", "replicas": 3},
    ("apps/v1", "DaemonSet"): _SELECTED,
    ("batch/v1", "Job"): _JOB,
    ("batch/v1", "CronJob"): {"schedule": "0 0 * * *", "jobTemplate": {"spec": _JOB}},
    ("v1", "Service"): {"ports": [{"port": 80}]},
    ("placement.kubernetes-fleet.io/v1beta1", "ResourcePlacement"): {
        "resourceSelectors": [{"group": "", "version": "v1", "kind": "ConfigMap"}]
    },
}


def test_kinds_without_an_annotation(carriers, workloads, config, clusters, targets):
    """Each is placed by what Karmada reads; only what has replicas has them divided."""
    for (api_version, kind), spec in KINDS.items():
        base = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
        path = f"{base}/namespaces/{workloads.namespace}/{kind.lower()}s"
        metadata = {"name": "a", "annotations": DEMANDS}
        targets.api("POST", path, {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec})
    resources = [{"apiVersion": version, "kind": kind, "namespace": workloads.namespace} for version, kind in KINDS]
    report = json.loads(
        run_command(config(target="karmada", resources=resources), "--once", "--accept", "--output", "json")[1]
    )
    assert ([], 6) == (report["refused"], report["patched"])
    assert {f"a-{kind.lower()}" for _, kind in KINDS} == carriers.all().keys()
    divided = {name for name, one in carriers.all().items() if "replicaScheduling" in one["spec"]["placement"]}
    assert {"a-statefulset"} == divided


@pytest.mark.parametrize(
    ("target", "resource"),
    [
        ("ocm", "cluster.open-cluster-management.io/v1beta1/placements"),
        ("kubefleet", "placement.kubernetes-fleet.io/v1beta1/resourceplacements"),
    ],
)
def test_other_targets(targets, workloads, config, clusters, target, resource):
    """Each has it in its own words from the same remediator, leaves clusters that go, and stays when others come."""
    carriers = Carrying(targets, workloads.namespace, resource)
    workloads.create("web")
    path = config(target=target)
    for names in ([WEST1, WEST2], [WEST2]):
        clusters(names)
        assert 1 == json.loads(run_command(path, "--once", "--output", "json")[1])["patched"]
        spec = json.dumps(carriers.all()["web-replicaset"]["spec"])
        assert [name in names for name in (WEST1, WEST2)] == [name in spec for name in (WEST1, WEST2)]
    clusters([WEST1, WEST2])
    assert "1 objects: 0 differ, 0 refused\n0 patched\n" == run_command(path, "--once")[1]
    carriers.delete()
