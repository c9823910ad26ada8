"""Stored objects are moved at a real API server, after policy or clusters have changed."""

import json

import pytest

from tests.enforce.webhook.faulty_opa import FaultyOpa
from tests.fixtures.conditions import eventually
from tests.k8s.remediation.remediators import CLUSTERS, PREFERENCES, Remediation, run_command

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

WEST1, WEST2 = "gce-europe-west1", "gce-europe-west2"


def test_a_cluster_that_loses_its_level(workloads, config, clusters):
    """What is there already is moved where it may be; an object off the cluster that is gone, with an event."""
    workloads.create("never")
    workloads.create("both", [WEST1, WEST2])
    with Remediation(config()) as remediation:
        eventually(lambda: workloads.placed("never") == {WEST1, WEST2}, "it is placed")
        clusters([WEST2])
        eventually(lambda: workloads.placed("both") == {WEST2}, "it is moved off")
        eventually(lambda: workloads.placed("never") == {WEST2}, "it is moved off as well")
        eventually(lambda: remediation.ready()["pending"] == 0, "nothing is left")
        patched = remediation.metrics()['warden_remediator_patches_total{result="patched"}']
    assert patched == len(remediation.lines("patched"))


def test_our_own_patch_is_no_change(workloads, config, clusters):
    """What has been patched comes back over the watch, and nothing is decided or patched again."""
    workloads.create("never")
    with Remediation(config()) as remediation:
        eventually(lambda: workloads.placed("never") == {WEST1, WEST2}, "it is placed")
        version = workloads.get("never")["metadata"]["resourceVersion"]
        workloads.create("other")
        eventually(lambda: workloads.placed("other") == {WEST1, WEST2}, "a later one is placed")
        eventually(lambda: len(remediation.lines("patched")) == 2, "both are logged")
    assert version == workloads.get("never")["metadata"]["resourceVersion"]


def test_events(workloads, config, clusters, control_plane):
    """The API server has an event for what was patched, and one for what is refused, with the reason."""
    workloads.create("moves")
    stays = workloads.create("stays")
    stays["metadata"]["annotations"]["policy.federation.alpha.kubernetes.io/pci-compliance-level"] = "9"
    workloads.put(stays)
    path = f"/apis/events.k8s.io/v1/namespaces/{workloads.namespace}/events"

    def seen():
        return {(e["regarding"]["name"], e["reason"]): e for e in control_plane.api("GET", path)["items"]}

    with Remediation(config()):
        eventually(lambda: len(seen()) == 2, "both events")
    events = seen()
    assert ("Normal", "Warning") == (
        events["moves", "Remediated"]["type"],
        events["stays", "RemediationRefused"]["type"],
    )
    assert "KFK-PLC-001" in events["stays", "RemediationRefused"]["note"]
    assert workloads.placed("stays") is None


def test_once_and_undo(workloads, config, clusters):
    """A report changes nothing; one run patches, and its record gives every object back what it had."""
    workloads.create("never")
    workloads.create("moves", [WEST1, WEST2])
    clusters([WEST2])
    before = {name: workloads.get(name)["metadata"]["annotations"] for name in ("never", "moves")}
    path = config()

    status, printed = run_command(path, "--once", "--report-only", "--output", "json")
    assert (1, 2, 0) == (status, len(json.loads(printed)["differing"]), json.loads(printed)["patched"])
    assert before == {name: workloads.get(name)["metadata"]["annotations"] for name in before}

    status, printed = run_command(path, "--once", "--output", "json")
    report = json.loads(printed)
    assert (0, 2, None) == (status, report["patched"], report["held"])
    assert [{WEST2}] * 2 == [workloads.placed(name) for name in before]
    assert (0, "2 objects: 0 differ, 0 refused\n0 patched\n") == run_command(path, "--once")

    status, printed = run_command(path, "--undo", report["record"], "--output", "json")
    assert (0, ["undone"] * 2) == (status, [one["result"] for one in json.loads(printed)])
    assert before == {name: workloads.get(name)["metadata"]["annotations"] for name in before}


