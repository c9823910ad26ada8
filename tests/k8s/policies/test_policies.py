"""Policies from the ConfigMaps of a real API server, in a real OPA, by ``warden replicate``."""

import json
from functools import partial

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.policies.policy_maps import policy

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

HEAD = "package site.placement\n\n"


def _of(namespace, rule, name=""):
    return f'package site.tenants["{namespace}"]{name}\n\n{rule}\n'


def test_from_the_first_to_the_last(maps):
    """Added, changed, two keys, a key dropped, data, deleted: decisions follow, and each ConfigMap says ok."""
    maps.warns()
    maps.write("first", {"a.rego": policy("one")})
    maps.warns("one")
    maps.write("first", {"a.rego": policy("two"), "b.rego": policy("three", "site.placement.team")})
    maps.warns("two", "three")
    eventually(lambda: maps.says_ok("first"), "the ConfigMap says ok")
    text = "package site.placement\n\nwarnings contains data.site.configmaps[_].first.limits.text\n"
    maps.write("first", {"a.rego": text, "limits.yaml": "text: four\n"})
    maps.warns("four")
    # The policies' namespace is deleted; nobody finishes namespaces here, so that what is in it is deleted by hand.
    maps.plane.api("DELETE", f"/api/v1/namespaces/{maps.namespace}")
    maps.plane.api("DELETE", maps.path())
    maps.warns()


def test_a_tenant_is_about_its_own_namespace_alone(maps):
    """What it says of another's objects is never evaluated, and it cannot say that it is about all."""
    rule = 'errors contains "closed, says the tenant"\n\nannotations["role"] contains "mine"'
    maps.write("evil", {"a.rego": _of(maps.shop, rule)}, namespace=maps.shop)
    eventually(lambda: maps.says_ok("evil", maps.shop), "the tenant's policy is in force")
    assert ["closed, says the tenant"] == maps.answer(maps.shop)["errors"]
    for namespace in (maps.pay, maps.unlisted, "b"):
        assert maps.answer(namespace) == {"annotations": {}}

    maps.write("evil", {"a.rego": f"package site.placement.evil\n\n{rule}\n"}, namespace=maps.shop)
    status = maps.refuses("evil", "package site.placement.evil is not for", maps.shop, namespace=maps.shop)
    assert "last good text" in status["inForce"]
    for namespace in (maps.pay, maps.unlisted, "b"):
        assert maps.answer(namespace) == {"annotations": {}}


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ('json.marshal(data.kubernetes.clusters["us-1"])', "data.kubernetes.clusters.us-1 is not for"),
        ("json.marshal(data.site.configmaps)", "data.site.configmaps is not for"),
        ("json.marshal(data[input.kind])", "data is not for"),
        ("x if walk(data, [_, x])", "data is not for"),
        ("opa.runtime().env.PATH", "undefined function opa.runtime"),
        ("1 if input.kind with data.site.loaded as 1", "with data is not for"),
    ],
)
def test_a_tenant_reads_nothing_of_others(maps, expression, words):
    """The policy is refused before it is evaluated."""
    maps.write("a", {"a.rego": _of(maps.shop, f"warnings contains {expression}")}, namespace=maps.shop)
    status = maps.refuses("a", words, namespace=maps.shop)
    assert "nothing" == status["inForce"]
    assert maps.answer(maps.pay) == {"annotations": {}}


def test_a_tenant_that_cannot_be_decided_is_nobody_elses_trouble(maps):
    """It does not compile, contradicts itself or conflicts with all: its own objects alone are refused."""
    maps.write("all", {"a.rego": 'package site.placement\n\nannotations["team"] contains "platform"\n'})
    maps.write("broken", {"a.rego": "package x {"}, namespace=maps.shop)
    maps.refuses("broken", "a.rego:1:", namespace=maps.shop)
    contradiction = 'x := 1 if input.kind\n\nx := 2 if input.metadata\n\nwarnings contains "x" if x'
    maps.write("b", {"a.rego": _of(maps.pay, contradiction)}, namespace=maps.pay)
    eventually(lambda: maps.says_ok("b", maps.pay), "the second tenant's policy is in force")
    assert maps.answer() == {"annotations": {"team": "platform"}}
    refused = f"no text of a policy about it has ever compiled: {maps.shop}/broken"
    assert [f"KFK-PLC-003: {refused}"] == maps.answer(maps.shop)["errors"]
    with pytest.raises(Exception, match="produced conflicting values"):
        maps.answer(maps.pay)

    maps.write("broken", {"a.rego": _of(maps.shop, 'annotations["team"] contains "shop"')}, namespace=maps.shop)
    eventually(lambda: maps.says_ok("broken", maps.shop), "the first tenant's policy is in force")
    assert 'rules set it differently, to "platform" and to "shop"' in maps.answer(maps.shop)["errors"][0]
    assert maps.answer() == {"annotations": {"team": "platform"}}


