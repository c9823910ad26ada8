"""The embedded estate: the same bytes everywhere, and as faulty as its table says."""

import hashlib
import json
from typing import Any

import pytest

from warden.base.errors import InputError
from warden.demo.estate import CLUSTERS, TOPICS, iter_estate
from warden.demo.faults import FAULTS

_YEAR_MS = 365 * 86_400_000


@pytest.fixture(scope="module")
def clusters() -> dict[str, Any]:
    """The whole estate."""
    return dict(iter_estate())


def _configs(topic: dict[str, Any], key: str) -> str:
    return str(topic["configs"].get(key, ""))


# fault → does this topic have it?
_SIGNS = {
    "scratch name": lambda n, t: n.startswith(("test-", "tmp-", "foo-", "my-topic-", "copy-of-")),
    "one replica": lambda n, t: t["replicationFactor"] == 1,
    "two replicas": lambda n, t: t["replicationFactor"] == 2,
    "unclean leader election": lambda n, t: _configs(t, "unclean.leader.election.enable") == "true",
    "too many partitions": lambda n, t: 100 < t["numPartitions"] < 500,
    "kept for ever": lambda n, t: _configs(t, "retention.ms") == "-1",
    "kept for years": lambda n, t: int(_configs(t, "retention.ms") or 0) >= _YEAR_MS,
    "policy named twice": lambda n, t: _configs(t, "cleanup.policy") == "delete,delete",
    "no owner": lambda n, t: "owner" not in t["labels"] and not t["internal"],
}


def test_size(clusters: dict[str, Any]) -> None:
    """Twenty thousand topics on twelve clusters, in the proportions of the plan."""
    sizes = {name: len(state["topics"]) for name, state in clusters.items()}

    assert {plan.name: TOPICS * plan.share // 100 for plan in CLUSTERS} == sizes
    assert TOPICS == sum(sizes.values())


def test_same_seed_same_bytes() -> None:
    """Pinned, so that a figure measured on one machine can be repeated on another, under any Python."""
    made = json.dumps(dict(iter_estate(500)), sort_keys=True).encode()

    assert "07d73c088cf4ab10" == hashlib.sha256(made).hexdigest()[:16]


def test_other_seed_other_estate() -> None:
    """The seed is used."""
    assert dict(iter_estate(500, seed=1)) != dict(iter_estate(500, seed=2))


@pytest.mark.parametrize("fault", sorted(_SIGNS))
def test_share_of_a_fault(clusters: dict[str, Any], fault: str) -> None:
    """A fault is about as frequent, in production and in development, as the table says; later faults may cover it."""
    per_mille = next(known.per_mille for known in FAULTS if known.name == fault)
    sign = _SIGNS[fault]
    for environment, expected in (("prod", per_mille[0]), ("dev", per_mille[3])):
        topics = [
            found
            for name, state in clusters.items()
            if name.startswith(environment)
            for found in state["topics"].items()
        ]
        share = 1000 * sum(sign(name, topic) for name, topic in topics) / len(topics)

        assert 0.5 * expected - 1 <= share <= 1.5 * expected + 1, f"{fault} in {environment}"


def test_states_are_consistent(clusters: dict[str, Any]) -> None:
    """What is stated twice agrees: partitions and assignments, totals and what they sum up, brokers and replicas."""
    for name, state in clusters.items():
        topics = state["topics"].values()
        brokers = {int(broker) for broker in state["brokers"]}
        for topic in topics:
            assert topic["numPartitions"] == len(topic["replicasAssignments"])
            for replicas in topic["replicasAssignments"].values():
                assert topic["replicationFactor"] == len(set(replicas))
                assert brokers >= set(replicas)
        assert len(topics) == state["totals"]["topics"] == state["meta"]["topics"], name
        assert sum(t["numPartitions"] * t["replicationFactor"] for t in topics) == state["totals"]["replicas"], name


def test_too_small() -> None:
    """An estate in which some cluster would have nothing of its own is refused."""
    with pytest.raises(InputError, match="an estate of 50 topics is too small"):
        list(iter_estate(50))
