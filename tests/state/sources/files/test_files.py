"""Files as sources: what they hold, what changes, and what is wrong with a file that cannot be read."""

import itertools
import json
import os
import time
from datetime import UTC, date, datetime

import pytest

from tests.fixtures.patience import PATIENCE
from warden.base.errors import SourceUnreachable, WardenError
from warden.state.replicate.replica import Replica
from warden.state.snapshot.directory import write_snapshot
from warden.state.sources.files.contents import ManifestFiles, SnapshotFiles, StateFiles
from warden.state.sources.files.source import FilesSource

OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME, namespace: apps}\ndata: {a: '1'}\n"


def _write(path, text):
    """Write a file as if that had been a while ago: what is young is waited for."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (time.time() - 1000 + next(_CLOCK),) * 2)


_CLOCK = itertools.count()


def _source(held, root=("kubernetes",)):
    return FilesSource("test", root, held, interval=0.1)


def _followed(source, document):
    """Poll until something changes; return the document then."""
    replica = Replica(document)
    deadline = time.monotonic() + PATIENCE
    while not (changes := source.poll(1)):
        assert time.monotonic() < deadline
    replica.apply(changes)
    return replica.document


def _named(name):
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "apps"},
        "data": {"a": "1"},
    }


def test_manifests_are_where_the_api_server_would_have_them(tmp_path):
    """Several documents a file, lists, JSON, directories; by plural, namespace and name."""
    _write(tmp_path / "a.yaml", OBJECT.replace("NAME", "one") + "---\n" + OBJECT.replace("NAME", "two") + "---\n")
    policy = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": {"name": "p", "namespace": "n"},
    }
    _write(tmp_path / "below/b.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": [policy]}))
    _write(tmp_path / "c.yml", "{apiVersion: x/v1, kind: Cluster, metadata: {name: c}, spec: {since: 2026-11-21}}")
    _write(tmp_path / "README.md", "not: [yaml")
    _write(tmp_path / ".hidden/d.yaml", "not: [yaml")

    assert _source(ManifestFiles(tmp_path)).load() == {
        "configmaps": {"apps": {"one": _named("one"), "two": _named("two")}},
        "networkpolicies": {"n": {"p": policy}},
        "clusters": {
            "c": {"apiVersion": "x/v1", "kind": "Cluster", "metadata": {"name": "c"}, "spec": {"since": "2026-11-21"}}
        },
    }


def test_changes_of_files_are_followed(tmp_path):
    """A file that changes, comes or goes changes the document, down to nothing."""
    _write(tmp_path / "a.yaml", OBJECT.replace("NAME", "one"))
    source = _source(ManifestFiles(tmp_path))
    document = source.load()
    loaded = source.observed
    assert source.poll(1) == []
    assert source.observed > loaded

    _write(tmp_path / "b.yaml", OBJECT.replace("NAME", "two"))
    document = _followed(source, document)
    assert document == {"configmaps": {"apps": {"one": _named("one"), "two": _named("two")}}}
    (tmp_path / "a.yaml").unlink()
    document = _followed(source, document)
    assert document == {"configmaps": {"apps": {"two": _named("two")}}}
    (tmp_path / "b.yaml").unlink()
    assert _followed(source, document) == {}


def test_a_mounted_config_map_is_followed(tmp_path):
    """Kubernetes swaps a link to a directory beside the files, which are links into it."""
    for number in (1, 2):
        _write(tmp_path / f"..{number}/a.yaml", OBJECT.replace("NAME", f"c{number}"))
    (tmp_path / "..data").symlink_to("..1")
    (tmp_path / "a.yaml").symlink_to("..data/a.yaml")
    source = _source(ManifestFiles(tmp_path))
    document = source.load()
    assert document == {"configmaps": {"apps": {"c1": _named("c1")}}}

    (tmp_path / "..new").symlink_to("..2")
    (tmp_path / "..new").rename(tmp_path / "..data")
    assert _followed(source, document) == {"configmaps": {"apps": {"c2": _named("c2")}}}


def test_what_is_being_written_is_not_read(tmp_path):
    """A file that grows from look to look is read when it rests; no half of it ever gets out."""
    path = tmp_path / "a.yaml"
    _write(path, OBJECT.replace("NAME", "c0"))
    source = _source(ManifestFiles(tmp_path))
    document = source.load()
    seen = []
    for number in range(1, 6):
        with path.open("a", encoding="utf-8") as file:
            file.write("---\n" + OBJECT.replace("NAME", f"c{number}"))
        seen += source.poll(0.2)
    assert seen == []

    assert _followed(source, document)["configmaps"]["apps"].keys() == {f"c{number}" for number in range(6)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [1", "bad.yaml:2: not YAML (did not find expected ',' or ']' while parsing a flow sequence"),
        (OBJECT.replace("NAME", "x") + "kind: Y", "bad.yaml:5: the key kind is there already, in line 2: keep one"),
        ("kind: X", "bad.yaml: a document is no Kubernetes object: it has apiVersion, kind and metadata.name"),
        ("- 1", "bad.yaml: a document is no Kubernetes object: it has apiVersion, kind and metadata.name"),
        ("a: .nan", "bad.yaml:1: .nan has no place in JSON: write a number"),
        (OBJECT.replace("NAME", "one"), "bad.yaml: ConfigMap apps/one is in {}/a.yaml too: keep one"),
        (OBJECT.replace(", namespace: apps", ""), "bad.yaml: ConfigMap NAME is of another group than configmaps in"),
        (OBJECT.replace("v1", "x/v1"), "bad.yaml: ConfigMap apps/NAME is of another group than configmaps in"),
        (
            OBJECT.replace("ConfigMap", "Cluster"),
            "bad.yaml: Cluster apps/NAME is read as a cluster, which has no namespace",
        ),
    ],
)
def test_a_broken_file_is_named_and_what_was_there_stays(tmp_path, text, said):
    """No change of the directory is seen while one file is broken; when it is mended, all is."""
    _write(tmp_path / "a.yaml", OBJECT.replace("NAME", "one"))
    source = _source(ManifestFiles(tmp_path))
    document = source.load()
    observed = source.observed
    _write(tmp_path / "bad.yaml", text)

    with pytest.raises(SourceUnreachable) as raised:
        _followed(source, document)
    assert str(raised.value).startswith(f"{tmp_path}/{said.format(tmp_path)}")
    assert source.observed == observed
    with pytest.raises(SourceUnreachable):
        source.load()
    _write(tmp_path / "bad.yaml", OBJECT.replace("NAME", "two"))
    assert source.load() == {"configmaps": {"apps": {"one": _named("one"), "two": _named("two")}}}


def test_broken_json_is_named_with_its_line(tmp_path):
    """JSON has its own words."""
    _write(tmp_path / "a.json", '{\n"a":')
    with pytest.raises(SourceUnreachable, match=r"a\.json:2: not JSON \(Expecting value, column 5\): write a"):
        _source(ManifestFiles(tmp_path)).load()


def test_no_directory(tmp_path):
    """A path that is not there is named."""
    with pytest.raises(
        SourceUnreachable, match=r"nowhere: cannot be read \(No such file or directory\): correct the path"
    ):
        _source(ManifestFiles(tmp_path / "nowhere")).load()


def test_the_state_of_a_cluster(tmp_path):
    """Parts in several files make one state; numbers that are keys are texts; its own meta says how old it is."""
    _write(tmp_path / "a.yaml", "clusterSize: 1\nbrokers: {1: {host: b1}}\ntopics: {orders: {numPartitions: 1}}\n")
    _write(
        tmp_path / "b.yaml",
        "topics: {audit: {numPartitions: 2}}\nmeta: {observedAt: 2026-11-21T09:59:58Z, labels: true}",
    )
    source = _source(StateFiles(tmp_path), ("clusters", "prod-eu"))

    assert source.load() == {
        "clusterSize": 1,
        "brokers": {"1": {"host": "b1"}},
        "topics": {"orders": {"numPartitions": 1}, "audit": {"numPartitions": 2}},
    }
    assert source.observed == datetime(2026, 11, 21, 9, 59, 58, tzinfo=UTC)
    assert source.details == {"path": str(tmp_path), "labels": True}
    _write(tmp_path / "c.yaml", "topics: {orders: {numPartitions: 2}}")
    with pytest.raises(
        SourceUnreachable, match=r"c\.yaml: topics has names that another file or document gives it too"
    ):
        source.load()


@pytest.mark.parametrize("stated", ["yesterday", "1795261332", "''", "{}"])
def test_a_state_of_an_age_that_nobody_can_read(tmp_path, stated):
    """It is named, and is not taken for as new as the file."""
    _write(tmp_path / "a.yaml", f"topics: {{}}\nmeta: {{observedAt: {stated}}}")
    with pytest.raises(SourceUnreachable, match=r"meta\.observedAt .* is not a time: write one such as 2026-11-21T"):
        _source(StateFiles(tmp_path), ("clusters", "prod-eu")).load()


@pytest.mark.parametrize("format", ["jsonl", "parquet"])
def test_a_snapshot(tmp_path, format):
    """The newest day of the cluster is its state, as old as it says; a new day is seen."""
    topic = {"numPartitions": 1, "replicationFactor": 1, "replicasAssignments": {"0": [1]}, "configs": {}, "labels": {}}
    topic |= {"internal": False, "markedForDeletion": False, "reassigning": {}}
    for number, cluster in ((1, "prod"), (2, "other"), (3, "prod")):
        state = {"clusterSize": number, "topics": {"orders": topic}}
        state["meta"] = {"observedAt": f"2026-11-2{number}T10:00:00Z", "source": "kafka"}
        write_snapshot(tmp_path, cluster, state, day=date(2026, 11, 20 + number), format=format)
    source = _source(SnapshotFiles(tmp_path, "prod"), ("clusters", "prod"))

    document = source.load()
    assert document["clusterSize"] == 3
    assert document["topics"].keys() == {"orders"}
    assert source.observed == datetime(2026, 11, 23, 10, tzinfo=UTC)
    write_snapshot(tmp_path, "prod", {"clusterSize": 4, "topics": {}}, day=date(2026, 11, 24), format=format)
    assert _followed(source, document) == {"clusterSize": 4, "topics": {}}
    with pytest.raises(WardenError, match="holds no snapshot of cluster none"):
        _source(SnapshotFiles(tmp_path, "none")).load()


def test_close_ends_a_poll(tmp_path):
    """A poll that waits comes back when the source is closed."""
    source = FilesSource("test", ("kubernetes",), ManifestFiles(tmp_path), interval=1000)
    source.load()
    import threading

    threading.Timer(0.1, source.close).start()
    assert source.poll(900) == []
