"""Names that are evaluated many at once: one name may be part of several inputs."""

import json
from typing import Any

import pytest

from warden.analyse.scan.batches import DECISIONS, NAMES, Batch, BatchLimits, Row, iter_batches, join_request_body
from warden.analyse.scan.decision_rows import iter_decision_rows
from warden.base.errors import ScanError

ROWS = [
    Row("c", "1", '{"a":false}', NAMES),
    Row("c", "2", '{"b":false}', NAMES),
    Row("c", "3", '{"a":false}', NAMES),
]
DENIED = {
    "allowed": False,
    "revision": "r",
    "errors": ["KFK-X-1: no"],
    "error": {"code": 44, "name": "POLICY_VIOLATION", "message": "KFK-X-1: no"},
    "violations": [{"rule": "KFK-X-1", "effect": "deny", "severity": "low", "message": "no", "path": ["topic"]}],
}


def answer(evaluated: int, decisions: dict[str, Any], allowed: int | None = None) -> bytes:
    """As OPA answers about names."""
    counts = {"evaluated": evaluated, "allowed": evaluated - len(decisions) if allowed is None else allowed}
    return json.dumps({"result": {**counts, "decisions": decisions, "revision": "r"}}).encode()


def test_a_name_is_sent_once() -> None:
    """Two inputs with one name travel together, and the name is in the request once."""
    (batch,) = iter_batches(ROWS, BatchLimits(rows=1))

    assert {"input": {"common": {}, "topics": {"a": False, "b": False}}} == json.loads(join_request_body(batch, "{}"))


def test_a_name_with_two_items() -> None:
    """Whether a topic is internal may differ between days, and in one request a name has one item."""
    rows = [*ROWS, Row("c", "4", '{"b":null}', NAMES), Row("c", "5", '{"a":false}', NAMES)]
    bodies = [json.loads(join_request_body(batch, "{}"))["input"]["topics"] for batch in iter_batches(rows)]

    assert [{"a": False, "b": False}, {"b": None, "a": False}] == bodies


def test_each_input_gets_its_outcome() -> None:
    """The decision about a name is that of every input that has it."""
    found = list(iter_decision_rows(Batch("c", ROWS, NAMES), answer(2, {"a": DENIED}), revision="r"))

    assert [("1", "DENY", 1), ("2", "ALLOW", 0), ("3", "DENY", 1)] == [
        (one["hash"], one["status"], len(one["violations"])) for one in found
    ]


@pytest.mark.parametrize(
    ("evaluated", "decisions", "allowed"),
    [
        pytest.param(3, {}, None, id="more than were sent"),
        pytest.param(1, {}, None, id="fewer than were sent"),
        pytest.param(2, {"c": DENIED}, None, id="a name that was not sent"),
        pytest.param(2, {}, 1, id="a decision that was lost on the way"),
        pytest.param(2, {"a": DENIED}, 2, id="a decision too many"),
    ],
)
def test_an_answer_about_other_names_ends_the_scan(
    evaluated: int, decisions: dict[str, Any], allowed: int | None
) -> None:
    """What was not sent has no decision, and what was sent has one."""
    with pytest.raises(ScanError):
        list(iter_decision_rows(Batch("c", ROWS, NAMES), answer(evaluated, decisions, allowed), revision="r"))


def test_many_names_travel_together() -> None:
    """Names have a limit of their own, since each is little work."""
    rows = [Row("c", str(i), f'{{"n{i}":false}}', path) for path in (DECISIONS, NAMES) for i in range(6)]

    assert [2, 2, 2, 4, 2] == [len(batch.rows) for batch in iter_batches(rows, BatchLimits(rows=2, names=4))]
