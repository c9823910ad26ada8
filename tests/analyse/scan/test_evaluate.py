"""Evaluating rows through a transport that fails on purpose: no row is lost, none is passed by mistake."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from warden.analyse.scan.batches import BatchLimits, Row
from warden.analyse.scan.evaluate import ScanJob, evaluate
from warden.base.errors import OpaError, OpaEvaluationError, OpaRefused, OpaUnauthorized, OpaUnreachable, ScanError

ALLOWED = {"allowed": True, "errors": [], "error": None, "violations": [], "revision": "r1"}
DENIED = {**ALLOWED, "allowed": False, "errors": ["x"], "error": {"code": 44, "name": "E", "message": "x"}}
VIOLATION = {
    "rule": "KFK-DUR-001", "effect": "deny", "severity": "critical", "message": "too few",
    "path": ["replicationFactor"], "fix": "more",
    "patch": [{"op": "replace", "path": "/replicationFactor", "value": 3}],
    "waiver": {"id": "W-1", "owner": "risk", "reason": "hold", "ticket": "G-1", "expires": "2027-03-31",
               "expired": True},
    "cause": "found", "before": "fewer",
}  # fmt: skip


ITEM = '{"request":{"topic":"t"},"clusterState":{"topics":{"t":{"replicationFactor":1,"configs":{"a":null}}}}}'


def rows(count: int, common: str = "c", item: str = "{}") -> list[Row]:
    """Rows t0, t1, … with one common part."""
    return [Row(common, f"t{number}", item) for number in range(count)]


def job(**changed: Any) -> ScanJob:
    """A job with small batches."""
    return ScanJob(
        **{
            "run_id": "run",
            "revision": "r1",
            "shared_inputs": {"c": "{}", "d": "{}"},
            "limits": BatchLimits(rows=4),
            **changed,
        }
    )


def answering(decide: Callable[[str], Any]) -> Callable[[str, bytes], bytes]:
    """A transport that answers each key with ``decide(key)``; a key for which that is None is left out."""

    def post(_path: str, body: bytes) -> bytes:
        decisions = {key: decide(key) for key in json.loads(body)["input"]["items"]}
        return json.dumps({"result": {key: found for key, found in decisions.items() if found is not None}}).encode()

    return post


def statuses(post: Callable[[str, bytes], bytes], count: int = 10, **changed: Any) -> list[tuple[str, str, str | None]]:
    """(topic, status, error) of each row, in order."""
    evaluated = [found for batch in evaluate(rows(count), job(**changed), post) for found in batch]
    return [(found["hash"], found["status"], found["error"]) for found in evaluated]


@pytest.mark.parametrize("in_flight", [1, 2, 5, 50])
def test_one_decision_for_each_row_in_order(in_flight: int) -> None:
    """However many requests are under way, decisions come in the order of the rows."""
    assert [(f"t{n}", "ALLOW", None) for n in range(30)] == statuses(
        answering(lambda _: ALLOWED), 30, in_flight=in_flight
    )


def test_no_more_requests_than_allowed_are_ahead() -> None:
    """Rows are pulled as they are needed: a partition of any size stays out of memory."""
    pulled: list[Row] = []

    def source() -> Iterator[Row]:
        for found in rows(400):
            pulled.append(found)
            yield found

    next(evaluate(source(), job(in_flight=2), answering(lambda _: ALLOWED)))

    assert len(pulled) <= 4 * 3 + 1


def test_whole_outcome() -> None:
    """Every field of a denied row, with its waiver, its patch and the value at fault."""
    denied = {**DENIED, "violations": [VIOLATION]}
    (batch,) = evaluate(rows(1, item=ITEM), job(), answering(lambda _: denied))

    assert [
        {
            "hash": "t0",
            "status": "DENY",
            "violations": [
                {**VIOLATION, "actual": "1", "patch": '[{"op":"replace","path":"/replicationFactor","value":3}]'},
            ],
            "error": None,
            "item": None,
        }
    ] == batch


@pytest.mark.parametrize(
    ("path", "actual"),
    [
        (["replicationFactor"], "1"),
        (["topic"], '"t"'),
        (["configs", "a"], "null"),
        (["configs"], '{"a":null}'),
        (["configs", "b"], None),
        (["configs", "a", "x"], None),
        (["other"], None),
        (["configs", "db.pwd"], '"***"'),
        ([], None),
    ],
)
def test_evidence(path: list[str], actual: str | None) -> None:
    """What stands at the path in the resource, as JSON; nothing where a default is in force."""
    denied = {**DENIED, "violations": [{**VIOLATION, "path": path}]}
    (batch,) = evaluate(rows(1, item=ITEM), job(), answering(lambda _: denied))

    assert [actual] == [found["actual"] for found in batch[0]["violations"]]


@pytest.mark.parametrize(
    ("decision", "reason"),
    [
        (None, "OPA's answer has no decision about this input"),
        (True, "is not a decision: it is not an object"),
        ({}, "does not say whether it allows"),
        ({"revision": "r1", "violations": []}, "does not say whether it allows"),
        ({"revision": "r1", "allowed": True}, "its errors are no list of strings"),
        ({name: ALLOWED[name] for name in ALLOWED if name != "revision"}, "does not fit the contract (KeyError: 're"),
        ({**ALLOWED, "allowed": "true"}, "does not say whether it allows"),
        ({**ALLOWED, "allowed": None}, "does not say whether it allows"),
        ({**ALLOWED, "violations": [{"rule": "x"}]}, "its violations are no list of violations"),
        ({**DENIED, "errors": ["request.topic is missing"]}, "request.topic is missing"),
        ({**ALLOWED, "allowed": False}, "contradicts itself: it denies, without an error"),
        ({**ALLOWED, "errors": ["too few"]}, "contradicts itself"),
        ({**ALLOWED, "violations": [{**VIOLATION, "effect": "deny"}]}, "contradicts itself"),
        ({**ALLOWED, "allowed": False, "violations": [{**VIOLATION, "effect": "deny"}]}, "contradicts itself"),
        ({**DENIED, "violations": [{**VIOLATION, "effect": "warn"}]}, "x"),
    ],
)
def test_what_is_no_decision_is_an_error_and_never_a_pass(decision: Any, reason: str) -> None:
    """One row with a strange answer becomes an ERROR with its reason; its neighbours keep their decisions."""
    found = statuses(answering(lambda key: decision if key == "t2" else ALLOWED), 4)

    assert [("t0", "ALLOW"), ("t1", "ALLOW"), ("t2", "ERROR"), ("t3", "ALLOW")] == [pair[:2] for pair in found]
    assert reason in str(found[2][2])


@pytest.mark.parametrize("poison", [{"t0"}, {"t9"}, {"t4", "t5"}, {f"t{n}" for n in range(10)}, set()])
@pytest.mark.parametrize(
    "raised", [OpaEvaluationError("conflict", code="eval_conflict_error"), OpaRefused("too large")]
)
def test_poison_rows_are_found_by_halving(poison: set[str], raised: OpaError) -> None:
    """A batch that OPA fails on costs only the rows at fault."""
    healthy = answering(lambda _: ALLOWED)

    def post(_path: str, body: bytes) -> bytes:
        if poison & json.loads(body)["input"]["items"].keys():
            raise raised
        return healthy(_path, body)

    found = statuses(post)

    assert [(f"t{n}", "ERROR" if f"t{n}" in poison else "ALLOW") for n in range(10)] == [pair[:2] for pair in found]
    assert all("conflict" in str(why) or "too large" in str(why) for _, status, why in found if status == "ERROR")


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (OpaUnreachable("nobody there"), OpaUnreachable),
        (OpaUnauthorized("no"), OpaUnauthorized),
    ],
)
def test_an_opa_that_answers_nobody_ends_the_scan(raised: OpaError, expected: type[OpaError]) -> None:
    """Half a scan decides nothing: no decisions are made up for an OPA that is gone, or that refuses this caller."""
    bodies = []

    def post(_path: str, body: bytes) -> bytes:
        bodies.append(body)
        raise raised

    with pytest.raises(expected):
        statuses(post, in_flight=1)
    assert len(bodies) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"{}", "has no result"),
        (b"[]", "has no result"),
        (b"<html>", "has no result"),
        (b'{"result": []}', "is not an object by key"),
        (b'{"result": {"other": {}}}', "OPA answered about other, which was not in the request"),
    ],
)
def test_an_answer_that_is_not_one_ends_the_scan(answer: bytes, said: str) -> None:
    """Something else than Warden's bundle answers: that is a fault of the scan, not of a row."""
    with pytest.raises(ScanError, match=said):
        statuses(lambda _path, _body: answer)


