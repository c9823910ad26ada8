"""Sources as the configuration file describes them, up to what they make OPA hold."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
import yaml

from tests.fixtures.conditions import eventually
from warden.base.errors import ConfigurationError
from warden.state.replicate.config import read_config
from warden.state.replicate.replicator import Replicator
from warden.state.snapshot.directory import write_snapshot
from warden.state.sources.kubernetes.live import ObjectSelector
from warden.state.sources.kubernetes.watching import WatchTimings


def _config(tmp_path, opa=None, **kinds):
    path = tmp_path / "replicate.yaml"
    document = dict(kinds)
    if opa is not None:
        (tmp_path / "token").write_text(opa.tokens.replicator, encoding="utf-8")
        document["opa"] = {"url": opa.url, "token": {"file": "token"}}
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


def _source(tmp_path, **kinds):
    [replicated] = read_config(_config(tmp_path, **kinds)).replicated
    return replicated.source


def test_kubernetes(tmp_path):
    """What is selected, and how often it is looked whether the API server is there."""
    resources = [
        {"apiVersion": "v1", "kind": "ConfigMap", "namespace": "a", "labelSelector": "x=y", "fieldSelector": "f=g"},
        {"apiVersion": "cluster.x/v1", "kind": "Cluster", "as": "fleet"},
    ]
    source = _source(tmp_path, kubernetes=[{"kubeconfig": "config", "probe": 2, "resources": resources}])

    assert (source.name, source.kind, source.root, source.meta, source.depth) == (
        "kubernetes",
        "kubernetes",
        ("kubernetes",),
        ("kubernetes", "meta"),
        3,
    )
    assert source._selected == (
        ObjectSelector("v1", "ConfigMap", "a", "x=y", "f=g"),
        ObjectSelector("cluster.x/v1", "Cluster", key="fleet"),
    )
    assert source._timings == WatchTimings(probe=2, patience=8)
    with pytest.raises(ConfigurationError, match=r"config: cannot be read .*: name a kubeconfig file"):
        source.load()


@pytest.mark.parametrize(
    ("resources", "entries"),
    [
        ([("v1", "ConfigMap")], "configmaps"),
        ([("v1", "ConfigMap"), ("x/v1", "ManagedCluster")], "managedclusters"),
        ([("v1", "ConfigMap"), ("v1", "Secret")], None),
    ],
)
def test_what_the_guard_counts(tmp_path, resources, entries):
    """Clusters, where there are any; else the objects of the only type."""
    listed = [{"apiVersion": version, "kind": kind} for version, kind in resources]
    assert _source(tmp_path, kubernetes=[{"resources": listed}]).entries == entries


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ({"kubernetes": [{}]}, "kubernetes.0.resources is missing: write a list of types"),
        (
            {"kubernetes": [{"resources": [{"kind": "X"}]}]},
            "kubernetes.0.resources.0.apiVersion is missing: write v1, or a group and a version",
        ),
        (
            {"kubernetes": [{"resources": [{"apiVersion": "a/b/c", "kind": "X"}]}]},
            "kubernetes.0.resources.0.apiVersion: 'a/b/c' is not valid: write v1, or a group and a version",
        ),
        (
            {"kubernetes": [{"resources": [{"apiVersion": "v1", "kind": "X", "selector": "a"}]}]},
            "kubernetes.0.resources.0: unknown key selector",
        ),
        ({"files": [{}]}, "files.0: write exactly one of manifests, state and snapshot"),
        (
            {"files": [{"manifests": "a", "state": "b"}]},
            "files.0: write exactly one of manifests, state and snapshot",
        ),
        ({"files": [{"state": "b"}]}, "files.0.cluster is missing: write the name of a Kafka cluster"),
        (
            {"files": [{"manifests": "a", "cluster": "b"}]},
            "files.0.cluster is not allowed beside manifests: leave it out",
        ),
        (
            {"files": [{"state": "b", "cluster": "c", "clusterIndex": False}]},
            "files.0.clusterIndex is not allowed beside state and snapshot: leave it out",
        ),
        ({"files": [{"manifest": "a"}]}, "files.0: unknown key manifest: write manifests, the nearest of"),
        (
            {
                "files": [{"manifests": "a"}],
                "kubernetes": [{"resources": [{"apiVersion": "v1", "kind": "X"}]}],
            },
            "files.0: data.kubernetes belongs to another entry already: give each a place of its own",
        ),
    ],
)
def test_mistakes_are_reported(tmp_path, kinds, said):
    """Each with its place and what to write instead."""
    with pytest.raises(ConfigurationError) as raised:
        read_config(_config(tmp_path, **kinds))
    assert said in str(raised.value)


@pytest.fixture
def replicators(tmp_path, opa):
    """Start replicators with a configuration; all end with the test."""
    started = []

    def start(**kinds):
        replicator = Replicator(read_config(_config(tmp_path, opa, **kinds)))
        started.append(replicator)
        replicator.start()
        return replicator.statuses

    yield start
    for replicator in started:
        replicator.stop()


def _cluster(name, region):
    return {"apiVersion": "x/v1", "kind": "Cluster", "metadata": {"name": name}, "status": {"region": region}}


@pytest.mark.opa
def test_manifests_in_opa(tmp_path, opa, client, replicators):
    """Clusters in a directory are in OPA with their index; a broken file is reported, and OPA's replica stays."""
    directory = tmp_path / "manifests"
    directory.mkdir()
    (directory / "a.json").write_text(json.dumps(_cluster("a", "europe-west1")), encoding="utf-8")
    [status] = replicators(files=[{"manifests": str(directory), "interval": 0.1, "maxAge": 2}])
    eventually(lambda: status.to_document()["ready"], "being ready")
    replica = client.get_data(["kubernetes"])
    assert replica["clusters"] == {"a": _cluster("a", "europe-west1")}
    assert replica["clusterIndex"]["region"] == {"europe-west1": {"a": True}}

    (directory / "b.json").write_text(json.dumps(_cluster("b", "us-east1")), encoding="utf-8")
    regions = ["kubernetes", "clusterIndex", "region"]
    eventually(lambda: client.get_data(regions).get("us-east1") == {"b": True}, "the region")
    (directory / "b.json").write_text("{", encoding="utf-8")
    eventually(lambda: not status.to_document()["ready"], "not being ready")
    eventually(lambda: "b.json:1: not JSON" in str(status.to_document()["problem"]), "the reason")
    assert client.get_data(["kubernetes", "clusters"]).keys() == {"a", "b"}

    (directory / "b.json").unlink()
    eventually(lambda: client.get_data(["kubernetes", "clusters"]).keys() == {"a"}, "the replica")
    eventually(lambda: status.to_document()["ready"], "being ready")
    client.put_data(["kubernetes"], {})


