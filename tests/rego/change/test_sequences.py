"""Allowed changes, one after the other, reach no state that is worse than the first."""

from random import Random
from typing import Final

import pytest

from tests.fixtures.seed import SEED
from tests.rego.change.conftest import Policy
from tests.rego.change.documents import BROKER, TOPIC, Document, change, document, empty, state
from tests.rego.change.model import State, apply, faults, worse
from tests.rego.change.sequences import change_in_turn
from tests.rego.change.settings import STATES

pytestmark = pytest.mark.opa

_AUDITS: Final = {"AlterTopic": ("AuditTopic", {"topic": TOPIC}), "AlterBroker": ("AuditBroker", {"broker": BROKER})}
_SEQUENCES: Final = 12
_MANY: Final = 60


def _check_sequences(policy: Policy, sequences: int) -> None:
    chances = [Random(f"{SEED} sequence {i}") for i in range(sequences)]
    operations = [chance.choice(["AlterTopic", "AlterTopic", "AlterBroker"]) for chance in chances]
    states = [state(chance) for chance in chances]
    first = _faults(policy, operations, states)

    def draw(i: int, of_cluster: Document) -> tuple[str, Document]:
        return operations[i], change(chances[i], operations[i], of_cluster)

    steps, answers = change_in_turn(policy, states, draw, apply)
    last = _faults(policy, operations, states)

    found = {i: worse(first[i], last[i], policy.rules) for i in range(sequences)}
    assert {} == {f"{operations[i]} {i}": (lines, steps[i]) for i, lines in found.items() if lines}
    assert sum(count for (_, allowed), count in answers.items() if allowed) > sequences / 2
    assert sum(map(len, first)) > sequences


def _faults(policy: Policy, operations: list[str], states: list[Document]) -> list[State]:
    """What is wrong with each state, by a change that alters nothing and by an audit."""
    items = {}
    for i, (operation, of_cluster) in enumerate(zip(operations, states, strict=True)):
        audit, request = _AUDITS[operation]
        items[f"{i} change"] = document(operation, empty(operation), of_cluster, STATES)
        items[f"{i} audit"] = document(audit, request, of_cluster, STATES)
    decisions = policy.client.decide_many(items)
    about = "KFK-CHG-007"  # that nothing is altered is what it is about
    return [
        {
            key: said
            for key, said in faults(decisions[f"{i} change"], decisions[f"{i} audit"]).items()
            if key[0] != about
        }
        for i in range(len(states))
    ]


def test_allowed_changes_never_get_worse(policy: Policy) -> None:
    """Of topics and of brokers, where every rule denies."""
    _check_sequences(policy, _SEQUENCES)


@pytest.mark.oracle
def test_allowed_changes_never_get_worse_of_many(policy: Policy) -> None:
    """As above, of hundreds."""
    _check_sequences(policy, _MANY)
