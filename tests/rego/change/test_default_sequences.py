"""Allowed changes of a topic and of what it inherits, one after the other, leave it no worse than it was."""

import copy
import re
from random import Random
from typing import Final

import pytest

from tests.fixtures.seed import SEED
from tests.rego.change.conftest import Policy
from tests.rego.change.documents import TOPIC, Document, change, document, state
from tests.rego.change.model import State, apply, change_configs, faults, worse
from tests.rego.change.sequences import change_in_turn
from tests.rego.change.settings import STATES
from tests.rego.values.pairs import catalog

pytestmark = pytest.mark.opa

_INHERITED: Final[dict[str, str]] = catalog("topic")["inherits"]
# A topic that has to set a value itself is as wrong with another one that it inherits.
_INHERITED_VALUE: Final = re.compile(r"\S+ (?=is inherited from the cluster, not set on the topic)")
_TOO_LITTLE: Final = re.compile(r"(\S+) \S+ is below the minimum of .*")
_SEQUENCES: Final = 12
_MANY: Final = 60


def _state(chance: Random) -> Document:
    """One in which the topic inherits what is set for all brokers, and no broker has configs of its own."""
    drawn = state(chance)
    shared = {name: text for name, text in drawn["brokers"][""]["configs"].items() if name in _INHERITED}
    return _with_shared(drawn, shared)


def _with_shared(of_cluster: Document, shared: dict[str, str]) -> Document:
    after = copy.deepcopy(of_cluster)
    for id, broker in after["brokers"].items():
        broker["configs"] = dict(shared)
        if id:
            broker |= {"dynamicConfigs": {}, "fallbackConfigs": {}}
    after["defaults"] = {_INHERITED[name]: text for name, text in shared.items() if name in _INHERITED}
    return after


def _change(chance: Random, of_cluster: Document) -> tuple[str, Document]:
    """Of the topic, or of what all brokers have for the topics that set nothing themselves."""
    if chance.random() < 0.5:
        return "AlterTopic", change(chance, "AlterTopic", of_cluster)
    request = change(chance, "AlterBroker", of_cluster)
    ops = [op for op in request["configs"]["ops"] if op["name"] in _INHERITED]
    return "AlterBroker", {"broker": "", "configs": {"mode": "incremental", "ops": ops}}


def _apply(operation: str, request: Document, of_cluster: Document) -> Document:
    if operation == "AlterTopic":
        return apply(operation, request, of_cluster)
    return _with_shared(
        of_cluster, change_configs(dict(of_cluster["brokers"][""]["configs"]), request["configs"]["ops"])
    )


def _faults(policy: Policy, states: list[Document]) -> list[State]:
    """What an audit says of the topic of each state: a rule that audits nothing is not about what it inherits."""
    items = {str(i): document("AuditTopic", {"topic": TOPIC}, one, STATES) for i, one in enumerate(states)}
    decisions = policy.client.decide_many(items)
    return [{place: _words(said) for place, said in faults(decisions[key]).items()} for key in items]


def _words(said: set[str]) -> set[str]:
    """What is said of a place, where too little is no better than enough that is inherited."""
    names = [found[1] for message in said if (found := _TOO_LITTLE.fullmatch(message))]
    enough = {f"{name} is inherited from the cluster, not set on the topic" for name in names}
    return {_INHERITED_VALUE.sub("", message) for message in said} | enough


def _check_sequences(policy: Policy, sequences: int) -> None:
    chances = [Random(f"{SEED} default {i}") for i in range(sequences)]
    states = [_state(chance) for chance in chances]
    first = _faults(policy, states)
    steps, answers = change_in_turn(policy, states, lambda i, of_cluster: _change(chances[i], of_cluster), _apply)

    found = {i: worse(first[i], last, policy.rules) for i, last in enumerate(_faults(policy, states))}
    assert {} == {i: (lines, steps[i]) for i, lines in found.items() if lines}
    assert min(answers["AlterBroker", True], answers["AlterBroker", False]) > 0
    assert sum(map(len, first)) > sequences


def test_allowed_defaults_never_make_a_topic_worse(policy: Policy) -> None:
    """Changes of a topic and of all brokers by turns, where every rule about what is there denies."""
    _check_sequences(policy, _SEQUENCES)


@pytest.mark.oracle
def test_allowed_defaults_never_make_a_topic_worse_of_many(policy: Policy) -> None:
    """As above, of hundreds."""
    _check_sequences(policy, _MANY)
