"""What people write for Karmada and KubeFleet is decided by a real API server that asks the webhook about it."""

from functools import partial

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.remediation.remediators import CLUSTERS, Remediation
from tests.k8s.webhook.webhooks import Server, register, thing

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

WEST1, WEST2, US = "gce-europe-west1", "gce-europe-west2", "gce-us-central1"
_GROUP = "policy.karmada.io"
_TYPES = ("propagationpolicies", "clusterpropagationpolicies")


def _rules(group, version, *resources):
    """Of a registration: what the API server asks the webhook about."""
    sent = {"apiGroups": [group], "apiVersions": [version], "resources": list(resources)}
    return [{**sent, "operations": ["CREATE", "UPDATE"], "scope": "*"}]


@pytest.fixture
def people(targets, webhook, server, workloads):
    """Sends PropagationPolicies of a namespace to an API server that asks the webhook about them."""
    sends = Server(targets, workloads.namespace)
    sends.path = f"/apis/{_GROUP}/v1alpha1/namespaces/{workloads.namespace}/propagationpolicies"
    with register(targets, webhook, "warden-propagation", rules=_rules(_GROUP, "v1alpha1", *_TYPES)):
        yield sends
    targets.api("DELETE", sends.path)


@pytest.fixture
def replicate(workloads, people, clusters):
    """Has OPA know the ReplicaSets and the policies that are stored, as the replicator writes them."""

    def write(*names):
        stored = {one["metadata"]["name"]: one for one in people.send("GET").json()["items"]}
        clusters(
            list(CLUSTERS),
            replicasets={workloads.namespace: {name: _typed(workloads.get(name)) for name in names}},
            propagationpolicies={workloads.namespace: {name: _typed(one) for name, one in stored.items()}},
        )

    return write


def _typed(stored):
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", **stored}


def _policy(name, selector, **affinity):
    return {
        "apiVersion": f"{_GROUP}/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": {"name": name},
        "spec": {
            "resourceSelectors": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", **selector}],
            "placement": {"clusterAffinity": affinity},
        },
    }


def test_clusters_of_what_is_selected(people, replicate, workloads):
    """It is refused on creation and update, by names and by labels, with the object and the clusters."""
    workloads.create("web", labels={"app": "web"})
    replicate("web")
    eventually(
        lambda: (
            people.send("POST", _policy("probe", {"name": "web"}, clusterNames=[US]), query="?dryRun=All").status_code
            == 403
        ),
        "the API server asks the webhook",
    )
    for selector in ({"name": "web"}, {"labelSelector": {"matchLabels": {"app": "web"}}}, {}):
        answer = people.send("POST", _policy("own", selector, clusterNames=[WEST1, US]))
        assert 403 == answer.status_code
        text = (
            f"PropagationPolicy {workloads.namespace}/own would have ReplicaSet {workloads.namespace}/web run on {US}"
        )
        assert f"KFK-PLC-004: {text}, where policy does not allow it" in answer.json()["message"]
    assert 403 == people.send("POST", _policy("own", {"name": "web"}, exclude=[US])).status_code

    created = people.send("POST", _policy("own", {"name": "web"}, clusterNames=[WEST1]))
    assert 201 == created.status_code
    changed = created.json()
    changed["spec"]["placement"]["clusterAffinity"]["clusterNames"] = [US]
    assert 403 == people.send("PUT", changed, "own").status_code
    assert 201 == people.send("POST", _policy("other", {"name": "nobody"}, clusterNames=[US])).status_code


def test_an_object_that_comes_later(server, people, replicate, workloads, targets):
    """What was allowed while it selected nothing refuses the object that it selects."""
    assert 201 == people.send("POST", _policy("all", {}, clusterNames=[US])).status_code
    replicate()
    objects = Server(targets, workloads.namespace)
    answer = objects.send("POST", thing(name="later"))
    assert (403, True) == (answer.status_code, "KFK-PLC-004" in answer.json()["message"])
    plain = thing(name="plain")
    plain["metadata"]["annotations"] = {}
    assert 201 == objects.send("POST", plain).status_code


def test_what_the_remediator_applies_passes(people, replicate, workloads, config):
    """The webhook decides about it as about any other, and has nothing against it."""
    workloads.create("web")
    replicate("web")
    with Remediation(config(target="karmada")) as remediation:
        eventually(lambda: remediation.line("patched"), "Karmada has it")
    names = [one["metadata"]["name"] for one in people.send("GET").json()["items"]]
    assert ["web-replicaset"] == names


def test_placements_of_kubefleet(targets, webhook, server, workloads, clusters):
    """One of a namespace, and one that takes a namespace whole, are refused by what they select."""
    group, namespace = "placement.kubernetes-fleet.io", workloads.namespace
    rules = _rules(group, "v1beta1", "resourceplacements", "clusterresourceplacements")
    workloads.create("web")
    stored = {"web": _typed(workloads.get("web"))}
    clusters(list(CLUSTERS), replicasets={namespace: stored})
    web = {"group": "apps", "version": "v1", "kind": "ReplicaSet", "name": "web"}
    whole = {"group": "", "version": "v1", "kind": "Namespace", "name": namespace}
    own, everywhere = Server(targets, namespace), Server(targets, namespace)
    own.path = f"/apis/{group}/v1beta1/namespaces/{namespace}/resourceplacements"
    everywhere.path = f"/apis/{group}/v1beta1/clusterresourceplacements"

    def send(sends, kind, selector, *names):
        picked = {"placementType": "PickFixed", "clusterNames": list(names)}
        spec = {"resourceSelectors": [selector], "policy": picked}
        placement = {"apiVersion": f"{group}/v1beta1", "kind": kind, "metadata": {"name": namespace}, "spec": spec}
        return sends.send("POST", placement, query="?dryRun=All")

    def is_refused(sends, kind, selector):
        return send(sends, kind, selector, US).status_code == 403

    with register(targets, webhook, "warden-fleet", rules=rules):
        for sends, kind, selector in (
            (own, "ResourcePlacement", web),
            (everywhere, "ClusterResourcePlacement", whole),
        ):
            eventually(partial(is_refused, sends, kind, selector), "the API server asks the webhook")
            refused = send(sends, kind, selector, WEST1, US)
            assert 403 == refused.status_code
            assert f"would have ReplicaSet {namespace}/web run on {US}, where" in refused.json()["message"]
            assert 201 == send(sends, kind, selector, WEST1).status_code
