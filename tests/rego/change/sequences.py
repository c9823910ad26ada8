"""Changes one after the other, each decided on the state that the allowed ones before it have left."""

from collections import Counter
from collections.abc import Callable
from typing import Final

from tests.rego.change.conftest import Policy
from tests.rego.change.documents import Document, document
from tests.rego.change.settings import STATES

__all__ = ["change_in_turn"]

_STEPS: Final = 6


def change_in_turn(
    policy: Policy,
    states: list[Document],
    draw: Callable[[int, Document], tuple[str, Document]],
    apply: Callable[[str, Document, Document], Document],
) -> tuple[list[list[Document]], Counter[tuple[str, bool]]]:
    """Carry out what is allowed of some sequences, all of them step by step, so that few requests have many decisions.

    Args:
        policy: Decides, where every rule about what is there denies.
        states: Of each sequence, which become what it leaves.
        draw: Returns the next operation and request of a sequence, by its number and state.
        apply: Returns the state that an allowed one leaves.

    Returns:
        The allowed requests of each sequence, and how many of each operation were allowed and not.
    """
    steps: list[list[Document]] = [[] for _ in states]
    answers: Counter[tuple[str, bool]] = Counter()
    for _ in range(_STEPS):
        changes = [draw(i, of_cluster) for i, of_cluster in enumerate(states)]
        items = {
            str(i): document(operation, request, states[i], STATES) for i, (operation, request) in enumerate(changes)
        }
        for key, decision in policy.client.decide_many(items).items():
            i = int(key)
            operation, request = changes[i]
            answers[operation, decision["allowed"]] += 1
            if decision["allowed"]:
                steps[i].append(request)
                states[i] = apply(operation, request, states[i])
    print(f"{len(states)} sequences of {_STEPS} changes; allowed and not: {dict(answers)}")
    return steps, answers