def test_a_label_alone_gives_nothing(maps):
    """Nor does a ConfigMap in a namespace that is not listed."""
    labels = {"openpolicyagent.org/policy": "rego"}
    maps.write("there", {"a.rego": policy("there")}, namespace=maps.unlisted, labels=labels)
    maps.write("here", {"a.rego": policy("here", "site.placement.here")})
    maps.warns("here")
    assert {} == maps.status("there", maps.unlisted)


def test_what_does_not_compile_is_alone(maps):
    """Its last good text stays in force and is named; others are taken up; it is mended."""
    maps.write("good", {"a.rego": policy("one")})
    maps.write("bad", {"a.rego": policy("last good", "site.placement.bad")})
    maps.warns("one", "last good")
    maps.write("bad", {"a.rego": "package site.placement.bad\n\nwarnings contains x if y\n"})
    status = maps.refuses("bad", "a.rego:3:", "rego_unsafe_var_error")
    assert "its last good text, sha256 " in status["inForce"]
    maps.write("good", {"a.rego": policy("two")})
    maps.warns("two", "last good")
    assert maps.says_ok("good") or eventually(lambda: maps.says_ok("good"), "the good one says ok")
    maps.write("bad", {"a.rego": policy("three", "site.placement.bad")})
    maps.warns("two", "three")


def test_last_good_texts_survive_restarts(maps):
    """Of replicator and OPA both, without anything on disk, also where one is broken meanwhile."""
    maps.write("official", {"a.rego": policy("official")})
    maps.write("other", {"a.rego": policy("other", "site.placement.other")})
    maps.warns("official", "other")
    for name in ("official", "other"):
        eventually(partial(maps.says_ok, name), f"{name} says ok")
    maps.write("official", {"a.rego": "package x {"})
    maps.refuses("official", "a.rego:1:")
    maps.stop()
    maps.opa._end()
    persisted = maps.opa.directory / "bundles" / "configmaps"
    for path in persisted.iterdir():
        path.unlink()
    maps.write("other", {"a.rego": "package y {"})
    maps.opa.start()
    maps.opa.wait_ready(120)
    assert ["KFK-PLC-003: no policies of ConfigMaps are loaded"] == maps.answer()["errors"]
    maps.start()
    maps.warns("official", "other")
    maps.refuses("other", "a.rego:1:")
    maps.delete("other")
    maps.warns("official")
    eventually(lambda: len(maps.names()) == 2, "what is kept of the deleted one is gone")


def test_two_that_conflict(maps):
    """Both are named; the one that was there first stays in force, and of two new ones neither is taken."""
    maps.write("first", {"a.rego": f'{HEAD}default x := 1\n\nwarnings contains $"x is {{x}}"\n'})
    maps.warns("x is 1")
    maps.write("second", {"b.rego": f"{HEAD}default x := 2\n"})
    names = f"{maps.namespace}/first and {maps.namespace}/second"
    assert "nothing" == maps.refuses("second", "multiple default rules", names)["inForce"]
    maps.warns("x is 1")
    maps.delete("first")
    maps.warns()
    eventually(lambda: maps.says_ok("second"), "the second is in force once the first is gone")


def test_opa_is_restarted(maps):
    """It decides at once by what it had, and by what was edited while it was away soon after."""
    maps.write("first", {"a.rego": policy("one"), "b.json": '{"x": 1}'})
    maps.write("second", {"a.rego": policy("two", "site.placement.second")})
    maps.warns("one", "two")
    maps.opa._end()
    maps.write("first", {"a.rego": policy("edited"), "b.json": '{"x": 1}'})
    maps.opa.start()
    maps.opa.wait_ready(120)
    maps.warns("edited", "two")


