"""Totals that are kept while topics come and go, against sums over all of them."""

import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warden.base.resources import find_shipped
from warden.policy.bundle.catalog import read_catalog, read_data_tree
from warden.policy.bundle.opa import evaluate_opa
from warden.state.sources.kafka.read.totals import TopicTotals, count_totals
from warden.state.sources.labels.entry import LabelEntry

_CONFIGS = st.fixed_dictionaries(
    {},
    optional={
        "retention.bytes": st.sampled_from(["-1", "0", "100", "x"]),
        "cleanup.policy": st.sampled_from(["delete", "compact", "compact,delete", "compact, delete"]),
    },
)
_TOPICS = st.builds(
    lambda placed, configs, labels: {
        "numPartitions": len(placed),
        "replicasAssignments": {str(partition): nodes for partition, nodes in enumerate(placed)},
        "configs": configs,
        "labels": labels,
    },
    st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=3, unique=True), max_size=4),
    _CONFIGS,
    st.dictionaries(st.sampled_from(["owner", "by"]), st.sampled_from(["a", "b", "", " ", "a ", "\tb"]), max_size=2),
)
_DEFAULTS = {"retention.bytes": "7", "cleanup.policy": "delete"}


def _plain(topics):
    """The same by adding up everything."""
    on_brokers = Counter(
        str(node) for topic in topics for nodes in topic["replicasAssignments"].values() for node in nodes
    )
    found = {
        "topics": len(topics),
        "partitions": sum(topic["numPartitions"] for topic in topics),
        "replicas": on_brokers.total(),
        "byBroker": dict(on_brokers),
        "byOwner": {},
        "byPrincipal": {},
    }
    for topic in topics:
        replicas = sum(len(nodes) for nodes in topic["replicasAssignments"].values())
        limit = topic["configs"].get("retention.bytes", "7")
        policy = topic["configs"].get("cleanup.policy", "delete")
        bounded = "delete" in policy and limit in ("0", "100", "7")
        for part, label in (("byOwner", "owner"), ("byPrincipal", "by")):
            text = topic["labels"].get(label)
            name = text.strip() if text and part == "byOwner" else text
            if not name:
                continue
            sums = found[part].setdefault(name, {"topics": 0, "partitions": 0})
            sums["topics"] += 1
            sums["partitions"] += topic["numPartitions"]
            if part == "byOwner":
                sums["retainedBytes"] = sums.get("retainedBytes", 0) + (replicas * int(limit) if bounded else 0)
                sums["unboundedReplicas"] = sums.get("unboundedReplicas", 0) + (0 if bounded else replicas)
    return found


@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | _TOPICS), max_size=12))
def test_kept_totals_are_those_of_all_topics(steps):
    """After each step, by their document and by the changes that were reported."""
    kept, topics = TopicTotals(_DEFAULTS, owner="owner", principal="by"), dict[str, Any]()
    followed = kept.to_document()
    for name, topic in steps:
        if name in topics:
            kept.remove(topics.pop(name))
        if topic is not None:
            topics[name] = topic
            kept.add(topic)
        for path, value in kept.take_changes():
            holder = followed
            for piece in path[:-1]:
                holder = holder[piece]
            holder.pop(path[-1], None)
            if value is not None:
                holder[path[-1]] = value

        label_keys = {"labelKeys": {"byOwner": "owner", "byPrincipal": "by"}}
        assert {**_plain(list(topics.values())), **label_keys} == kept.to_document() == followed
    assert {**_plain(list(topics.values())), "byOwner": {}, "byPrincipal": {}} == count_totals(topics.values())


def test_what_changed_is_what_the_topic_touches():
    """One topic among a thousand: its owner, its brokers and the sums, nothing else."""
    kept = TopicTotals(_DEFAULTS, owner="owner")
    topics = [
        {
            "numPartitions": 1,
            "replicasAssignments": {"0": [at % 50]},
            "configs": {},
            "labels": {"owner": f"o{at % 100}"},
        }
        for at in range(1000)
    ]
    for topic in topics:
        kept.add(topic)
    kept.take_changes()

    kept.remove(topics[3])

    assert [("byBroker", "3"), ("byOwner", "o3"), ("partitions",), ("replicas",), ("topics",)] == [
        path for path, _ in kept.take_changes()
    ]
    assert "byPrincipal" not in kept.to_document()


