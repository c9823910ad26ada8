"""The mutants are the changes that they are said to be, and what no test notices is found."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.mutants.__main__ import main
from tests.mutants.bench import Bench
from tests.mutants.excused import Outcome, homeless
from tests.mutants.mutations import mutations
from tests.mutants.package import Package, directories
from tests.mutants.sample import is_chosen

pytestmark = [pytest.mark.opa, pytest.mark.slow]

_RULE = """package kafka.rules.toy

deny contains name if {
	input.operation in {"A", "B"}
	some name, size in input.sizes
	size > 3
	not startswith(name, "_")
}

charge contains 1 if input.operation in {"A", "B"}

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
    """What a statement demands is dropped, turned round, shortened or widened; texts and what is assigned stay.

    So do the operations of a denial.
    """
    module = tmp_path / "toy.rego"
    module.write_text(_RULE, encoding="utf-8")
    command = [str(opa_binary), "parse", "--format", "json", "--json-include", "locations", str(module)]
    parsed = subprocess.run(command, capture_output=True, check=True).stdout

    found = {mutant.what: mutant.text for mutant in mutations(_RULE, json.loads(parsed)["rules"])}

    charge = 'charge contains 1 if input.operation in {"A", "B"}'
    assert {
        'drop input.operation in {"A", "B"}': _RULE.replace(charge, "charge contains 1 if true"),
        'leave "A" out of {"A", "B"}': _RULE.replace(charge, charge.replace('"A", ', "")),
        'leave "B" out of {"A", "B"}': _RULE.replace(charge, charge.replace(', "B"', "")),
        "drop size > 3": _RULE.replace("size > 3", "true"),
        "flip >": _RULE.replace("size > 3", "size >= 3"),
        'drop not startswith(name, "_")': _RULE.replace('not startswith(name, "_")', "true"),
        'un-negate not startswith(name, "_")': _RULE.replace("not startswith", "startswith"),
        'widen "_"': _RULE.replace('"_"', '""'),
        "flip >=": _RULE.replace(">=", ">"),
    } == found


def _bench(opa: Path, scratch: Path, tests: str) -> Bench:
    modules = {"toy.rego": _RULE, "toy_test.rego": tests}
    return Bench.at(opa, Package(Path("policies/kafka/rules/toy"), "kafka.rules.toy", modules), scratch)


def test_fates(opa_binary: Path, tmp_path: Path) -> None:
    """Noticed, survived, and two that do not compile: of the second OPA does not say where."""
    bench = _bench(opa_binary, tmp_path, _TESTS)
    texts = [
        _RULE.replace("size > 3", "size > 4"),
        _RULE.replace("size > 3", "size >= 4"),
        _RULE.replace("size > 3", "other > 3"),
        _RULE.replace("{name} is", "{true} is"),
        _RULE.replace("{name} is", '{concat(", ", [true])} is'),
    ]
    assert [True, False, None] == bench.fates([("toy.rego", text) for text in texts[:3]])
    assert [True, None] == bench.fates([("toy.rego", text) for text in texts[3:]])


def test_a_package_that_fails_by_itself(opa_binary: Path, tmp_path: Path) -> None:
    """Nothing is said of mutants of a rule whose tests fail, or that has none."""
    for name, tests in {"a": _TESTS.replace('{"a"}', '{"b"}'), "b": "package kafka.rules.toy_test\n"}.items():
        with pytest.raises(SystemExit, match="its tests fail as it stands"):
            _bench(opa_binary, tmp_path / name, tests).fates([("toy.rego", _RULE)])


def test_in_the_place_of_a_package(opa_binary: Path, tmp_path: Path) -> None:
    """What the package's own tests let pass is noticed by what other packages make of it: here by decisions."""
    real = Package.read(Path("policies/kafka/engine"))
    sources = {name: real.modules[name] for name in real.sources}
    tests = {"decision_test.rego": f"package {real.name}_test\n\ntest_nothing if true\n"}
    bench = Bench.at(opa_binary, Package(real.directory, real.name, sources | tests), tmp_path)
    text = sources["decision.rego"]
    broken = text.replace('"allowed": messages == []', '"allowed": messages != []')

    assert [False, True] == bench.fates([("decision.rego", f"{text}\nextra := 1\n"), ("decision.rego", broken)])


def test_every_package_is_there() -> None:
    """Also those of the engine, which are named one by one."""
    assert [] == [directory for directory in directories() if not list(directory.glob("*.rego"))]


def test_the_choice() -> None:
    """A share of names, which the next larger share holds; another seed chooses others."""
    names = [f"policies/a.rego: drop {number}" for number in range(1000)]
    some, more = ([name for name in names if is_chosen(name, percent, 1)] for percent in (25, 40))

    assert 200 < len(some) < 300
    assert set(some) < set(more)
    assert some != [name for name in names if is_chosen(name, 25, 2)]
    assert [False, True] == [is_chosen("x", percent, 1) for percent in (0, 100)]


def test_complaints() -> None:
    """Few survivors may lack an excuse; an excuse has to be of a survivor, where its mutant was tried, or is gone."""
    file = "policies/kafka/configs/apply.rego"
    excused = {f"{file}: {name}" for name in ("excused", "noticed", "not tried", "gone")} | {"policies/gone.rego: x"}
    excused.add("policies/kafka/model/topics/create.rego: of another package")
    every = [f"{file}: {name}" for name in ("excused", "noticed", "not tried", "new", "killed")]
    tried = [name for name in every if "not tried" not in name]
    survived = [f"{file}: excused", f"{file}: new"]
    stale = [
        f"excused in excused.txt, but noticed by a test: {file}: noticed",
        f"excused in excused.txt, but no longer there: {file}: gone",
    ]

    assert stale == list(Outcome("p", 25, every, tried, survived).complaints(excused))
    assert ["p: 1 of 4 survive without an excuse, 0 may", *stale] == list(
        Outcome("p", 0, every, tried, survived).complaints(excused)
    )
    assert ["excused in excused.txt, but its file is no longer there: policies/gone.rego: x"] == homeless(excused)


@pytest.mark.parametrize(
    ("tolerated", "total", "tried", "limit"),
    [(0, 200, 20, 0), (10, 200, 200, 20), (10, 200, 20, 7), (10, 200, 100, 16), (15, 7, 1, 1), (15, 7, 0, 0)],
)
def test_limit(tolerated: int, total: int, tried: int, limit: int) -> None:
    """What is tolerated of all is the limit of all; of a part it is what chance alone would hardly exceed."""
    every = [f"policies/a.rego: drop {number}" for number in range(total)]

    assert limit == Outcome("p", tolerated, every, every[:tried]).limit


def test_package_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    """A name that no package has is said to be wrong, with those that there are."""
    assert 1 == main(["kafka/nowhere"])
    assert capsys.readouterr().out.startswith(
        "no package that is changed ends with /kafka/nowhere: name some of kafka/rules/"
    )
