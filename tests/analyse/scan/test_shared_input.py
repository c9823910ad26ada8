"""What the inputs of one cluster share, and what makes two of them the same."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.fixtures.operations import dependencies
from warden.analyse.scan.dependencies import Dependencies
from warden.analyse.scan.shared_input import (
    SharedInput,
    build_broker_item,
    build_shared_input,
    iter_shared_names,
    list_audited_brokers,
)

pytestmark = pytest.mark.process

NOW = datetime(2026, 11, 21, 2, 0, tzinfo=UTC)
STATE: dict[str, Any] = {
    "clusterSize": 3,
    "brokers": {
        "": {"configs": {"a": "b"}},
        "1": {"host": "h", "rack": "r", "configs": {"c": "d"}},
        "2": {"configs": {}},
    },
    "defaults": {"retention.ms": "1"},
    "totals": {"topics": 1},
    "managed": {"brokerLogs": True},
    "meta": {"observedAt": "2026-11-21T02:00:00Z", "topics": 1, "labels": False},
    "topics": {"t": {}},
    "groups": {},
    "namesByMetric": {"a_b": ["a.b", "a_b"], "c_d": ["c.d"]},
}


def _of_topics(cluster: str, state: dict[str, Any], **more: Any) -> SharedInput:
    return build_shared_input("AuditTopic", cluster, state, dependencies()["AuditTopic"], **more)


def test_what_topics_are_evaluated_against() -> None:
    """Size, racks, cluster-wide configs, defaults, and whether labels are known; no totals, no topics, no groups."""
    assert {
        "operation": "AuditTopic",
        "cluster": "c",
        "enforcementPoint": "scan",
        "now": "2026-11-21T02:00:00Z",
        "clusterState": {
            "clusterSize": 3,
            "brokers": {"": {"configs": {"a": "b"}}, "1": {"rack": "r"}, "2": {}},
            "defaults": {"retention.ms": "1"},
            "managed": {"brokerLogs": True},
            "meta": {"labels": False},
        },
    } == json.loads(_of_topics("c", STATE, now=NOW).text)


def test_what_brokers_are_evaluated_against() -> None:
    """All of all brokers, the totals, what a provider says, and what the source may not see."""
    state = {**STATE, "meta": {**STATE["meta"], "unknown": ["users"]}}
    found = json.loads(build_shared_input("AuditBroker", "c", state, dependencies()["AuditBroker"], now=NOW).text)
    parts = {part: STATE[part] for part in ("clusterSize", "brokers", "totals", "managed")}

    assert "AuditBroker" == found["operation"]
    assert {**parts, "meta": {"unknown": ["users"]}} == found["clusterState"]
    assert (["", "1"], 1) == list_audited_brokers(STATE)
    assert {"request": {"broker": "1"}, "clusterState": {"brokers": {"1": STATE["brokers"]["1"]}}} == json.loads(
        build_broker_item("1", STATE)
    )


def test_what_is_no_object_is_not_looked_into() -> None:
    """A part that a source could not read stays unknown."""
    state: dict[str, Any] = {"brokers": None, "meta": [], "clusterSize": None}

    assert {"clusterSize": None} == json.loads(_of_topics("c", state, now=NOW).text)["clusterState"]


def test_only_names_that_clash_are_sent() -> None:
    """An entry of one topic says nothing that its name does not say."""
    assert [("a_b", ["a.b", "a_b"])] == list(iter_shared_names(STATE))
    assert [] == list(iter_shared_names({}))


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ({}, True),
        ({"totals": {"topics": 2}}, True),
        ({"meta": {"observedAt": "2026-11-22T02:00:00Z", "topics": 9, "labels": False}}, True),
        ({"brokers": {**STATE["brokers"], "1": {"host": "other", "rack": "r", "configs": {}}}}, True),
        ({"meta": {}}, False),
        ({"clusterSize": 4}, False),
        ({"defaults": {}}, False),
        ({"brokers": {**STATE["brokers"], "1": {"rack": "other"}}}, False),
        ({"brokers": {**STATE["brokers"], "": {"configs": {}}}}, False),
    ],
)
def test_id_is_of_all_that_a_decision_depends_on(changed: dict[str, Any], same: bool) -> None:
    """Another id where a decision may differ, the same one where it cannot, whatever the clock says."""
    later = NOW.replace(day=22)

    assert same is (_of_topics("c", STATE, now=NOW).id == _of_topics("c", {**STATE, **changed}, now=later).id)
    assert _of_topics("c", STATE, now=NOW).id != _of_topics("d", STATE, now=NOW).id
    assert _of_topics("c", STATE, now=NOW, window="1").id != _of_topics("c", STATE, now=NOW, window="2").id


def test_other_clusters() -> None:
    """The parts that rules look up in other clusters; of topics only that they are known, where names are looked up."""
    clusters = {"c": STATE, "d": {"totals": {"topics": 2}, "meta": {}, "topics": {"u": {}}}}

    def sent(*parts: str, topic: bool = False) -> Any:
        depends = Dependencies({}, parts, topic)
        return json.loads(build_shared_input("AuditTopic", "c", STATE, depends, now=NOW, clusters=clusters).text)

    assert "clusters" not in sent()
    assert {"c": {"totals": {"topics": 1}}, "d": {"totals": {"topics": 2}}} == sent("totals")["clusters"]
    assert {"c": {"topics": {}}, "d": {"topics": {}}} == sent(topic=True)["clusters"]
    assert {"c": {"topics": {"t": {}}}, "d": {"topics": {"u": {}}}} == sent("topics", topic=True)["clusters"]
    assert clusters == sent("*")["clusters"]
