"""Whatever becomes of two OPAs, one after the other: while one is well each request is decided as the model says."""

import random
from collections.abc import Callable

import pytest

from tests.fixtures.case_counts import sample_or_all
from tests.fixtures.conditions import eventually
from tests.fixtures.seed import SEED
from tests.policy.failover.pair import Pair, RunningClient
from tests.policy.failover.test_client import check_decisions

pytestmark = [pytest.mark.opa]

_OLD = 1000.0


class Model:
    """What becomes of both: each is ``well``, ``down``, ``hung``, ``empty`` or ``old``; one at least is well.

    Args:
        pair: Both.
        running: Who asks.
        seed: Of what happens.
    """

    def __init__(self, pair: Pair, running: RunningClient, seed: str) -> None:
        self._pair, self._running, self._random = pair, running, random.Random(seed)
        self.states = ["well", "well"]
        self.steps: list[str] = []

    def step(self) -> None:
        """Let something become of one of them, such that the other, or this one, is well."""
        at = self._random.choice([0, 1])
        if self.states[1 - at] != "well":
            state = "well"
        else:
            state = self._random.choice(["well", "down", "hung", "empty", "old"])
        self.steps.append(f"{at}: {self.states[at]} -> {state}")
        self._leave(at)
        changes: dict[str, Callable[[], None]] = {
            "well": lambda: self._pair.write(at),
            "down": lambda: self._pair.kill(at),
            "hung": lambda: self._pair.pause(at),
            "empty": lambda: self._pair.restart(at),
            "old": lambda: self._age(at),
        }
        changes[state]()
        self.states[at] = state

    def _leave(self, at: int) -> None:
        """Have it run, and not hang."""
        self._pair.resume(at)
        if self.states[at] == "down":
            self._pair.restart(at)
            self._pair.write(at)

    def _age(self, at: int) -> None:
        """An old state is no sudden fault: it is seen before it has grown old."""
        self._pair.write(1 - at)
        self._pair.write(at, _OLD)
        eventually(lambda: self._running.order() == [1 - at, at], "the other one is preferred")


@sample_or_all(6, 60)
def test_each_request_is_decided_as_the_model_says(pair: Pair, count: int) -> None:
    """Neither a denial that policy does not give, nor a request that goes on undecided."""
    with RunningClient(pair.settings(timeout=6.0, behind_seconds=500.0)) as running:
        model = Model(pair, running, f"{SEED}/failover")
        for _ in range(count):
            model.step()
            try:
                check_decisions(running)
            except Exception as error:
                raise AssertionError(f"seed {SEED}: {model.steps[-6:]}: {error}") from error
