"""Declared topics against an estate."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from warden.analyse.trend.declarations import DeclaredTopic, read_declared_topics
from warden.analyse.trend.drift import Drift, iter_drift, list_drift
from warden.base.errors import ConfigurationError, InputError
from warden.commands.trend import command
from warden.policy.bundle.catalog import read_catalog
from warden.policy.opa.client import OpaClient
from warden.state.snapshot.directory import write_snapshot
from warden.state.snapshot.layout import select_latest_partitions

STRIMZI = """
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: shop-orders, labels: {strimzi.io/cluster: prod}}
spec: {topicName: shop.orders, partitions: 12, replicas: 3,
       config: {retention.ms: 1000, cleanup.policy: [delete, compact]}}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaUser
metadata: {name: somebody}
---
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {name: plain, labels: {strimzi.io/cluster: prod}}
spec: {}
"""
CONTRACT = """
cluster: prod
topics:
  a: {numPartitions: 1, replicationFactor: -1, configs: {unclean.leader.election.enable: false}, labels: {owner: x}}
  b:
"""


def written(directory: Path, **files: str) -> Path:
    """A directory of declarations; a double underscore is a slash."""
    for name, text in files.items():
        path = directory / f"{name.replace('__', '/')}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


def test_declarations(tmp_path: Path) -> None:
    """Manifests and the contract's topics, several in a file; other kinds of objects are passed by."""
    strimzi, contract, one = (str(tmp_path / f"{name}.yaml") for name in ("k8s", "topics", "dev/one"))
    directory = written(tmp_path, k8s=STRIMZI, topics=CONTRACT, dev__one="topic: t\nnumPartitions: 3\n")

    assert [
        DeclaredTopic("dev", "t", 3, None, {}, one),
        DeclaredTopic(
            "prod", "shop.orders", 12, 3, {"retention.ms": "1000", "cleanup.policy": "delete,compact"}, strimzi
        ),
        DeclaredTopic("prod", "plain", None, None, {}, strimzi),
        DeclaredTopic("prod", "a", 1, None, {"unclean.leader.election.enable": "false"}, contract),
        DeclaredTopic("prod", "b", None, None, {}, contract),
    ] == read_declared_topics(directory, ["dev", "prod"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[1]", "no topic is declared in it"),
        ("a: [", "not YAML"),
        ("topics: {}\ntopics: {}", "2: the key topics is there already, in line 1: keep one of the two"),
        ("x: 1", "no topic is declared in it"),
        ("topic: t\npartitions: 3", "partitions is not a field of a topic: use cluster, configs"),
        ("topic: t\ncluster: c\nnumPartitions: many", "f.yaml:3: numPartitions many is not a whole number"),
        ("topic: t\ncluster: c\nnumPartitions: true", "numPartitions true is not a whole number"),
        ("topic: t\ncluster: c\nconfigs: [a]", "the configs of t are not a mapping: write name: value"),
        ("topic: t", "the cluster of t is not known: write cluster:"),
        ("topic: t\ncluster: c\n---\ntopic: t\ncluster: c", "t on c is declared in .* too"),
        ("kind: ConfigMap", "no topic is declared in it"),
        ("topics: [a]", "topics is not a mapping: write each topic's fields under its name"),
        ("topics: {a: 1}", "a is not a mapping: write fields of a topic"),
        ("topic: t\ncluster: c\nnumPartitions: 0", "numPartitions of t is 0, not a number of 1 or more"),
        ("kind: KafkaTopic", "there is no reader for no apiVersion KafkaTopic"),
        ("apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nspec: {}", "the topic has no name"),
    ],
)
def test_declarations_that_are_none(tmp_path: Path, text: str, said: str) -> None:
    """One sentence that names the file and what is wrong with it."""
    with pytest.raises(InputError, match=said):
        read_declared_topics(written(tmp_path, f=text), ["c", "d"])


def test_the_only_cluster(tmp_path: Path) -> None:
    """Where there is one cluster, that is the one."""
    (found,) = read_declared_topics(written(tmp_path, f="topic: t"), ["c"])

    assert "c" == found.cluster


def topic(**configs: str) -> dict[str, Any]:
    """A topic as it stands."""
    return {"numPartitions": 3, "replicationFactor": 3, "configs": configs}


_CONFIGS: list[tuple[dict[str, str], dict[str, str], list[Any]]] = [
    ({}, {}, []),
    ({"retention.ms": "1"}, {"retention.ms": "1"}, []),
    ({"retention.ms": "01"}, {"retention.ms": "1"}, []),
    ({"retention.ms": "1"}, {"retention.ms": "2"}, [("retention.ms", "1", "2")]),
    # in force by the cluster's default, and by Kafka's own
    ({"retention.ms": "5"}, {}, []),
    ({"max.message.bytes": "1048588"}, {}, []),
    ({"retention.ms": "6"}, {}, [("retention.ms", "6", None)]),
    ({}, {"retention.ms": "5"}, []),
    ({}, {"retention.ms": "6"}, [("retention.ms", None, "6")]),
    ({"cleanup.policy": "compact,delete"}, {"cleanup.policy": "delete, compact"}, []),
    ({"cleanup.policy": "compact"}, {"cleanup.policy": "delete"}, [("cleanup.policy", "compact", "delete")]),
    ({"preallocate": "TRUE"}, {"preallocate": "true"}, []),
    ({"min.cleanable.dirty.ratio": "0.50"}, {"min.cleanable.dirty.ratio": "0.5"}, []),
    ({"compression.type": "zstd"}, {"compression.type": "ZSTD"}, [("compression.type", "zstd", "ZSTD")]),
    ({"retention.ms": "x"}, {"retention.ms": "5"}, [("retention.ms", "x", "5")]),
    # Java refuses these, so that they are no way to write the number
    *(
        ({"segment.bytes": text}, {"segment.bytes": "1000"}, [("segment.bytes", text, "1000")])
        for text in ("1_000", "1e3", "1000.0")
    ),
]


