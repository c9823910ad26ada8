"""Topics that are looked at again and again, where a cluster has to answer as a real one does only at times."""

from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from warden.base.errors import KafkaUnreachable
from warden.state.sources.kafka.live.polled_topics import LiveTopics

_GONE = 3


class Cluster:
    """Answers requests from what a test put into it, and counts the topics that it had to describe."""

    def __init__(self, topics: int) -> None:
        self.topics: dict[str, dict[str, Any]] = {
            f"t{at:04}": {"id": at + 1, "configs": {}, "error": 0, "unknown": False} for at in range(topics)
        }
        self.reassigning: dict[str, Any] = {}
        self.away: set[int] = set()
        self.described = 0
        self._last: dict[Any, Any] = {}

    def ask(self, key: Any, request: Any, node: int | None = None) -> Any:
        if node in self.away:
            raise KafkaUnreachable(f"broker {node} did not answer")
        answer = self.send(request)
        text = repr(answer)
        if self._last.get(key) == text:
            return None
        self._last[key] = text
        return answer

    def forget(self, key: Any) -> None:
        self._last.pop(key, None)

    def send(self, request: Any, node: int | None = None, *, check: bool = True) -> Any:
        kind = type(request).__name__
        if kind == "MetadataRequest":
            return SimpleNamespace(topics=[self._topic(name, has) for name, has in self.topics.items()])
        if kind == "ListPartitionReassignmentsRequest":
            return SimpleNamespace(error_code=0, topics=[self._moving(name) for name in self.reassigning])
        self.described += len(request.resources)
        return SimpleNamespace(results=[self._configs(resource[1]) for resource in request.resources])

    def _topic(self, name: str, has: dict[str, Any]) -> Any:
        partition = SimpleNamespace(partition_index=0, replica_nodes=[1, 2], leader_id=1)
        return SimpleNamespace(
            name=name, error_code=has["error"], topic_id=UUID(int=has["id"]), is_internal=False, partitions=[partition]
        )

    def _configs(self, name: str) -> Any:
        has = self.topics.get(name, {"unknown": True, "configs": {}})
        configs = [
            SimpleNamespace(name=key, value=value, config_source=1, is_sensitive=False, synonyms=None)
            for key, value in has["configs"].items()
        ]
        code = _GONE if has["unknown"] else 0
        return SimpleNamespace(resource_name=name, error_code=code, error_message=None, configs=configs)

    def _moving(self, name: str) -> Any:
        partition = SimpleNamespace(partition_index=0, adding_replicas=[3], removing_replicas=[2])
        return SimpleNamespace(name=name, partitions=[partition])


def _looking(topics: int, budget: int = 250) -> tuple[Cluster, Any]:
    cluster = Cluster(topics)
    return cluster, LiveTopics(cluster, cluster, budget)  # type: ignore[arg-type]  # a stand-in


@pytest.mark.parametrize(
    ("topics", "budget", "rounds"), [(100, 250, 1), (1000, 250, 4), (1001, 250, 5), (1000, 1000, 1)]
)
def test_a_change_of_configs_alone_is_seen_within_a_round(topics, budget, rounds):
    """At the first look everything is described once; then each topic once a round, whichever it is."""
    cluster, live = _looking(topics, budget)
    first, described = live.poll(1), [cluster.described]
    seen = []
    for name in ("t0000", "t0009", f"t{topics - 1:04}"):
        cluster.topics[name]["configs"] = {"retention.ms": "7"}
        found: dict[str, Any] = {}
        for _ in range(rounds):
            found |= live.poll(1)
        seen.append({name: topic and topic["configs"] for name, topic in found.items()})
        described.append(cluster.described)

    assert (topics, [topics, 2 * topics, 3 * topics, 4 * topics]) == (len(first), described)
    assert [{name: {"retention.ms": "7"}} for name in ("t0000", "t0009", f"t{topics - 1:04}")] == seen


def test_looks_at_what_stays_the_same_tell_nothing():
    """Not even where topics were made and deleted before."""
    cluster, live = _looking(600, 1000)
    live.poll(1)
    del cluster.topics["t0300"]
    cluster.topics["new"] = {"id": 999, "configs": {"a": "b"}, "error": 0, "unknown": False}

    polls = [live.poll(1) for _ in range(3)]

    assert [{"t0300", "new"}, set(), set()] == [set(poll) for poll in polls]
    assert polls[0]["t0300"] is None
    assert {"a": "b"} == (polls[0]["new"] or {})["configs"]


def test_the_same_name_made_anew():
    """Between two polls: the id tells, and the new one's configs are described at once, not the old one's kept."""
    cluster, live = _looking(1000, 250)
    cluster.topics["t0999"]["configs"] = {"a": "old"}
    live.poll(1)
    before = live.topics["t0999"]
    cluster.topics["t0999"] = {"id": 12345, "configs": {"a": "new"}, "error": 0, "unknown": False}

    found = live.poll(1)

    assert {"t0999"} == set(found)
    assert ({"a": "new"}, False) == (
        live.topics["t0999"]["configs"],
        live.topics["t0999"]["topicId"] == before["topicId"],
    )


def test_a_topic_that_not_every_broker_knows_yet():
    """It is there without its configs: it is described at the next poll, or is gone by then."""
    cluster, live = _looking(2)
    live.poll(1)
    for name in ("early", "brief"):
        cluster.topics[name] = {"id": 77 + len(name), "configs": {"a": "b"}, "error": 0, "unknown": True}
    first = live.poll(1)
    cluster.topics["early"]["unknown"] = False
    del cluster.topics["brief"]

    assert {"early": False, "brief": False} == {name: "configs" in (topic or {}) for name, topic in first.items()}
    assert {"early": {"a": "b"}, "brief": None} == {
        name: topic and topic["configs"] for name, topic in live.poll(1).items()
    }


def test_a_topic_that_cannot_be_reported_for_a_moment_stays():
    """An error of one topic in the answer about all is no deletion; of one that was never seen it is named."""
    cluster, live = _looking(2)
    live.poll(1)
    cluster.topics["t0001"]["error"] = 5
    cluster.topics["never"] = {"id": 9, "configs": {}, "error": 29, "unknown": False}

    assert {} == live.poll(1)
    assert ({"t0000", "t0001"}, ["topics.never"]) == (set(live.topics), list(live.gaps))


def test_reassignments_begin_and_end():
    """Only the topics that move are reported."""
    cluster, live = _looking(3)
    live.poll(1)
    cluster.reassigning["t0001"] = True
    begun = live.poll(1)
    cluster.reassigning.clear()
    ended = live.poll(1)

    assert {"t0001": {"0": {"adding": [3], "removing": [2]}}} == {
        name: (topic or {})["reassigning"] for name, topic in begun.items()
    }
    assert {"t0001": {}} == {name: (topic or {})["reassigning"] for name, topic in ended.items()}


def test_reassignments_of_a_controller_that_is_away():
    """They are not known then, and known again as soon as it answers, also where nothing has changed."""
    cluster, live = _looking(2)
    live.poll(1)
    cluster.away.add(1)
    without = live.poll(1)
    gaps = dict(live.gaps)
    cluster.away.clear()
    again = live.poll(1)

    assert {"t0000": False, "t0001": False} == {name: "reassigning" in (topic or {}) for name, topic in without.items()}
    assert {"topics.*.reassigning": "broker 1 did not answer"} == gaps
    assert ({}, {}) == ((again["t0000"] or {})["reassigning"], live.gaps)