@pytest.mark.opa
def test_a_snapshot_in_opa(tmp_path, opa, client, replicators):
    """A cluster's state is where decisions look for it, as old as the snapshot says, whoever else replicates it."""
    observed = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=2)
    state = {"clusterSize": 3, "topics": {}, "meta": {"observedAt": observed.isoformat(), "labels": False}}
    write_snapshot(tmp_path / "snapshots", "prod", state, day=date(2026, 11, 21), format="jsonl")
    entry = {"cluster": "prod", "snapshot": str(tmp_path / "snapshots"), "interval": 0.1, "maxAge": 86400, "lease": 1}
    [one] = replicators(files=[entry])
    eventually(lambda: one.to_document()["ready"], "being ready")
    [two] = replicators(files=[entry])
    eventually(lambda: two.to_document()["ready"], "being ready")

    found = client.get_data(["clusters", "prod"])
    meta = found.pop("meta")
    assert found == {"clusterSize": 3, "topics": {}}
    assert datetime.fromisoformat(meta["observedAt"]) == observed
    assert (meta["source"], meta["labels"]) == ("files", False)
    decision = client.decide({"operation": "AuditTopic", "cluster": "prod", "request": {"topic": "x"}})
    assert 7200 <= decision["stateAge"] <= 7500

    eventually(lambda: one.counts["checks", ""] >= 3, "several checks")
    assert one.counts["writes", "swap"] + two.counts["writes", "swap"] == 1
    client.patch_data(["clusters"], [{"op": "remove", "path": "/prod"}])
