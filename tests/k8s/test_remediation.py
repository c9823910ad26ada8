"""Stored objects are moved at a real API server, after policy or clusters have changed."""

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.remediators import CLUSTERS, Remediation, Workloads, configuration

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

WEST1, WEST2 = "gce-europe-west1", "gce-europe-west2"


@pytest.fixture
def workloads(control_plane, opa, namespace):
    """Objects of a namespace of this test."""
    made = Workloads(control_plane, opa, namespace("remediation"))
    yield made
    made.delete()


@pytest.fixture
def config(tmp_path, control_plane, opa, workloads):
    """Write a configuration for them; further keys are arguments."""

    def write(directory="one", url=opa.url, **more):
        return configuration(tmp_path / directory, control_plane, url, opa.tokens.query, workloads.namespace, **more)

    return write


@pytest.fixture
def clusters(replicator):
    """Tell OPA which clusters there are, by what a replicator would write; the design's at first."""
    written = 0

    def write(names=tuple(CLUSTERS)):
        nonlocal written
        written += 1
        kept = {name: CLUSTERS[name] for name in names}
        replicator.put_data(["kubernetes"], {"clusters": kept, "meta": {"revision": f"r.{written}"}})

    write()
    return write


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
        metrics = remediation.metrics()
    assert 3.0 == metrics['warden_remediator_patches_total{result="patched"}']


def test_our_own_patch_is_no_change(workloads, config, clusters):
    """What has been patched comes back over the watch, and nothing is decided or patched again."""
    workloads.create("never")
    with Remediation(config()) as remediation:
        eventually(lambda: workloads.placed("never") == {WEST1, WEST2}, "it is placed")
        version = workloads.get("never")["metadata"]["resourceVersion"]
        workloads.create("other")
        eventually(lambda: workloads.placed("other") == {WEST1, WEST2}, "a later one is placed")
        assert 2 == len(remediation.lines("patched"))
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
