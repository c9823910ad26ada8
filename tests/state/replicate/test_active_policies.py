"""Which texts are in force: a small model against generated sequences, with OPA's own compiler."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from warden.base.errors import BundleError
from warden.base.process.backoff import Backoff
from warden.state.config_map_policies.policy_set import LAST_GOOD, ObjectKey, PolicyText, read_text
from warden.state.replicate.policies.active_policies import ActivePolicies, build_policy_status
from warden.state.replicate.policies.compiler import Compiler
from warden.state.replicate.policies.last_good import build_last_good_name
from warden.state.replicate.policies.resolve import resolve

pytestmark = pytest.mark.opa

SCOPES = {"all": "fleet", "shop": "namespace", "pay": "namespace"}
NAMES = ("a", "b", "c")


def _package(namespace: str) -> str:
    return "site.placement" if namespace == "all" else f'site.tenants["{namespace}"]'


def _thing(namespace: str, name: str, uid: str, text: str) -> dict[str, Any]:
    return {"metadata": {"namespace": namespace, "name": name, "uid": uid}, "data": {"a.rego": text}}


def _good(namespace, name, version):
    return f'package {_package(namespace)}.{name}\n\nwarnings contains "{name} {version}"\n'


def _broken(namespace, name, version):
    return f"package {_package(namespace)}.{name}\n\nwarnings contains x if {version}\n"


def _unparsable(_namespace, _name, version):
    return f"package x {{ {version}"


def _beyond(namespace, _name, version):
    other = "pay" if namespace != "pay" else "shop"
    return f'package {_package(namespace)}\n\nwarnings contains data.site.tenants["{other}"].v{version}\n'


def _foreign(namespace, name, version):
    other = "site.placement" if namespace != "all" else "system.authz"
    return f"package {other}.{name}\n\nv := {version}\n"


def _step(random_: random.Random, things: dict[ObjectKey, Any], version: int) -> None:
    """Change one ConfigMap."""
    place = random_.choice(list(SCOPES)), random_.choice(NAMES)
    if random_.random() < 0.15:
        things.pop(place, None)
        return
    make = random_.choices([_good, _broken, _unparsable, _beyond, _foreign], [5, 1, 1, 1, 1])[0]
    uid = things[place]["metadata"]["uid"] if place in things else f"{place}-{random_.random()}"
    things[place] = {**_thing(*place, uid, make(*place, version)), "good": make is _good}


def _newest_good(things: dict[ObjectKey, Any], before: dict[ObjectKey, Any]) -> dict[ObjectKey, Any]:
    """Return the model: of each ConfigMap its newest good text, of those that anybody looked at."""
    after = {}
    for place, thing in things.items():
        last = before.get(place)
        if thing["good"]:
            after[place] = thing
        elif last is not None and last["metadata"]["uid"] == thing["metadata"]["uid"]:
            after[place] = last
    return after


def _copy(place, thing):
    labels = {LAST_GOOD: thing["metadata"]["uid"]}
    metadata = {
        "namespace": place[0],
        "name": build_last_good_name(place[1]),
        "labels": labels,
        "annotations": {"warden.io/last-good-of": place[1]},
    }
    return {"metadata": metadata, "data": thing["data"]}


def _sources(texts):
    return {place: next(iter(text.modules.values())) for place, text in texts.items()}


@pytest.mark.parametrize("seed", range(3))
def test_each_has_its_newest_text_that_compiles(opa_binary, seed):
    """Whatever is written, deleted or restarted, in whatever order; and nothing reaches beyond its namespace."""
    random_ = random.Random(seed)
    compiler = Compiler(opa_binary, SCOPES)
    in_force = ActivePolicies(SCOPES, compiler.check_modules)
    things: dict[ObjectKey, Any] = {}
    model: dict[ObjectKey, Any] = {}
    for version in range(12):
        for _ in range(random_.choice([1, 2, 4])):
            _step(random_, things, version)
        if random_.random() < 0.2:  # what is in force is kept; all else is forgotten
            in_force = ActivePolicies(SCOPES, compiler.check_modules)
        kept = [_copy(place, thing) for place, thing in model.items()]
        in_force.update({name: [one for one in (*things.values(), *kept) if _is_in(one, name)] for name in SCOPES})
        model = _newest_good(things, model)

        texts = {place: thing["data"]["a.rego"] for place, thing in model.items()}
        assert texts == _sources(in_force.texts)
        assert {place for place, thing in things.items() if not thing["good"]} == in_force.problems.keys()
        for (namespace, _), source in _sources(in_force.texts).items():
            assert source.startswith(f"package {_package(namespace)}")
            assert "data.site" not in source


def test_two_replicators_come_to_the_same(opa_binary):
    """Also where one sees two that conflict one after the other, and the other both at once."""
    first, second = (ActivePolicies(SCOPES, Compiler(opa_binary, SCOPES).check_modules) for _ in range(2))
    old = _thing("all", "a", "1", "package site.placement\n\ny := 1\n")
    one = _thing("all", "a", "1", DEFAULT.format(1))
    two = _thing("all", "b", "2", DEFAULT.format(2))
    empty: dict[str, Any] = {"shop": [], "pay": []}
    for in_force in (first, second):
        in_force.update({**empty, "all": [old]})
    first.update({**empty, "all": [one]})
    first.update({**empty, "all": [one, two]})
    second.update({**empty, "all": [one, two]})
    assert first.texts != second.texts

    kept = [_copy(place, {**one, "data": text.keys}) for place, text in first.texts.items()]
    for in_force in (first, second):
        in_force.update({**empty, "all": [one, two, *kept]})
    assert {("all", "a"): DEFAULT.format(1)} == _sources(first.texts) == _sources(second.texts)


def _is_in(thing, namespace):
    return thing["metadata"]["namespace"] == namespace


def _texts(**sources: str) -> dict[tuple[str, str], PolicyText]:
    return {("all", name): read_text(_thing("all", name, "1", source)) for name, source in sources.items()}


def _resolve(opa_binary, newest, good):
    found = resolve(newest, good, Compiler(opa_binary, SCOPES).check_modules)
    return {place[1]: next(iter(text.modules.values())) for place, text in found.in_force.items()}, found.problems


DEFAULT = "package site.placement\n\ndefault x := {}\n"
FUNCTION = "package site.placement.z\n\n{}(_) := 1\n"
USE = "package site.placement\n\nimport data.site.placement.z\n\nwarnings contains z.{}(1)\n"


@pytest.mark.parametrize("first", [DEFAULT.format(1), "package site.placement\n\nx contains 1\n"])
def test_two_new_ones_that_conflict(opa_binary, first):
    """Neither is taken, both are named, and a third one is taken."""
    newest = _texts(a=first, b=DEFAULT.format(2) if "default" in first else "package site.placement\n\nx := 1\n", c=USE)
    newest |= _texts(c="package site.placement.c\n\ny := 1\n")
    taken, problems = _resolve(opa_binary, newest, {})
    assert {"c"} == taken.keys()
    for name in ("a", "b"):
        assert any("in all/a and all/b" in sentence for sentence in problems["all", name])


def test_one_that_breaks_another_is_not_taken(opa_binary):
    """The error is in the text that stays; the culprit says so."""
    good = _texts(a=USE.format("f"), b=FUNCTION.format("f"))
    newest = good | _texts(b=FUNCTION.format("g"), c="package site.placement.c\n\ny := 1\n")
    taken, problems = _resolve(opa_binary, newest, good)
    assert {"a": USE.format("f"), "b": FUNCTION.format("f")} == {name: taken[name] for name in "ab"}
    assert "c" in taken
    assert {("all", "b")} == problems.keys()
    assert "does not compile with all/a" in problems["all", "b"][0]


def test_one_that_takes_too_long_is_refused(opa_binary):
    """It is named, as are those that are checked with it."""
    found = Compiler(opa_binary, SCOPES, patience=1e-6).check_modules({"configmaps/shop/a/a.rego": "package x"})
    assert {("shop", "a"): ("a.rego: not compiled within 1e-06 s: write less, or other rules",)} == found


def test_more_errors_than_a_status_has_room_for(opa_binary):
    """The first are named, and how many there are besides; none is longer than anybody reads."""
    rules = [f"errors[x{at}] {{ x{at} := 1 }}" for at in range(1200)]
    sources = {"a": ["package site.placement", *rules], "b": ["package site.placement.b", f"p := {'x' * 5000}"]}
    in_force = ActivePolicies(SCOPES, Compiler(opa_binary, SCOPES).check_modules)
    in_force.update(
        {"shop": [], "pay": [], "all": [_thing("all", name, name, "\n".join(text)) for name, text in sources.items()]}
    )
    states = {name: build_policy_status(("all", name), in_force.texts, in_force.problems) for name in sources}

    assert "a.rego:2:1: rego_parse_error" in states["a"]["error"]
    assert re.search(r"; … and \d{3,} more$", states["a"]["error"])
    assert "…" in states["b"]["error"]
    assert all(len(json.dumps(state)) < 16 * 1024 for state in states.values())


def test_what_rests_on_one_that_is_deleted(opa_binary):
    """It is out of force, and says why."""
    good = _texts(a=USE.format("f"), b=FUNCTION.format("f"))
    taken, problems = _resolve(opa_binary, _texts(a=USE.format("f")), good)
    assert {} == taken
    assert "undefined function" in problems["all", "a"][0]


def test_a_change_that_another_broken_one_hides(opa_binary):
    """It compiles with what stays in force of the broken one, and is taken."""
    good = _texts(a="package site.placement\n\ny := 1\n", b=FUNCTION.format("f"))
    newest = _texts(a=USE.format("f"), b="package site.placement.z\n\ng(_) := 1\n\nh := x\n")
    taken, problems = _resolve(opa_binary, newest, good)
    assert {"a": USE.format("f"), "b": FUNCTION.format("f")} == taken
    assert {("all", "b")} == problems.keys()


_FAULTS = {
    "sleep 30": "not compiled within 0.5 s: write less, or other rules",
    "kill -9 $$": "not compiled, OPA was ended by signal 9: write less, or other rules",
    "echo fatal error: out of memory >&2; exit 2": "not compiled, OPA does not say why (fatal error: out of memory)",
}


def _write_faulty_opa(directory: Path, opa: Path, fault: str) -> tuple[Path, Path]:
    """An OPA whose compiler fails as long as a file is there, and that file."""
    program, flag = directory / "opa", directory / "flag"
    program.write_text(f'#!/bin/sh\nif [ -e {flag} ] && [ "$1" = check ]; then {fault}; fi\nexec {opa} "$@"\n')
    program.chmod(0o755)
    return program, flag


@pytest.mark.parametrize("fault", _FAULTS)
def test_a_check_that_was_broken_off(opa_binary, tmp_path, fault):
    """What is in force stays, what is new is refused for a while, and is taken once the machine is well again."""
    opa, flag = _write_faulty_opa(tmp_path, opa_binary, fault)
    compiler = Compiler(opa, SCOPES, patience=0.5 if "sleep" in fault else 60.0, backoff=Backoff(1.0, 1.0))
    in_force = ActivePolicies(SCOPES, compiler.check_modules)
    empty: dict[str, Any] = {"shop": [], "pay": []}
    old = _thing("all", "a", "1", _good("all", "a", 1))

    def update(*things: Any) -> bool:
        if compiler.forget_broken_off():
            in_force.request_resolution()
        in_force.update({**empty, "all": list(things)})
        return not in_force.problems

    eventually(lambda: update(old), "the first text")
    flag.touch()
    new = [_thing("all", "a", "1", _good("all", "a", 2)), _thing("all", "b", "2", _good("all", "b", 1))]
    assert not update(*new)
    assert {("all", "a"): _good("all", "a", 1)} == _sources(in_force.texts)
    assert _FAULTS[fault] in in_force.problems["all", "b"][0]
    flag.unlink()
    eventually(lambda: update(*new), "another try")

    assert {("all", "a"): _good("all", "a", 2), ("all", "b"): _good("all", "b", 1)} == _sources(in_force.texts)
    assert not compiler.forget_broken_off()


def test_nowhere_to_compile(opa_binary, tmp_path, monkeypatch):
    """A disk that is full says nothing about policies: nothing is refused, and it is tried again."""
    compiler, modules = Compiler(opa_binary, SCOPES), {"configmaps/shop/a/a.rego": 'package site.tenants["shop"]'}
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with pytest.raises(BundleError, match=r"cannot be checked .* make room for temporary files"):
        compiler.check_modules(modules)
    monkeypatch.undo()

    assert {} == compiler.check_modules(modules)