def test_other_defaults_call_for_other_totals():
    """Only those two that limit a topic's size count."""
    kept = TopicTotals(_DEFAULTS)

    assert [False, False, True, True] == [
        kept.has_other_defaults(defaults)
        for defaults in (_DEFAULTS, {**_DEFAULTS, "retention.ms": "1"}, {**_DEFAULTS, "retention.bytes": "1"}, {})
    ]


def test_owners_are_those_of_the_caps():
    """As shipped, totals go by the label that the rules about teams' totals read."""
    rules = read_data_tree(find_shipped("bundle") / "settings")["rules"]

    assert {LabelEntry.model_fields["owner"].default} == {
        rules[rule]["params"]["labelKey"] for rule in ("KFK-SIZ-003", "KFK-SIZ-004")
    }


@pytest.mark.process
def test_bounds_are_those_of_the_rule(opa_binary: Path):
    """Which topics have a bound, and what it is: as KFK-SIZ-004 reads it, in each way to write it, and of defaults."""
    never = read_catalog("topic")["configs"]["retention.bytes"]["noLimit"]["at"]
    numbers = (None, str(-never - 1), "-2", "-1", "0", "007", "100", " 100 ", "+100", str(never - 1), str(never))
    policies = (None, "delete", "compact", "compact, delete", "compact,delete", " delete ", "delete,delete", "")
    documents = [
        (defaults, {name: text for name, text in zip(_DEFAULTS, texts, strict=True) if text is not None})
        for defaults, *texts in product([{}, _DEFAULTS, {"cleanup.policy": "compact"}], numbers, policies)
    ]
    query = """[bytes |
        some [defaults, one] in input
        values := data.kafka.configs.effective("topic", {"cluster": "c", "clusterState": {"defaults": defaults}}, one)
        bytes := data.kafka.rules.sizing._bytes_of_a_replica(values, {"unboundedAs": -1})]"""
    places = ("--bundle", str(find_shipped("policies")), "--bundle", str(find_shipped("bundle")))
    of_rule = evaluate_opa(opa_binary, *places, query, stdin=json.dumps(documents))

    found = []
    for defaults, each in documents:
        kept = TopicTotals(defaults, owner="owner")
        topic = {"numPartitions": 1, "replicasAssignments": {"0": [1]}, "configs": each, "labels": {"owner": "a"}}
        kept.add(topic)
        sums = kept.to_document()["byOwner"]["a"]
        found.append(sums["retainedBytes"] if not sums["unboundedReplicas"] else -1)
    assert len(documents) == len(of_rule)
    assert of_rule == found


@pytest.mark.process
def test_owners_are_those_that_rules_charge(opa_binary: Path):
    """By the text of the label, with whatever stands around the name: the same team, or none."""
    around = [*filter(str.isspace, map(chr, range(0x3001))), "", "\u180e", "\u200b", "\ufeff", "\x00", "-"]
    texts = [text for one in around for text in (one, f"{one}a", f"a{one}", f" {one}a b\n{one}")]
    query = """[names | some text in input
        owner := data.kafka.rules.sizing._charged_owner("owner") with input as {
            "labels": {"owner": text},
            "principal": {"type": "User", "name": "alice"},
        }
        names := [owner.name | owner.part == "byOwner"]]"""
    places = ("--bundle", str(find_shipped("policies")), "--bundle", str(find_shipped("bundle")))
    charged = evaluate_opa(opa_binary, *places, query, stdin=json.dumps(texts))

    counted = []
    for text in texts:
        kept = TopicTotals(_DEFAULTS, owner="owner")
        kept.add(
            {"numPartitions": 1, "replicasAssignments": {"0": [1]}, "configs": {}, "labels": {"owner": text}},
        )
        counted.append(list(kept.to_document()["byOwner"]))
    assert len(texts) == len(charged)
    assert charged == counted