def test_opa_is_restarted_without_a_replicator(maps):
    """What was refused stays refused."""
    maps.write("first", {"a.rego": f'{HEAD}errors contains "never"\n'})
    eventually(lambda: maps.answer().get("errors") == ["never"], "the policy refuses")
    maps.stop()
    maps.opa.restart(timeout=120)
    eventually(lambda: maps.answer().get("errors") == ["never"], "the policy refuses")


def test_no_keys_large_ones_and_binary_ones(maps):
    """What is empty or large is as good as any other; what is binary is refused, as is what no etcd takes."""
    maps.write("empty")
    maps.write("large", {"a.rego": policy("large"), "b.json": json.dumps({"text": "x" * 1_000_000})})
    maps.warns("large")
    for name in ("empty", "large"):
        eventually(partial(maps.says_ok, name), f"{name} says ok")
    with pytest.raises(AssertionError, match="Too long"):
        maps.write("larger", {"b.json": "x" * 1_048_577})
    maps.write("binary", binaryData={"a.rego": "cGFja2FnZQ=="})
    maps.refuses("binary", "a.rego: binaryData is not read: write it under data")
    maps.warns("large")


def test_a_replicator_takes_away_what_went_meanwhile(maps):
    """One that starts serves what there is now."""
    maps.write("first", {"a.rego": policy("one")})
    maps.write("second", {"a.rego": policy("two", "site.placement.second")})
    maps.warns("one", "two")
    maps.stop()
    maps.delete("first")
    maps.start()
    maps.warns("two")


def test_functions_that_move_together(maps):
    """Policies that need each other change together, in one ConfigMap or in two."""
    use = "package site.placement\n\nimport data.site.placement.z\n\nwarnings contains z.{0}(1)\n"
    function = 'package site.placement.z\n\n{0}(_) := "{0}"\n'
    maps.write("both", {"a.rego": use.format("f"), "z.rego": function.format("f")})
    maps.warns("f")
    maps.write("both", {"a.rego": use.format("g"), "z.rego": function.format("g")})
    maps.warns("g")
    maps.write("both", {"a.rego": use.format("g")})
    assert "last good text" in maps.refuses("both", "a.rego:5:", "undefined function")["inForce"]
    maps.write("function", {"z.rego": function.format("g")})
    eventually(lambda: maps.says_ok("both") and maps.says_ok("function"), "both are in force")
    maps.warns("g")


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        ({"a.rego": f"{HEAD}warnings[x] {{ x := 1 }}\n"}, ["a.rego:3:", "opa fmt --write --v0-v1 a.rego"]),
        ({"a.rego": f"{HEAD}warnings contains http.send({{}}).x\n"}, ["a.rego:3:", "not for policies"]),
        ({"a.rego": f"{HEAD}warnings contains opa.runtime().env.X\n"}, ["a.rego:3:", "not for policies"]),
        ({"a.rego": f"{HEAD}errors contains json.marshal(data.settings)\n"}, ["data.settings is not for ConfigMaps"]),
        ({"a.rego": "package site.rules.a\n"}, ["a.rego: package site.rules.a is not for ConfigMaps"]),
        ({"a.rego": "package system.authz\n"}, ["a.rego: package system.authz is not for ConfigMaps"]),
        ({"a.rego": f"{HEAD}p if q\n\nq if p\n"}, ["a.rego:3:", "rego_recursion_error"]),
        ({"a.rego": f"{HEAD}default x := 1\n", "b.rego": f"{HEAD}default x := 2\n"}, ["multiple default rules"]),
        ({"a.json": "{"}, ["a.json:1: not JSON"]),
        ({"a.yaml": "a: 1\na: 2\n"}, ["a.yaml:2"]),
        ({"a.yaml": "a: 1\n", "a.json": "{}"}, ["another key is a too"]),
        ({"README": "x"}, ["README: ends in none of"]),
    ],
)
def test_what_is_refused(maps, data, parts):
    """Each with its sentence; OPA goes on with what it has."""
    maps.write("good", {"a.rego": policy("one", "site.placement.good")})
    maps.warns("one")
    maps.write("bad", data)
    maps.refuses("bad", *parts)
    maps.warns("one")
