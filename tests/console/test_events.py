"""What becomes of an event of a log: rows with what it was about, and nothing of what is not a decision."""

import copy
import json
import random
from typing import Any

import pytest

from tests.console.logged import NOW, build_event, build_violation
from tests.fixtures.seed import SEED
from warden.base.resources import find_shipped
from warden.console.intake.events import iter_decisions_and_notes
from warden.console.store.stored import ClientNote, StoredDecision
from warden.policy.bundle.catalog import read_data_tree


def _read(event: Any) -> list[StoredDecision]:
    return [one for one in iter_decisions_and_notes(event) if isinstance(one, StoredDecision)]


def test_a_decision_is_one_row() -> None:
    """All that a page filters by is a column; the rest is in its document."""
    event = build_event("d-1", build_violation(), build_violation("KFK-NAM-001", "warn"))
    (one,) = _read(event)

    assert (one.id, one.item, one.at, one.status) == ("d-1", "", NOW * 1000, "denied")
    assert (one.cluster, one.point, one.operation) == ("prod-eu", "gateway", "CreateTopic")
    assert (one.resource, one.owner, one.principal) == ("payments.cards", "payments", "User:alice")
    assert (one.opa, one.revision, one.state_age) == ("opa-1", "r1", 2.0)
    assert one.rules == {"KFK-DUR-001": "deny", "KFK-NAM-001": "warn"}
    assert one.document["input"] == event["input"]
    assert one.document["result"] == event["result"]


@pytest.mark.parametrize(
    ("violations", "status"),
    [
        ((), "allowed"),
        ((build_violation(effect="dryrun"), build_violation(effect="waived")), "allowed"),
        ((build_violation(effect="warn"),), "warned"),
        ((build_violation(effect="warn"), build_violation()), "denied"),
    ],
)
def test_the_status_is_that_of_the_most_severe_effect(violations: tuple[dict[str, Any], ...], status: str) -> None:
    """What only a dry run or a waiver is about is allowed."""
    (one,) = _read(build_event("d", *violations))

    assert one.status == status


def test_a_batch_is_a_row_for_each_item() -> None:
    """What the items share is merged under each, as the policy does it."""
    single = build_event("b", build_violation())
    given, result = single["input"], single["result"]
    event = {**single, "path": "kafka/decisions", "result": {"1": result, "2": {**result, "allowed": True}}}
    event["input"] = {
        "common": {"cluster": "c", "request": {"labels": {"owner": "risk"}}, "operation": "CreateTopic"},
        "items": {"1": {"request": {"topic": "one"}}, "2": {"request": {"topic": "two"}, "cluster": given["cluster"]}},
    }

    found = [(one.item, one.cluster, one.resource, one.owner) for one in _read(event)]

    assert found == [("1", "c", "one", "risk"), ("2", "prod-eu", "two", "risk")]


def test_a_state_is_kept_as_far_as_it_is_about_the_resource() -> None:
    """A whole cluster in each decision would be what fills the store."""
    topics = {f"t-{number}": {"configs": {}, "labels": {"owner": "x"}} for number in range(5000)}
    topics["payments.cards"] = {"configs": {"retention.ms": "1"}, "labels": {"owner": "cards"}}
    event = build_event(
        "d", clusterState={"topics": topics, "meta": {"revision": "7"}}, request={"topic": "payments.cards"}
    )
    (one,) = _read(event)
    state = one.document["input"]["clusterState"]

    assert state["topics"] == {"payments.cards": topics["payments.cards"]}
    assert state["meta"] == {"revision": "7"}
    assert one.owner == "cards"
    assert len(json.dumps(one.document)) < 3000


def test_the_label_of_owners_may_be_another() -> None:
    """In the request, else in the state of the topic."""
    request = {"topic": "a", "labels": {"team": "risk", "owner": "alice"}}
    state = {"topics": {"b": {"labels": {"team": "cards", "owner": "bob"}}}}
    events = [build_event("a", request=request), build_event("b", request={"topic": "b"}, clusterState=state)]

    assert ["risk", "cards"] == [
        one.owner
        for event in events
        for one in iter_decisions_and_notes(event, "team")
        if isinstance(one, StoredDecision)
    ]


