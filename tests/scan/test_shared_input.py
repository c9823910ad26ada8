"""What the inputs of one cluster share, and what makes two of them the same."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.fixtures.operations import shared_parts
from warden.scan.policy_version import PolicyVersion
from warden.scan.shared_input import (
    SharedInput,
    audited_brokers,
    broker_item,
    shared_input,
    shared_names,
    united,
)

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
    return shared_input("AuditTopic", cluster, state, shared_parts()["AuditTopic"], **more)


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
            "meta": {"labels": False},
        },
    } == json.loads(_of_topics("c", STATE, now=NOW).text)
    more = json.loads(_of_topics("c", STATE, now=NOW, more=("totals", "brokers", "meta")).text)["clusterState"]
    assert {"clusterSize", "brokers", "defaults", "totals", "meta"} == more.keys()
    assert [STATE["brokers"], STATE["meta"]] == [more["brokers"], more["meta"]]


def test_what_brokers_are_evaluated_against() -> None:
    """All of all brokers, the totals, and what a provider says."""
    found = json.loads(shared_input("AuditBroker", "c", STATE, shared_parts()["AuditBroker"], now=NOW).text)

    assert "AuditBroker" == found["operation"]
    assert {part: STATE[part] for part in ("clusterSize", "brokers", "totals", "managed")} == found["clusterState"]
    assert (["", "1"], 1) == audited_brokers(STATE)
    assert {"request": {"broker": "1"}, "clusterState": {"brokers": {"1": STATE["brokers"]["1"]}}} == json.loads(
        broker_item("1", STATE)
    )


def test_selections_are_united() -> None:
    """Two policies get what either reads."""
    one = {"defaults": True, "brokers": {"": {"configs": True}, "*": {"rack": True}}, "meta": {"labels": True}}
    other = {"totals": True, "brokers": {"*": {"host": True}}, "meta": True}

    assert {
        "defaults": True,
        "totals": True,
        "brokers": {"": {"configs": True}, "*": {"rack": True, "host": True}},
        "meta": True,
    } == united(one, other)


def test_what_is_no_object_is_not_looked_into() -> None:
    """A part that a source could not read stays unknown."""
    state: dict[str, Any] = {"brokers": None, "meta": [], "clusterSize": None}

    assert {"clusterSize": None} == json.loads(_of_topics("c", state, now=NOW).text)["clusterState"]


def test_only_names_that_clash_are_sent() -> None:
    """An entry of one topic says nothing that its name does not say."""
    assert [("a_b", ["a.b", "a_b"])] == list(shared_names(STATE))
    assert [] == list(shared_names({}))


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


@pytest.mark.parametrize(
    ("policy", "same", "other"),
    [
        (PolicyVersion("r", {}, ["2026-11-22"]), "2026-11-21T23:59:59", "2026-11-22T00:00:00"),
        (PolicyVersion("r", {}, ["2026-11-20", "2026-11-21"]), "2036-11-21T00:00:00", "2026-11-20T23:59:59"),
        (PolicyVersion("r", {}, None), "2026-11-21T23:59:59", "2026-11-22T00:00:00"),
        (PolicyVersion("r", {"site": "1"}, []), "2026-11-21T02:00:00", "2026-11-21T02:00:01"),
    ],
    ids=["until a date", "from a date", "dates not reported", "rules of a site"],
)
def test_validity_windows(policy: PolicyVersion, same: str, other: str) -> None:
    """A decision is remembered as long as the policy says the same, and no second longer."""
    times = [NOW, *(datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (same, other))]
    first, second, third = (policy.validity_window(time) for time in times)

    assert first == second != third


def test_contexts() -> None:
    """Another bundle of anybody's is another policy."""
    contexts = [
        PolicyVersion("r").context,
        PolicyVersion("s").context,
        PolicyVersion("r", {"site": "1"}).context,
        PolicyVersion("r", {"site": "2"}).context,
    ]

    assert len(contexts) == len(set(contexts))
    assert contexts[0] == PolicyVersion("r", {}, ["2026-01-01"]).context
