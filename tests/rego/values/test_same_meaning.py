"""Two values that mean the same to Kafka get the same decision, whichever rule reads them and wherever they stand."""

import json
from collections import Counter
from collections.abc import Mapping
from functools import partial
from itertools import islice
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.rego.rules.examples import Example
from tests.rego.values.pairs import Pair, examples_of_rules, pairs
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.bundle.opa import evaluate_opa

pytestmark = [pytest.mark.opa]

_REFUSED = {"INVALID_CONFIG", "INVALID_REQUEST"}
_ABOUT_IT: dict[str, dict[str, str]] = yaml.safe_load(
    Path(__file__).with_name("about_it.yaml").read_text(encoding="utf-8")
)


def _bundle(opa: Path, directory: Path, examples: list[Example]) -> Bundle:
    """One in which every rule denies, under the parameters of the examples."""
    settings = {
        "rules": {example.rule: {"mode": "deny"} for example in examples},
        "clusters": [
            {"match": {"name": f"example-{i}"}, "rules": {example.rule: {"params": example.params}}}
            for i, example in enumerate(examples)
            if example.params
        ],
    }
    (directory / "settings.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    return build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml", opa=opa)


def _decide(opa: Path, bundle: Bundle, items: Mapping[str, Any]) -> dict[str, Any]:
    """The decisions, evaluated without a server, whose log of decisions would take longer than they do."""
    arguments = ("--bundle", str(bundle.path), "data.kafka.decisions")
    decisions: dict[str, Any] = evaluate_opa(opa, *arguments, stdin=json.dumps({"items": items}))
    return decisions


def _key(document: Mapping[str, Any]) -> str:
    return json.dumps(document, sort_keys=True)


def _seen(decision: Mapping[str, Any]) -> tuple[Any, ...]:
    """What is compared: whether it is allowed, Kafka's code, and which rules are broken where, with which effect."""
    violations = {(found["rule"], found["effect"], *map(str, found["path"])) for found in decision["violations"]}
    return decision["allowed"], decision["error"] and decision["error"]["name"], violations


def _without(rules: Mapping[str, str], seen: tuple[Any, ...]) -> tuple[Any, ...]:
    """As `_seen`, without the rules that are about the difference: what denies then is what is left."""
    _, error, violations = seen
    left = {found for found in violations if found[0] not in rules}
    kafkas = None if error == "POLICY_VIOLATION" else error
    return kafkas, left


@pytest.mark.oracle
def test_the_same_meaning_the_same_decision(opa_binary: Path, tmp_path: Path) -> None:
    """Each pair, in whole decisions with all rules; `about_it.yaml` has the rules that are about the difference."""
    found = list(pairs(opa_binary))
    documents = {_key(document): document for pair in found for document in (pair.one, pair.other)}
    bundle = _bundle(opa_binary, tmp_path, examples_of_rules(opa_binary))
    with ThreadPool(2) as pool:
        rest = iter(documents.items())
        batches = iter(lambda: dict(islice(rest, 1500)), {})
        decisions = {
            key: _seen(decision)
            for decided in pool.map(partial(_decide, opa_binary, bundle), batches)
            for key, decision in decided.items()
        }
    compared = Counter(pair.how for pair in found)
    print(f"{len(found)} pairs in {len(documents)} decisions, {len({pair.rule for pair in found})} rules,")
    print(f"{len({pair.key for pair in found})} configurations and fields: {dict(compared)}")

    assert [] == [_shown(pair, decisions) for pair in found if _differ(pair, decisions)][:20]
    assert _listed() == _needed(found, decisions)
    assert compared.total() >= 10_000
    refused = Counter(decisions[_key(pair.one)][1] for pair in found)
    assert refused["INVALID_REQUEST"] + refused["INVALID_CONFIG"] < len(found) / 4


def _differ(pair: Pair, decisions: Mapping[str, tuple[Any, ...]]) -> bool:
    one, other = (decisions[_key(document)] for document in (pair.one, pair.other))
    if pair.how == "twice" and pair.one["operation"] in ("AlterBroker", "StartBroker") and other[1] in _REFUSED:
        return False  # since Kafka 4.4 a broker's list has no member twice
    about = _ABOUT_IT.get(pair.how, {})
    return one != other and _without(about, one) != _without(about, other)


def _shown(pair: Pair, decisions: Mapping[str, tuple[Any, ...]]) -> tuple[Any, ...]:
    one, other = (decisions[_key(document)] for document in (pair.one, pair.other))
    return pair.name, pair.key, pair.how, pair.texts, one[1], other[1], sorted(one[2] ^ other[2])


def _listed() -> set[tuple[str, str]]:
    return {(how, rule) for how, rules in _ABOUT_IT.items() for rule in rules}


def _needed(found: list[Pair], decisions: Mapping[str, tuple[Any, ...]]) -> set[tuple[str, str]]:
    """The rules of `about_it.yaml` that do tell such pairs apart."""
    return {
        (pair.how, violation[0])
        for pair in found
        for violation in decisions[_key(pair.one)][2] ^ decisions[_key(pair.other)][2]
    } & _listed()
