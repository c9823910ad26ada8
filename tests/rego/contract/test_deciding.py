"""A rule is left out only for what can change whether it is broken: what only its words read may be missing."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.bench.decisions.decision_inputs import state
from tests.rego.rules.examples import Example, read_examples
from warden.base.resources import find_shipped
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.state_reads import find_state_reads
from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa

_Reads = Mapping[str, Any]


@pytest.fixture(scope="module")
def reads(opa_binary: Any) -> _Reads:
    """What each rule reads, and what of it decides."""
    return find_state_reads(
        opa_binary, find_shipped("policies"), read_rule_metadata(opa_binary, find_shipped("policies"))
    )


@pytest.fixture(scope="module")
def examples(opa_binary: Any) -> list[Example]:
    """The examples of all rules about Kafka."""
    policies = find_shipped("policies")
    rules = read_rule_metadata(opa_binary, policies).items()
    return read_examples(policies, {policies / rule["file"]: id for id, rule in rules if rule["file"][:6] == "kafka/"})


def _parts_that_decide(reads: _Reads, rule: str) -> set[str]:
    return set(reads["deciding"]["rules"].get(rule, reads["rules"].get(rule, ())))


def _documents(example: Example, reads: _Reads) -> tuple[dict[str, Any], dict[str, Any]]:
    """The example with a whole state, and without the parts of it that neither decide its rule nor are the engine's."""
    whole = {**state(), **example.document.get("clusterState", {})}
    left = _parts_that_decide(reads, example.rule) | set(reads["engine"])
    some = {name: value for name, value in whole.items() if name in left}
    document = {"cluster": "prod", **example.document}
    return {**document, "clusterState": whole}, {**document, "clusterState": some}


def test_what_only_words_read_breaks_no_rule(query_client: OpaClient, reads: _Reads, examples: list[Example]) -> None:
    """Without what does not decide a rule it is broken as with it, at the same place and with the same effect."""
    pairs = {one.name: (one.rule, *_documents(one, reads)) for one in examples}
    with_all = query_client.decide_many({name: whole for name, (_, whole, _) in pairs.items()})
    with_some = query_client.decide_many({name: some for name, (_, _, some) in pairs.items()})

    def broken(decisions: Mapping[str, Any], name: str) -> list[Any]:
        violations = decisions[name].get("violations", ())
        return [(one["effect"], one["path"]) for one in violations if one["rule"] == pairs[name][0]]

    found = {name: (broken(with_all, name), broken(with_some, name)) for name in pairs}
    assert {} == {name: both for name, both in found.items() if both[0] != both[1]}
    assert {rule for rule, _, _ in pairs.values()} == {rule for rule in reads["inputs"] if rule.startswith("KFK")}


def test_what_only_words_read_may_be_unknown(query_client: OpaClient, reads: _Reads, examples: list[Example]) -> None:
    """A rule is broken with it unknown as with it missing; of those that decide one the rule is named instead."""
    texts = {rule: set(reads["rules"][rule]) - set(parts) for rule, parts in reads["deciding"]["rules"].items()}
    assert {"clusterSize"} == texts["KFK-DUR-001"]
    for one in examples:
        for part in texts.get(one.rule, ()):
            given = {name: value for name, value in one.document.get("clusterState", {}).items() if name != part}
            document = {"cluster": "prod", **one.document, "clusterState": given, "unknown": [f"/clusterState/{part}"]}
            decision = query_client.decide(document)
            assert one.rule not in {row["rule"] for row in decision["notEvaluated"]}
            assert (one.message is not None) == (one.rule in {row["rule"] for row in decision["violations"]})


def test_what_decides_is_read(reads: _Reads) -> None:
    """It is some of what is read; and of most rules all of it."""
    for kind, read in (("rules", reads["rules"]), ("inputs", reads["inputs"])):
        deciding = reads["deciding"][kind]
        assert all({*map(str, some)} < {*map(str, read[rule])} for rule, some in deciding.items())
        assert len(deciding) < len(read) / 10
