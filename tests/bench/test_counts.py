"""What decisions cost, in numbers that do not move with the machine, does not grow unnoticed."""

import json

import pytest

from tests.bench.counts import BASELINE, count, worse


@pytest.mark.opa
def test_no_decision_costs_a_tenth_more_than_its_baseline() -> None:
    """Allocations of each operation, evaluations of each rule; `tests.bench.counts --update` accepts new ones."""
    assert [] == worse(count(), json.loads(BASELINE.read_text("utf-8")))


@pytest.mark.parametrize(
    ("found", "sentences"),
    [
        ({"AuditTopic": 1100}, []),
        ({"AuditTopic": 1101}, ["allocations of AuditTopic is 1101, more than a tenth above its baseline of 1000"]),
        ({"AuditTopic": 10}, []),
        ({"New": 1}, ["allocations of New is 1 and has no baseline: run python -m tests.bench.counts --update"]),
    ],
)
def test_worse(found: dict[str, float], sentences: list[str]) -> None:
    """A tenth above is still good, more is not, and neither is what was never accepted."""
    assert sentences == worse({"allocations": found}, {"allocations": {"AuditTopic": 1000}})
