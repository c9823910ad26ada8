"""The index of clusters that is kept by changes is the one that the rule makes of all clusters."""

import copy

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warden.state.replicate.replica import Replica
from warden.state.sources.kubernetes.cluster_index import CLUSTER_INDEX, ClusterIndex, read_cluster_types
from warden.state.sources.source import REMOVED, Change

pytestmark = pytest.mark.opa

LEVEL = "policy.federation.alpha.kubernetes.io/pci-compliance-level"
REGIONS = st.sampled_from(["europe-west1", "europe-west2", "us-east1", ""])
NAMES = st.sampled_from(["a", "b", "c"])
TYPES = st.sampled_from(["clusters", "managedclusters"])


def _cluster(region, level, version=None):
    metadata = {"annotations": {LEVEL: level} if level else {}}
    if version:
        metadata["resourceVersion"] = version
    return {"metadata": metadata, "status": {"region": region}}


THINGS = st.builds(_cluster, REGIONS, st.sampled_from(["1", "2", "", "high"]), st.sampled_from([None, "1", "2"]))
CHANGES = st.builds(Change, st.tuples(TYPES, NAMES), THINGS | st.just(REMOVED))


def test_types_are_those_of_the_catalog():
    """What a cluster is, the placement rules say."""
    assert read_cluster_types() == ("clusters", "managedclusters", "memberclusters")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    first=st.dictionaries(NAMES, THINGS),
    ticks=st.lists(st.lists(CHANGES, min_size=1, max_size=3), min_size=1, max_size=4),
)
def test_kept_by_changes_as_made_of_all(client, first, ticks):
    """After every tick the replica's index is what the rule makes of the replica's clusters."""
    index = ClusterIndex(read_cluster_types(), client.evaluate)
    document = {"clusters": first, "managedclusters": {}}
    document[CLUSTER_INDEX] = index.load(document)
    replica_at = Replica(copy.deepcopy(document), depth=3)
    for acquire_or_renew in ticks:
        replica_at.apply([*acquire_or_renew, *index.update(acquire_or_renew)])

        clusters = {**replica_at.document["managedclusters"], **replica_at.document["clusters"]}
        assert replica_at.document[CLUSTER_INDEX] == client.evaluate("io/k8s/federation/index", {"clusters": clusters})


def test_the_first_type_wins(client):
    """Of two clusters of one name the index has the one that the rules see."""
    index = ClusterIndex(read_cluster_types(), client.evaluate)
    document = {"clusters": {"a": _cluster("us-east1", "")}, "managedclusters": {"a": _cluster("europe-west1", "")}}

    assert index.load(document)["region"] == {"us-east1": {"a": True}}
    assert index.update([Change(("clusters", "a"), REMOVED)]) == [
        Change((CLUSTER_INDEX, "region", "us-east1"), REMOVED),
        Change((CLUSTER_INDEX, "jurisdiction", "eu", "a"), True),
        Change((CLUSTER_INDEX, "region", "europe-west1", "a"), True),
    ]


def test_facts_follow_the_version(client):
    """What a cluster is is kept under the version of its object, and goes with the object or its version."""
    index = ClusterIndex(read_cluster_types(), client.evaluate)
    document = {"clusters": {"a": _cluster("us-east1", "2", "1")}}
    facts = {"regions": ["us-east1"], "jurisdictions": [], "pciLevel": 2, "state": "ready"}

    assert index.load(document)["facts"] == {"a": {**facts, "resourceVersion": "1"}}
    assert index.update([Change(("clusters", "a"), _cluster("us-east1", "2", "2"))]) == [
        Change((CLUSTER_INDEX, "facts", "a"), {**facts, "resourceVersion": "2"})
    ]
    assert index.update([Change(("clusters", "a"), _cluster("us-east1", "2"))]) == [
        Change((CLUSTER_INDEX, "facts", "a"), REMOVED)
    ]


def test_only_clusters_that_changed_are_evaluated(client):
    """A change of one cluster costs one cluster, and a change of anything else costs nothing."""
    inputs = []

    def evaluate(path, document):
        inputs.append(sorted(document["clusters"]))
        return client.evaluate(path, document)

    index = ClusterIndex(read_cluster_types(), evaluate)
    index.load({"clusters": {name: _cluster("us-east1", "") for name in "abc"}})
    assert index.update([Change(("configmaps", "a"), {})]) == []
    assert index.update([Change(("clusters", "b"), _cluster("us-east1", ""))]) == []
    assert inputs == [["a", "b", "c"], ["b"]]