@pytest.mark.opa
def test_configs() -> None:
    """What is in force counts: neither a default nor another way to write the same is drift."""
    names = [f"t{number:02d}" for number in range(len(_CONFIGS))]
    cases = list(zip(names, _CONFIGS, strict=True))
    declared = [DeclaredTopic("c", name, None, None, configs, "f") for name, (configs, _, _) in cases]
    state = {"topics": {name: topic(**actual) for name, (_, actual, _) in cases}, "defaults": {"retention.ms": "5"}}
    found = list(iter_drift("c", state, declared, read_catalog("topic")["configs"]))

    assert [Drift("c", name, "config", *each) for name, (_, _, drifted) in cases for each in drifted] == found


FEWER = "Kafka cannot take partitions away: declare as many, or make the topic anew"


@pytest.mark.opa
def test_topics() -> None:
    """Missing, undeclared, other numbers; internal topics need no declaration."""
    numbers = {"fewer": (1, 3), "more": (6, 3), "rf": (3, 2), "no": (1, 1)}
    declared = [DeclaredTopic("c", name, *pair, {}, "f.yaml") for name, pair in numbers.items()]
    internal = {**topic(), "internal": True}
    names = ("fewer", "more", "rf", "stray")
    state = {"topics": {**{name: topic() for name in names}, "_schemas": internal, "__own": topic()}}
    vendor = {**topic(), "configs": {"confluent.x": "1"}}
    state["topics"]["more"] = {**vendor}

    assert [
        Drift("c", "__own", "undeclared", "", None, None),
        Drift("c", "fewer", "partitions", "", "1", "3", FEWER),
        Drift("c", "more", "partitions", "", "6", "3", "keys move to other partitions"),
        Drift("c", "more", "config", "confluent.x", None, "1", "not a config of Kafka's own"),
        Drift("c", "no", "missing", "", "f.yaml", None),
        Drift("c", "rf", "replicas", "", "2", "3", "needs a reassignment"),
        Drift("c", "stray", "undeclared", "", None, None),
    ] == list(iter_drift("c", state, declared, read_catalog("topic")["configs"]))  # fmt: skip


def test_fewer_partitions_are_what_a_decision_refuses(query_client: OpaClient) -> None:
    """Kafka's refusal, by which drift says what cannot be put right by an alteration; more are not refused."""
    placed = {"replicasAssignments": {str(partition): [0, 1, 2] for partition in range(3)}}
    state = {"brokers": {str(id): {"host": "b"} for id in range(3)}, "topics": {"t": {**topic(), **placed}}}
    document = {"operation": "AlterTopic", "cluster": "c", "enforcementPoint": "ci", "clusterState": state}
    errors, notes = {}, {}
    for count in (1, 6):
        decision = query_client.decide({**document, "request": {"topic": "t", "numPartitions": count}})
        errors[count] = (decision["error"] or {}).get("name")
        declared = [DeclaredTopic("c", "t", count, None, {}, "f")]
        notes[count] = [each.note for each in iter_drift("c", state, declared, read_catalog("topic")["configs"])]

    assert ("INVALID_PARTITIONS", [FEWER]) == (errors[1], notes[1])
    assert "INVALID_PARTITIONS" != errors[6]
    assert [FEWER] != notes[6]


@pytest.fixture
def snapshot(tmp_path: Path) -> Path:
    """A snapshot of one cluster with one topic."""
    write_snapshot(tmp_path / "s", "c", {"topics": {"t": topic()}}, day=date(2026, 11, 21), format="jsonl")
    return tmp_path / "s"


def test_command(tmp_path: Path, snapshot: Path) -> None:
    """Drift alone needs no Spark; --fail-on says what is a failure."""
    declared = written(tmp_path / "d", f="topic: t\nnumPartitions: 6\n", g="topic: u\n")
    options = ["--declared", str(declared), "--snapshot", str(snapshot)]
    runner = CliRunner()
    shown = runner.invoke(command, options, standalone_mode=False)
    failed = runner.invoke(command, [*options, "--fail-on", "drift", "--output", "json"], standalone_mode=False)

    assert shown.output.splitlines() == [
        "",
        "Drift: 1 declared, and not there, 1 with other partitions",
        "  c/t: partitions declared 6, is 3 (keys move to other partitions)",
        f"  c/u: missing, declared in {declared / 'g.yaml'}",
    ]
    assert (0, 1) == (shown.return_value, failed.return_value)
    assert '"trend": null' in failed.output


def test_what_does_not_go_together(tmp_path: Path, snapshot: Path) -> None:
    """Declarations without an estate, nothing at all, a failure that could never be, a cluster that is not there."""
    for options in (
        ["--declared", "x"],
        ["--snapshot", "x"],
        [],
        ["--runs", "x", "--fail-on", "drift"],
        ["--declared", "x", "--snapshot", "x", "--fail-on", "new"],
    ):
        with pytest.raises(ConfigurationError):
            CliRunner().invoke(command, options, standalone_mode=False, catch_exceptions=False)
    for name, said in {"elsewhere": "which holds c$", "c1": r"which holds c: did you mean c\?$"}.items():
        declared = read_declared_topics(written(tmp_path / name, f=f"topic: t\ncluster: {name}\n"), ["c"])
        with pytest.raises(InputError, match=f"cluster {name} is not in the snapshot, {said}"):
            list_drift(declared, select_latest_partitions(snapshot))
