"""Checks of several OPAs leave them time for requests; and Python's tolerance of clocks is the policy's."""

import re

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.enforce.gateway.pending_changes import pending_changes as changes
from warden.policy.failover.checks import compute_check_pause


@pytest.mark.parametrize(("took", "rest"), [(0.0, 0.0), (0.01, 0.19), (0.2, 3.8), (2.0, 10.0)])
def test_rest(took: float, rest: float) -> None:
    """A twentieth of the time is spent with checks, until there is a pause of ten seconds."""
    assert compute_check_pause(took) == pytest.approx(rest)


def test_tolerance_of_clocks() -> None:
    """What a state shows has one meaning in the gateway and in policy."""
    policy = (CHECKOUT / "policies/kafka/engine/sequence/unseen_changes.rego").read_text(encoding="utf-8")

    assert re.findall(r"^_clock_tolerance_seconds := (\d+)$", policy, re.MULTILINE) == [f"{changes._TOLERANCE:g}"]
