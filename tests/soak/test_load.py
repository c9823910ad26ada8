"""What load on a program counts."""

import itertools
import random

from tests.fixtures.conditions import eventually
from tests.soak.load import ALLOWED, DENIED, Answer, Load


def test_what_is_counted():
    """By kind, with the first text of each error; what is allowed and should not be is wrong."""
    answers = itertools.cycle(["denied", "503", "allowed"])

    def ask(is_good: bool) -> Answer:
        kind = next(answers)
        return Answer(kind, f"{kind} said")

    with Load(ask, random.Random(1), 0.0) as load:
        load.wait_for_decisions()
        eventually(lambda: load.kinds.total() > 200, "enough is sent")
    lines = load.lines()

    assert {ALLOWED, DENIED, "503", "denied although policy allows it"} == set(load.kinds)
    assert {"503": "503 said", "denied although policy allows it": "denied said"} == load.texts
    assert 0 < len(load.wrong) < load.kinds[ALLOWED]
    assert "p50" in lines[0]
    assert "the first 503: 503 said" in lines


def test_a_defect_is_wrong():
    """An answer of 500 is, once for all of them; that something is away is not."""
    answers = itertools.cycle(["503", "500"])
    with Load(lambda _: Answer(next(answers), "said"), random.Random(1), 0.0) as load:
        eventually(lambda: load.kinds.total() > 20, "enough is sent")
    assert ["answered 500: said"] == load.wrong
