"""What is being deleted goes on going with a policy that refuses it, with OPA down, and without the webhook.

No controller runs here: what the garbage collector and the namespace controller request is requested by hand, by their
accounts, with the rights that the API server gives these.
"""

from types import SimpleNamespace

import pytest

from tests.enforce.webhook.process import WebhookProcess
from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ISSUER
from tests.k8s.remediation.remediators import PREFERENCES, Remediation
from tests.k8s.webhook.webhooks import Server, register, thing

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

FINALIZER = "example.com/holds"
WEST1, WEST2 = "gce-europe-west1", "gce-europe-west2"
NO_FINALIZERS = {"metadata": {"finalizers": None}}


@pytest.fixture(scope="module")
def controllers(control_plane):
    """Tokens of the accounts of two controllers."""
    path, tokens = "/api/v1/namespaces/kube-system/serviceaccounts", {}

    def has_namespace():
        return any(
            one["metadata"]["name"] == "kube-system" for one in control_plane.api("GET", "/api/v1/namespaces")["items"]
        )

    eventually(has_namespace, "the API server has made its namespaces")
    for name in ("generic-garbage-collector", "namespace-controller"):
        uid = control_plane.api("POST", path, {"metadata": {"name": name}})["metadata"]["uid"]
        tokens[name] = control_plane.authority.token(ISSUER, f"kube-system:{name}", uid, 3600)
    return tokens


@pytest.fixture
def objects(control_plane, server, namespace, controllers):
    """A namespace in which the webhook decides, as an administrator and two controllers see it."""
    name = namespace("deletion")

    return SimpleNamespace(
        namespace=name,
        person=Server(control_plane, name),
        collector=Server(control_plane, name, controllers["generic-garbage-collector"]),
        namespaces=Server(control_plane, name, controllers["namespace-controller"]),
    )


@pytest.fixture(params=["the policy refuses it", "OPA is down", "the webhook is down"])
def refuse(request, server, control_plane, clusters, faulty, tmp_path):
    """What has every object refused from now on, deleted ones apart."""
    with WebhookProcess(tmp_path / "gone", "opa: {}\n") as other:
        ended = []

        def begin():
            if request.param == "the policy refuses it":
                clusters(["gce-us-central1"])
            elif request.param == "OPA is down":
                faulty.faults = ["closed"]
            else:
                other.stop()
                ended.append(register(control_plane, other, "gone"))
                ended[0].__enter__()

        yield begin
        for one in ended:
            one.__exit__(None, None, None)


def _await_refusal(objects):
    """Wait until the API server refuses an object that lives."""
    sent = thing(name="probe")
    eventually(lambda: _is_refused(objects.person.send("POST", sent, query="?dryRun=All")), "an object is refused")


def _is_refused(answer):
    """Whether a webhook has refused a request, or could not be reached."""
    return answer.status_code in (403, 500) and "webhook" in answer.text


def test_finalizers(objects, refuse):
    """Whoever holds an object can let it go, by a patch or an update; one that lives is refused the same."""
    for name in ("patched", "updated", "lives"):
        assert 201 == objects.person.send("POST", thing(name=name, finalizers=[FINALIZER])).status_code
    refuse()
    _await_refusal(objects)
    for name in ("patched", "updated"):
        assert objects.person.send("DELETE", name=name).json()["metadata"]["deletionTimestamp"]

    assert _is_refused(objects.person.send("PATCH", NO_FINALIZERS, "lives"))
    assert 200 == objects.person.send("PATCH", NO_FINALIZERS, "patched").status_code
    left = objects.person.send("GET", name="updated").json()
    for field in ("finalizers", "deletionTimestamp", "deletionGracePeriodSeconds"):
        left["metadata"].pop(field, None)
    assert 200 == objects.person.send("PUT", left, "updated").status_code

    assert [404, 404, 200] == [
        objects.person.send("GET", name=name).status_code for name in ("patched", "updated", "lives")
    ]


def test_foreground_deletion(objects, refuse):
    """The garbage collector deletes what depends on it, and takes its own finalizer off the owner last."""
    owner = objects.person.send("POST", thing(name="owner")).json()
    assert 201 == objects.person.send("POST", thing(name="child", ownerReferences=_owned_by(owner))).status_code
    refuse()
    _await_refusal(objects)
    going = objects.person.send("DELETE", {"propagationPolicy": "Foreground"}, "owner").json()["metadata"]
    assert ["foregroundDeletion"] == going["finalizers"]

    assert objects.collector.send("DELETE", {"preconditions": {}}, "child").status_code == 200
    patch = {"metadata": {"resourceVersion": going["resourceVersion"], "finalizers": []}}
    assert 200 == objects.collector.send("PATCH", patch, "owner").status_code

    assert [404, 404] == [objects.person.send("GET", name=name).status_code for name in ("owner", "child")]


