"""Declared topics against an estate."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from warden.analysis.trend.declared import Declared, read_declared
from warden.analysis.trend.drift import Drift, drift_in, drift_of, topic_catalogue
from warden.cli.trend import command
from warden.errors import ConfigurationError, InputError
from warden.snapshot.layout import latest_partitions
from warden.snapshot.store import write_snapshot

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
        Declared("dev", "t", 3, None, {}, one),
        Declared("prod", "shop.orders", 12, 3, {"retention.ms": "1000", "cleanup.policy": "delete,compact"}, strimzi),
        Declared("prod", "plain", None, None, {}, strimzi),
        Declared("prod", "a", 1, None, {"unclean.leader.election.enable": "false"}, contract),
        Declared("prod", "b", None, None, {}, contract),
    ] == read_declared(directory, ["dev", "prod"])


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
        ("topic: t\ncluster: c\nconfigs: [a]", "the configs of t are not a mapping"),
        ("topic: t", "the cluster of t is not known: write cluster:"),
        ("topic: t\ncluster: c\n---\ntopic: t\ncluster: c", "t on c is declared in .* too"),
        ("kind: ConfigMap", "no topic is declared in it"),
        ("topics: [a]", "topics is not a mapping of names to topics"),
        ("topics: {a: 1}", "a is not a mapping: write fields of a topic"),
        ("topic: t\ncluster: c\nnumPartitions: 0", "numPartitions of t is 0, not a number of 1 or more"),
        ("kind: KafkaTopic", "there is no reader for no apiVersion KafkaTopic"),
        ("apiVersion: kafka.strimzi.io/v1\nkind: KafkaTopic\nspec: {}", "the topic has no name"),
    ],
)
def test_declarations_that_are_none(tmp_path: Path, text: str, said: str) -> None:
    """One sentence that names the file and what is wrong with it."""
    with pytest.raises(InputError, match=said):
        read_declared(written(tmp_path, f=text), ["c", "d"])


def test_the_only_cluster(tmp_path: Path) -> None:
    """Where there is one cluster, that is the one."""
    (found,) = read_declared(written(tmp_path, f="topic: t"), ["c"])

    assert "c" == found.cluster


def topic(**configs: str) -> dict[str, Any]:
    """A topic as it stands."""
    return {"numPartitions": 3, "replicationFactor": 3, "configs": configs}


@pytest.mark.parametrize(
    ("configs", "actual", "drifted"),
    [
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
    ],
)  # fmt: skip
def test_configs(configs: dict[str, str], actual: dict[str, str], drifted: list[Any]) -> None:
    """What is in force counts: neither a default nor another way to write the same is drift."""
    declared = Declared("c", "t", None, None, configs, "f")
    state = {"topics": {"t": topic(**actual)}, "defaults": {"retention.ms": "5"}}
    found = list(drift_of("c", state, [declared], topic_catalogue()))

    assert [Drift("c", "t", "config", *each) for each in drifted] == found


FEWER = "Kafka cannot take partitions away: declare as many, or make the topic anew"


def test_topics() -> None:
    """Missing, undeclared, other numbers; internal topics are nobody's to declare."""
    numbers = {"fewer": (1, 3), "more": (6, 3), "rf": (3, 2), "no": (1, 1)}
    declared = [Declared("c", name, *pair, {}, "f.yaml") for name, pair in numbers.items()]
    internal = {**topic(), "internal": True}
    names = ("fewer", "more", "rf", "stray")
    state = {"topics": {**{name: topic() for name in names}, "_schemas": internal, "__consumer_offsets": topic()}}
    vendor = {**topic(), "configs": {"confluent.x": "1"}}
    state["topics"]["more"] = {**vendor}

    assert [
        Drift("c", "fewer", "partitions", "", "1", "3", FEWER),
        Drift("c", "more", "partitions", "", "6", "3", "keys move to other partitions"),
        Drift("c", "more", "config", "confluent.x", None, "1", "not a config of Kafka's own"),
        Drift("c", "no", "missing", "", "f.yaml", None),
        Drift("c", "rf", "replicas", "", "2", "3", "needs a reassignment"),
        Drift("c", "stray", "undeclared", "", None, None),
    ] == list(drift_of("c", state, declared, topic_catalogue()))  # fmt: skip


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
    declared = read_declared(written(tmp_path / "d", f="topic: t\ncluster: elsewhere\n"), ["c"])
    with pytest.raises(InputError, match="cluster elsewhere is not in the snapshot, which holds c"):
        drift_in(declared, latest_partitions(snapshot))
