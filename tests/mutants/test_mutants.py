"""The mutants are the changes that they are said to be, and what no test notices is found."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.mutants.batch import Bench, Family
from tests.mutants.mutations import mutations

pytestmark = pytest.mark.opa

_RULE = """package kafka.rules.toy

deny contains name if {
	input.operation in {"A", "B"}
	some name, size in input.sizes
	size > 3
	not startswith(name, "_")
}

shown(name) := $"{name} is here"

default large := false

large := input.size >= 9
"""
_TESTS = """package kafka.rules.toy_test

import data.kafka.rules.toy as family

test_deny if {
	{"a"} == family.deny with input as {"operation": "A", "sizes": {"a": 4, "_": 5}}
}

test_shown if {
	family.shown("a") == "a is here"
}
"""


def test_every_small_change(opa_binary: Path, tmp_path: Path) -> None:
    """What a statement demands is dropped, turned round, shortened or widened; texts and what is assigned stay."""
    module = tmp_path / "toy.rego"
    module.write_text(_RULE, encoding="utf-8")
    command = [str(opa_binary), "parse", "--format", "json", "--json-include", "locations", str(module)]
    parsed = subprocess.run(command, capture_output=True, check=True).stdout

    found = {mutant.what: mutant.text for mutant in mutations(_RULE, json.loads(parsed)["rules"])}

    assert {
        'drop input.operation in {"A", "B"}': _RULE.replace('input.operation in {"A", "B"}', "true"),
        'leave "A" out of {"A", "B"}': _RULE.replace('{"A", "B"}', '{"B"}'),
        'leave "B" out of {"A", "B"}': _RULE.replace('{"A", "B"}', '{"A"}'),
        "drop size > 3": _RULE.replace("size > 3", "true"),
        "flip >": _RULE.replace("size > 3", "size >= 3"),
        'drop not startswith(name, "_")': _RULE.replace('not startswith(name, "_")', "true"),
        'un-negate not startswith(name, "_")': _RULE.replace("not startswith", "startswith"),
        'widen "_"': _RULE.replace('"_"', '""'),
        "flip >=": _RULE.replace(">=", ">"),
    } == found


def test_fates(opa_binary: Path, tmp_path: Path) -> None:
    """Noticed, survived, and two that do not compile: of the second OPA does not say where."""
    bench = Bench(opa_binary, tmp_path)
    (tmp_path / "called").mkdir()
    family = Family("toy", {"toy.rego": _RULE, "toy_test.rego": _TESTS})
    texts = [
        _RULE.replace("size > 3", "size > 4"),
        _RULE.replace("size > 3", "size >= 4"),
        _RULE.replace("size > 3", "other > 3"),
        _RULE.replace("{name} is", "{true} is"),
        _RULE.replace("{name} is", '{concat(", ", [true])} is'),
    ]
    assert [True, False, None] == bench.fates(family, "toy.rego", texts[:3])
    assert [True, None] == bench.fates(family, "toy.rego", [texts[3], texts[4]])


def test_a_family_that_fails_by_itself(opa_binary: Path, tmp_path: Path) -> None:
    """Nothing is said of mutants of a rule whose tests fail, or that has none."""
    bench = Bench(opa_binary, tmp_path)
    (tmp_path / "called").mkdir()
    for tests in (_TESTS.replace('{"a"}', '{"b"}'), "package kafka.rules.toy_test\n"):
        with pytest.raises(SystemExit, match="its tests fail as it stands"):
            bench.fates(Family("toy", {"toy.rego": _RULE, "toy_test.rego": tests}), "toy.rego", [_RULE])