@pytest.mark.parametrize(
    "event",
    [
        None, 1, [], {}, {"msg": "Initializing server.", "time": "2026-11-21T10:00:00Z"},
        {**build_event("d"), "path": "catalog/revision"},
        {**build_event("d"), "timestamp": "yesterday"},
        {**build_event("d"), "path": "kafka/decisions", "input": {"scan": {"items": 500}}, "result": {"allowed": 500}},
    ],
)  # fmt: skip
def test_what_is_no_decision_is_left_out(event: Any) -> None:
    """OPA's other lines, and the totals of a scan's batches."""
    assert _read(event) == []


def test_what_the_mask_took_away_stays_away() -> None:
    """Where OPA hides an input as a whole there is a decision about nothing that is known."""
    hidden = {**build_event("d", build_violation()), "input": "nested more than 64 levels deep", "masked": ["/input"]}
    (one,) = _read(hidden)

    assert (one.status, one.resource, one.principal) == ("denied", "", "")
    assert one.document["masked"] == ["/input"]
    assert "nested" not in json.dumps(one.document["input"])


def test_an_admission_is_a_decision_about_an_object() -> None:
    """Of the webhook's OPA: errors deny, warnings warn, and their rules are named."""
    thing = {"kind": "Deployment", "metadata": {"namespace": "shop", "name": "web"}}
    event = {**build_event("d"), "path": "io/k8s/federation/admission", "input": thing}
    event["result"] = {"annotations": {}, "errors": ["KFK-PLC-001: no cluster has the label"]}
    (one,) = _read(event)

    assert (one.status, one.point, one.resource) == ("denied", "webhook", "Deployment/shop/web")
    assert one.rules == {"KFK-PLC-001": "deny"}


def test_an_admission_may_name_any_rule() -> None:
    """Lines begin with the rule's id, which is read back of each that is shipped."""
    ids = sorted(read_data_tree(find_shipped("bundle") / "settings")["rules"])
    result = {"annotations": {}, "errors": [f"{id}: no" for id in ids], "warnings": ["no rule: says this"]}
    (one,) = _read({**build_event("d"), "path": "io/k8s/federation/admission", "input": {}, "result": result})

    assert one.rules == dict.fromkeys(ids, "deny")


def test_a_gateway_says_what_opa_cannot() -> None:
    """That nothing was decided, and whose client a decision was for."""
    line = {
        "time": "2026-11-21T10:00:00.000Z", "message": "decided", "cluster": "prod-eu", "api": "CreateTopics",
        "clientId": "portal", "client": "10.0.0.7:4711", "correlationId": 3, "principal": "User:alice",
        "decisionIds": [], "decisionKeys": [], "forwarded": "none",
        "items": [{"type": "topic", "name": "a", "allowed": False, "message": "OPA cannot be reached"}],
    }  # fmt: skip
    (one,) = _read(line)

    assert (one.status, one.resource, one.client, one.operation) == ("not decided", "a", "portal", "CreateTopics")
    assert one.document["line"]["why"] == "OPA cannot be reached"
    decided = {**line, "decisionIds": ["d-1"], "decisionKeys": ["0/"]}
    assert list(iter_decisions_and_notes(decided)) == [ClientNote("d-1", "0/", "portal", int(NOW * 1000))]


@pytest.mark.parametrize("case", range(300))
def test_no_event_is_too_odd(case: int) -> None:
    """Whatever stands in a place of an event: it becomes rows that a store takes, or none."""
    numbers = random.Random(f"{SEED}/{case}")
    odd: list[Any] = [None, True, -1, 1e300, "", "\ud800", [], [[]], {}, {"a": {"b": 1}}, "x" * 9000, 10**30]
    event: Any = copy.deepcopy(build_event("d", build_violation(), clusterState={"topics": {"payments.cards": {}}}))
    event = numbers.choice([event, {**event, "path": "kafka/decisions", "input": {"items": {"1": event["input"]}}}])
    for _ in range(numbers.randint(1, 4)):
        place = event
        while isinstance(place, dict) and place:
            name = numbers.choice(list(place))
            if not isinstance(place[name], dict) or not place[name] or numbers.random() < 0.3:
                place[name] = copy.deepcopy(numbers.choice(odd))  # no event has itself in it
                break
            place = place[name]

    for one in _read(event):
        columns = [one.id, one.item, one.cluster, one.point, one.operation, one.resource, one.owner, one.principal]
        assert all(len(each.encode()) <= 2000 for each in [*columns, *one.rules])
        json.dumps(one.document)