def test_orphans(objects, refuse):
    """What is left behind lives, and is let go of by the garbage collector alone: nobody else may change it so."""
    owner = objects.person.send("POST", thing(name="owner")).json()
    child = objects.person.send("POST", thing(name="child", ownerReferences=_owned_by(owner))).json()
    refuse()
    _await_refusal(objects)
    going = objects.person.send("DELETE", {"propagationPolicy": "Orphan"}, "owner").json()["metadata"]
    assert ["orphan"] == going["finalizers"]

    uids = {name: one["metadata"]["uid"] for name, one in (("owner", owner), ("child", child))}
    patch = {"metadata": {"uid": uids["child"], "ownerReferences": [{"$patch": "delete", "uid": uids["owner"]}]}}
    form = "strategic-merge-patch+json"
    assert _is_refused(objects.person.send("PATCH", patch, "child", patch=form))
    assert 200 == objects.collector.send("PATCH", patch, "child", patch=form).status_code
    patch = {"metadata": {"resourceVersion": going["resourceVersion"], "finalizers": []}}
    assert 200 == objects.collector.send("PATCH", patch, "owner").status_code

    assert 404 == objects.person.send("GET", name="owner").status_code
    assert "ownerReferences" not in objects.person.send("GET", name="child").json()["metadata"]


def test_a_namespace(objects, refuse, control_plane):
    """Its controller deletes what is in it; what a finalizer holds goes by its holder, and then the namespace."""
    assert 201 == objects.person.send("POST", thing(name="held", finalizers=[FINALIZER])).status_code
    assert 201 == objects.person.send("POST", thing(name="free")).status_code
    refuse()
    _await_refusal(objects)
    path = f"/api/v1/namespaces/{objects.namespace}"
    control_plane.api("DELETE", path)
    assert 200 == objects.namespaces.send("DELETE").status_code
    assert ["held"] == [one["metadata"]["name"] for one in objects.namespaces.send("GET").json()["items"]]
    assert 200 == objects.person.send("PATCH", NO_FINALIZERS, "held").status_code
    assert [] == objects.namespaces.send("GET").json()["items"]
    left = control_plane.api("GET", path)
    control_plane.api("PUT", f"{path}/finalize", {**left, "spec": {"finalizers": []}})
    with pytest.raises(AssertionError, match="not found"):
        control_plane.api("GET", path)


def test_born_in_deletion(objects, clusters):
    """An object that says at its creation that it is being deleted, which apply stores, is decided like any other."""
    clusters(["gce-us-central1"])
    sent = thing(name="born", finalizers=[FINALIZER], deletionTimestamp="2020-01-01T00:00:00Z")

    answer = objects.person.send("PATCH", sent, "born", "?fieldManager=test", patch="apply-patch+yaml")
    assert 403 == answer.status_code
    assert "KFK-PLC-001" in answer.json()["message"]

    clusters()
    stored = objects.person.send("PATCH", sent, "born", "?fieldManager=test", patch="apply-patch+yaml").json()
    assert {"deletionTimestamp", "annotations"} <= stored["metadata"].keys()
    assert PREFERENCES in stored["metadata"]["annotations"]


def test_an_older_registration(objects, server, control_plane, clusters, webhook):
    """Without the conditions the webhook itself passes what is being deleted."""
    assert 201 == objects.person.send("POST", thing(name="held", finalizers=[FINALIZER])).status_code
    with register(control_plane, webhook, "older", matchConditions=[]):
        clusters(["gce-us-central1"])
        _await_refusal(objects)
        objects.person.send("DELETE", name="held")
        assert 200 == objects.person.send("PATCH", NO_FINALIZERS, "held").status_code


def test_the_remediator_leaves_it_alone(workloads, config, clusters):
    """What is being deleted stays where it is, while another object moves."""
    workloads.create("stays", [WEST1, WEST2], finalizers=[FINALIZER])
    workloads.create("moves", [WEST1, WEST2])
    workloads.delete("stays")
    clusters([WEST2])
    with Remediation(config()) as remediation:
        eventually(lambda: workloads.placed("moves") == {WEST2}, "the other one is moved")
        eventually(lambda: remediation.ready()["pending"] == 0, "nothing is left")
        assert [] == remediation.lines("refused")
    assert {WEST1, WEST2} == workloads.placed("stays")


def _owned_by(owner):
    metadata = owner["metadata"]
    reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": metadata["name"], "uid": metadata["uid"]}
    return [{**reference, "blockOwnerDeletion": True}]