def test_undo_leaves_what_others_have_done(workloads, config, clusters):
    """An annotation that was set since stays, an object that is gone or another is left out, and twice is once."""
    for name in ("changed", "gone", "replaced", "moved"):
        workloads.create(name)
    path = config()
    record = json.loads(run_command(path, "--once", "--output", "json")[1])["record"]
    changed = workloads.get("changed")
    changed["metadata"]["annotations"][PREFERENCES] = json.dumps({"clusters": {WEST1: {"weight": 7}}})
    workloads.put(changed)
    workloads.delete("gone")
    workloads.delete("replaced")
    workloads.create("replaced")

    status, printed = run_command(path, "--undo", record, "--output", "json")
    results = {one["path"].rpartition("/")[2]: one["result"] for one in json.loads(printed)}
    assert (1, {"changed": "changed since", "gone": "gone", "replaced": "gone", "moved": "undone"}) == (status, results)
    assert {WEST1} == workloads.placed("changed")
    assert "as before" in run_command(path, "--undo", record)[1]


def test_never_below_the_minimum(workloads, config, clusters):
    """Policy leaves an object where it is rather than nowhere; the command ends with 1 and the rule's words."""
    workloads.create("stays", [WEST1])
    clusters(["gce-us-central1"])

    status, printed = run_command(config(), "--once")

    assert 1 == status
    assert "KFK-PLC-002: only 0 of at least 1 clusters are left" in printed
    assert {WEST1} == workloads.placed("stays")


def test_only_what_a_change_can_touch(workloads, config, clusters, opa):
    """A sign of life, or a cluster that nobody needs, has no object decided anew; one that is needed has."""
    others = [name for name in CLUSTERS if name not in (WEST1, WEST2)]
    with FaultyOpa(opa.url) as between:

        def seen(path):
            return sum(path in request for request, _ in between.requests)

        def look_twice():
            before = seen("cluster_states")
            eventually(lambda: seen("cluster_states") > before + 2, "OPA is looked at")

        workloads.create("moves")
        with Remediation(config(url=between.url)):
            eventually(lambda: workloads.placed("moves") == {WEST1, WEST2}, "it is placed")
            look_twice()
            between.requests = []
            clusters()
            look_twice()
            assert 0 == seen("touched")
            clusters([WEST1, WEST2, *others[1:]])
            eventually(lambda: seen("touched"), "what it touches is evaluated")
            look_twice()
            assert 0 == seen("remediations")
            clusters([WEST2])
            eventually(lambda: workloads.placed("moves") == {WEST2}, "it is moved")


def _binding(namespace, **ready):
    """What Karmada says of an object: ready replicas by cluster."""
    rows = [{"clusterName": name, "status": {"readyReplicas": count}} for name, count in ready.items()]
    binding = {"spec": {"resource": {"kind": "ReplicaSet", "name": "stays"}}, "status": {"aggregatedStatus": rows}}
    return {namespace: {"stays-replicaset": binding}}


def test_never_off_the_only_cluster_where_it_is_up(workloads, config, clusters):
    """It stays where Karmada says that it is up, until it is up elsewhere too."""
    workloads.create("stays", [WEST1, WEST2])
    clusters([WEST2], resourcebindings=_binding(workloads.namespace, **{WEST1: 2, WEST2: 0}))
    with Remediation(config(resync=20)) as remediation:
        refused = eventually(lambda: remediation.line("refused"), "it is refused")
        assert [f"KFK-PLC-002: {WEST1} is the only cluster where it is up, and would be left"] == refused["errors"]
        assert workloads.placed("stays") == {WEST1, WEST2}
        clusters([WEST2], resourcebindings=_binding(workloads.namespace, **{WEST1: 2, WEST2: 1}))
        eventually(lambda: workloads.placed("stays") == {WEST2}, "it is moved")