def test_a_policy_that_changes_meanwhile_ends_the_scan() -> None:
    """One run is about one revision."""
    changed = answering(lambda key: {**ALLOWED, "revision": "r2" if key == "t7" else "r1"})
    with pytest.raises(ScanError, match="the policy changed during the scan, from revision r1 to r2"):
        statuses(changed)


def test_an_input_without_common_part_ends_the_scan() -> None:
    """A topic is not evaluated against nothing."""
    with pytest.raises(ScanError, match="the snapshot lacks the state of the cluster that the input t0 is of"):
        list(evaluate(rows(1, "x"), job(), answering(lambda _: ALLOWED)))


def test_what_is_too_large_is_not_sent() -> None:
    """It is an ERROR that says so, wherever in its batch it stands; its neighbours are evaluated."""
    large = Row("c", "large", json.dumps({"request": {"topic": "\u00e9" * 600}}, ensure_ascii=False))
    sent: list[bytes] = []

    def post(path: str, body: bytes) -> bytes:
        sent.append(body)
        return answering(lambda _: ALLOWED)(path, body)

    small = rows(5)
    limited = replace(job(), limits=BatchLimits(item_bytes=1024))
    found = [row for batch in evaluate([*small[:2], large, *small[2:]], limited, post) for row in batch]

    assert ["t0", "t1", "large", "t2", "t3", "t4"] == [row["hash"] for row in found]
    (error,) = [row["error"] for row in found if row["status"] == "ERROR"]
    assert "its decision input has 1,226 bytes of JSON, more than the 1,024" in error
    assert not any(b"large" in body for body in sent)
