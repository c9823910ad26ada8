"""Whatever the state, the settings and the rules: what a change does not cause does not deny it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

import pytest

from tests.fixtures.seed import SEED
from tests.rego.change.conftest import Policy
from tests.rego.change.documents import Document, change, document, empty, state, unchanged
from tests.rego.change.reads import audit_of_heir, touched_by, untouched_rules
from tests.rego.change.settings import CLUSTERS

pytestmark = pytest.mark.opa

_OPERATIONS: Final = (
    "AlterTopic",
    "AlterTopic",
    "AlterTopic",
    "AlterBroker",
    "AlterConfig",
    "AlterQuota",
    "AlterClientConfigs",
)
# Rules about that something is altered at all, or about the request itself, whatever it does.
_ABOUT_THE_REQUEST: Final = {
    "KFK-CHG-005": "what is named is not for tenants to alter, whatever the value",
    "KFK-CHG-007": "an alteration without effect is what it is about",
    "KFK-BRK-004": "to alter a config of brokers while they run is what it is about",
}
_STATES: Final = 40
_MANY: Final = 300


def _cases(states: int) -> Iterator[tuple[Random, str, Document, str]]:
    """Random states, each with an operation and a cluster's settings."""
    for i in range(states):
        chance = Random(f"{SEED} {i}")
        yield chance, chance.choice(_OPERATIONS), state(chance), chance.choice(CLUSTERS)


def _key(violation: Mapping[str, Any]) -> tuple[str, str]:
    return violation["rule"], str(violation["path"])


def _caused(decision: Mapping[str, Any]) -> set[str]:
    """The rules by which a change is denied for what it causes."""
    return {
        violation["rule"]
        for violation in decision["violations"]
        if violation["effect"] == "deny" and violation["cause"] == "caused"
    }


def _check_nothing_altered(policy: Policy, states: int) -> None:
    items = {
        f"{operation} {i} {form}": document(operation, request, of_cluster, cluster)
        for i, (_, operation, of_cluster, cluster) in enumerate(_cases(states))
        for form, request in enumerate(unchanged(operation, of_cluster))
    }
    decisions = policy.client.decide_many(items)
    wrong = {key: _caused(decision) - set(_ABOUT_THE_REQUEST) for key, decision in decisions.items()}
    found = Counter(
        v["rule"] for decision in decisions.values() for v in decision["violations"] if v["cause"] == "found"
    )
    print(f"{len(items)} changes that alter nothing; found {found.total()} violations of {len(found)} rules")

    assert {} == {key: rules for key, rules in wrong.items() if rules}
    assert found.total() > states


def _unbroken_topics(policy: Policy, items: Mapping[str, Document], after: Mapping[str, Any]) -> list[str]:
    """The topics of which a rule is said to be broken before a change of what they inherit, and is not by an audit."""
    audits, rules = {}, {}
    for key, decision in after.items():
        for violation in decision["violations"]:
            if violation["cause"] == "found":
                for name in violation.get("topics", {}).get("names", []):
                    id_ = f"{key} {name} {violation['rule']}"
                    audits[id_] = audit_of_heir(items[key], name)
                    rules[id_] = violation["rule"]
    audited = policy.client.decide_many(audits)
    print(f"{len(audits)} topics with something found of what they inherit")
    return [id_ for id_, rule in rules.items() if rule not in {v["rule"] for v in audited[id_]["violations"]}]


def _check_changes(policy: Policy, states: int) -> None:
    cases = {
        f"{operation} {i}": (document(operation, change(chance, operation, of_cluster), of_cluster, cluster), operation)
        for i, (chance, operation, of_cluster, cluster) in enumerate(_cases(states))
    }
    before = policy.client.decide_many(
        {key: {**item, "request": empty(operation)} for key, (item, operation) in cases.items()}
    )
    after = policy.client.decide_many({key: item for key, (item, _) in cases.items()})
    found = {
        key: [v for v in decision["violations"] if v["cause"] == "found" and "topics" not in v]
        for key, decision in after.items()
    }
    there = {key: {_key(v) for v in decision["violations"]} for key, decision in before.items()}
    causes = Counter(v["cause"] for decision in after.values() for v in decision["violations"])
    print(f"{len(cases)} changes; violations by cause: {dict(causes)}")

    assert [] == [(key, v) for key, violations in found.items() for v in violations if _key(v) not in there[key]]
    assert all(untouched_rules(touched_by(item), policy.reads) for item, _ in cases.values())
    assert [] == _unbroken_topics(policy, {key: item for key, (item, _) in cases.items()}, after)
    assert {} == {
        key: rules
        for key, (item, _) in cases.items()
        if (rules := _caused(after[key]) & untouched_rules(touched_by(item), policy.reads))
    }
    assert min(causes["found"], causes["caused"]) > states / 4


def test_what_alters_nothing_is_denied_by_no_rule(policy: Policy) -> None:
    """In each form in which a change alters nothing; rules about that there is a request at all aside."""
    _check_nothing_altered(policy, _STATES)


def test_what_a_change_does_not_touch_is_found(policy: Policy) -> None:
    """No rule denies for what it reads and the change leaves alone; nothing is found that was not there."""
    _check_changes(policy, _STATES * 2)


@pytest.mark.oracle
def test_what_alters_nothing_is_denied_by_no_rule_of_many(policy: Policy) -> None:
    """As above, of thousands."""
    _check_nothing_altered(policy, _MANY)


@pytest.mark.oracle
def test_what_a_change_does_not_touch_is_found_of_many(policy: Policy) -> None:
    """As above, of thousands."""
    _check_changes(policy, _MANY * 2)
