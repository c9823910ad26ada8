"""Cutting rows into batches, and joining batches into request bodies."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warden.analyse.scan.batches import Batch, BatchLimits, Row, iter_batches, join_request_body


def row(common: str, key: str, size: int = 2) -> Row:
    """A row whose item has ``size`` characters of JSON."""
    return Row(common, key, '"' + "x" * (size - 2) + '"')


@pytest.mark.parametrize(
    ("rows", "limits", "expected"),
    [
        ([], BatchLimits(), []),
        ([row("a", "1")], BatchLimits(rows=1), [["1"]]),
        ([row("a", "1"), row("a", "2"), row("a", "3")], BatchLimits(rows=2), [["1", "2"], ["3"]]),
        ([row("a", "1"), row("b", "2"), row("a", "3")], BatchLimits(), [["1"], ["2"], ["3"]]),
        ([row("a", "1", 50), row("a", "2", 50), row("a", "3", 2)], BatchLimits(bytes=100), [["1", "2"], ["3"]]),
        ([row("a", "1", 50), row("a", "2", 51)], BatchLimits(bytes=100), [["1"], ["2"]]),
        ([row("a", "1", 500), row("a", "2", 2)], BatchLimits(bytes=100), [["1"], ["2"]]),
        ([row("a", "1"), row("a", "1")], BatchLimits(), [["1"], ["1"]]),
        (
            [row("a", "1"), *(row("a", key, 60)._replace(request=name) for name in "xy" for key in "123")],
            BatchLimits(rows=2, bytes=100),
            [["1"], ["1", "2", "3"], ["1", "2", "3"]],
        ),
    ],
    ids=[
        "none",
        "one",
        "count",
        "common part",
        "bytes exact",
        "bytes over",
        "huge row alone",
        "same key twice",
        "decided together",
    ],
)
def test_cut(rows: list[Row], limits: BatchLimits, expected: list[list[str]]) -> None:
    """Where a batch ends."""
    assert expected == [[found.key for found in batch.rows] for batch in iter_batches(rows, limits)]


@given(
    rows=st.lists(st.builds(row, st.sampled_from("abc"), st.sampled_from("123456"), st.integers(2, 60))),
    limits=st.builds(BatchLimits, rows=st.integers(1, 5), bytes=st.integers(1, 100)),
)
def test_cut_keeps_every_row_once_and_in_order(rows: list[Row], limits: BatchLimits) -> None:
    """Whatever comes in goes out, in batches of one common part, of distinct keys, and within the limits."""
    batches = list(iter_batches(rows, limits))

    assert rows == [found for batch in batches for found in batch.rows]
    for batch in batches:
        assert {batch.common} == {found.common for found in batch.rows}
        assert len(batch.rows) == len({found.key for found in batch.rows}) <= limits.rows
        assert len(batch.rows) == 1 or sum(len(found.item) for found in batch.rows) <= limits.bytes


_ITEMS = st.recursive(st.none() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3), max_leaves=4)


@given(rows=st.lists(st.tuples(st.text(), _ITEMS), unique_by=lambda one: one[0], max_size=8))
def test_body_is_the_contract(rows: list[tuple[str, object]]) -> None:
    """The joined text is the JSON that a serialiser would make, whatever a topic is called."""
    batch = Batch("c", [Row("c", key, json.dumps(value)) for key, value in rows])

    assert {"input": {"common": {"a": 1}, "items": dict(rows)}} == json.loads(join_request_body(batch, '{"a":1}'))


def test_body_of_what_is_decided_together() -> None:
    """What the request said besides stands beside the items, as it was."""
    (batch,) = iter_batches([Row("c", key, "{}", request="r", members='{"order":["b","a"],"x":1.0}') for key in "ab"])

    text = '{"input":{"common":{},"items":{"a":{},"b":{}},"order":["b","a"],"x":1.0}}'
    assert text == join_request_body(batch, "{}").decode()
