"""Checks of several OPAs leave them time for requests; and Python's tolerance of clocks is the policy's."""

import asyncio
import re
from typing import Any

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.enforce.gateway.pending_changes import pending_changes as changes
from warden.policy.failover.checks import build_decision_check, compute_check_pause
from warden.policy.failover.ranking import OpaCheckResult


@pytest.mark.parametrize(("took", "rest"), [(0.0, 0.0), (0.01, 0.19), (0.2, 3.8), (2.0, 10.0)])
def test_rest(took: float, rest: float) -> None:
    """A twentieth of the time is spent with checks, until there is a pause of ten seconds."""
    assert compute_check_pause(took) == pytest.approx(rest)


def test_tolerance_of_clocks() -> None:
    """What a state shows has one meaning in the gateway and in policy."""
    policy = (CHECKOUT / "policies/kafka/engine/sequence/unseen_changes.rego").read_text(encoding="utf-8")

    assert re.findall(r"^_clock_tolerance_seconds := (\d+)$", policy, re.MULTILINE) == [f"{changes._TOLERANCE:g}"]


@pytest.mark.parametrize(("age", "known"), [(None, False), (0, True), (2.5, True), ("2.5", False), ([], False)])
def test_the_age_of_a_state(age: object, known: bool) -> None:
    """What is no number is no age: the checks of that OPA go on."""

    async def ask(*_: object) -> dict[str, Any]:
        decision = {"allowed": True, "errors": [], "error": None, "violations": [], "stateAge": age}
        return {"result": {"a": decision}}

    async def check() -> OpaCheckResult:
        return await build_decision_check(ask, ("a",), "gateway")("http://opa", 1.0)

    found = asyncio.run(check())

    assert found.problem is None
    assert (found.ages["a"] is not None) is known
