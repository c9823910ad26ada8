"""What one ConfigMap says, and the section of the file that says where they are."""

import subprocess
from typing import Any

import pytest

from warden.base.errors import ConfigurationError
from warden.state.config_map_policies.policy_set import (
    LAST_GOOD,
    PolicyText,
    is_policy,
    read_text,
)
from warden.state.replicate.config import read_config
from warden.state.replicate.policies.bundle import list_closed_namespaces, pack_policies

PLACE = ("ns", "a")
TOKEN = "token: {env: T}"


def _thing(name: str = "a", data: Any = None, **more: Any) -> dict[str, Any]:
    return {"metadata": {"namespace": "ns", "name": name, "uid": "1"}, "data": data, **more}


def test_policies_and_data():
    """Rego by path in the bundle, documents by key without its ending."""
    found = read_text(_thing(data={"a.rego": "package site.placement", "b.json": '{"x": 1}', "c.d.yaml": "- 1"}))

    assert {"configmaps/ns/a/a.rego": "package site.placement"} == found.modules
    assert {"b": {"x": 1}, "c.d": [1]} == found.data
    assert () == found.problems


@pytest.mark.parametrize(
    ("thing", "counts"),
    [
        (_thing(), True),
        (_thing("kube-root-ca.crt"), False),
        ({"metadata": {"namespace": "ns", "name": "last-good-x", "labels": {LAST_GOOD: "1"}}}, False),
    ],
)
def test_which_config_maps_count(thing, counts):
    """What Kubernetes puts there, and what is kept of others, does not."""
    assert counts is is_policy(thing)


def _write_aliases(form: str, value: str, count: int) -> str:
    """Anchors of which each names the one before it ten times: 50 bytes more of text are ten times more of values."""
    anchors = [f"a{at}: &a{at} {form % ', '.join([f'*a{at - 1}'] * 10)}" for at in range(1, count)]
    return "\n".join([f"a0: &a0 {value}", *anchors])


@pytest.mark.parametrize(
    ("data", "more", "sentence"),
    [
        ({"a.json": "{"}, {}, "a.json:1: not JSON"),
        ({"a.json": "NaN"}, {}, "a.json:1: NaN is not a number that all readers share"),
        ({"a.json": '{"x":\n1e999}'}, {}, "a.json:2: 1e999 is not a number that all readers share"),
        ({"a.json": "1" * 5000}, {}, "a.json:1: 1111111111111111111111111111111111111111… is not a number"),
        ({"a.json": "[" * 100_000}, {}, "a.json:1: lists and objects stand more than 100 deep"),
        ({"a.json": '{"a": 1, "a": 2}'}, {}, 'a.json:1: the key "a" is there already'),
        ({"a.yaml": "a: 1\na: 2"}, {}, "a.yaml:2"),
        ({"a.yaml": "1\n---\n2"}, {}, "a.yaml: several documents: write one"),
        ({"a.yaml": "---\n" * 5000 + "["}, {}, "a.yaml: several documents: write one"),
        ({"a.yaml": ""}, {}, "a.yaml: no document: write one"),
        ({"a.yaml": _write_aliases("[%s]", "1", 7)}, {}, "a.yaml:1: with its aliases written out"),
        ({"a.yaml": _write_aliases("{<<: [%s]}", "{a: 1}", 7)}, {}, "a.yaml:1: with its aliases written out"),
        (
            {f"{key}.yaml": _write_aliases("[%s]", "1", 6) for key in "abcdefgh"},
            {},
            "g.yaml:1: with its aliases written out",
        ),
        ({"a.json": "1", "a.yaml": "1"}, {}, "a.yaml: another key is a too"),
        ({"rules": "x"}, {}, "rules: ends in none of .rego, .json and .yaml"),
        ({".rego": "x"}, {}, ".rego: begins with a dot"),
        ({"rules.txt": "x"}, {}, "rules.txt: ends in none of .rego, .json and .yaml"),
        (None, {"binaryData": {"a.rego": "eA=="}}, "a.rego: binaryData is not read"),
    ],
)
def test_keys_that_are_refused(data, more, sentence):
    """The sentence begins with the key."""
    assert read_text(_thing(data=data, **more)).problems[0].startswith(sentence)


@pytest.mark.parametrize(
    "text",
    [f"- {'é' * 520_000}", "-\n" * 100_000, _write_aliases("[%s]", "1", 5), "a: &a x\n<<: &b {c: 1}\nd: [*a, *b]"],
)
def test_aliases_that_are_taken(text):
    """As well as any YAML without aliases that a ConfigMap has room for."""
    assert () == read_text(_thing(data={"a.yaml": text})).problems


@pytest.mark.opa
@pytest.mark.parametrize(
    ("key", "text"),
    [
        *(("a.json", "[" * depth + "]" * depth) for depth in (100, 101, 990)),
        *(("a.json", text) for text in ("1e308", "-1e-999", "1e999", "-Infinity", "1" * 300, "1" * 5000)),
        *(("a.json", text) for text in ('"\\ud800"', '{"\\ud800": 1}', '"\\u0000"', "null")),
        *(("a.yaml", text) for text in (".inf", "1.0e+999", "1" * 300, "~: 1", "2026-01-01", "[" * 100 + "]" * 100)),
        *(("a.yaml", text) for text in (f"0x{'f' * 5000}", f"1{':1' * 3000}", f"0x{'f' * 5000}: 1")),
    ],
)
def test_odd_data_takes_no_other_along(opa_binary, tmp_path, key, text):
    """It is refused, or OPA loads the bundle that it is in."""
    said = read_text(_thing(data={key: text}))
    (tmp_path / "bundle.tar.gz").write_bytes(pack_policies({said.place: said}, {"ns": "namespace"}, {}).content)
    command = [opa_binary, "eval", "--fail", "--bundle", tmp_path / "bundle.tar.gz", "data.site.configmaps.ns.a.a"]
    loaded = subprocess.run(command, capture_output=True, check=False)

    assert said.problems or not loaded.returncode, loaded.stderr


def test_the_section_of_the_file(tmp_path, monkeypatch):
    """It may stand alone; further namespaces are about themselves unless it says otherwise."""
    monkeypatch.setenv("T", "t")
    path = tmp_path / "replicator.yaml"
    path.write_text(f"policies: {{{TOKEN}, namespaces: [{{name: shop}}, {{name: all, about: fleet}}]}}")
    entry = read_config(path).policies
    assert entry is not None
    assert {"kube-federation-scheduling-policy": "fleet", "shop": "namespace", "all": "fleet"} == entry.scopes


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("label: a/b=c", "label"),
        ("namespaces: [{name: shop, about: everything}]", "about"),
        ("namespaces: [{name: 'Shop/x'}]", "write the name of a namespace"),
        ("namespaces: [{name: shop}, {name: shop}]", "namespace shop is named twice"),
        ("namespaces: [{name: kube-federation-scheduling-policy}]", "is named twice"),
        ("listen: {address: '0.0.0.0:9103'}", "not on loopback: give a certificate with tls:"),
        ("listen: {address: 'x'}", "write HOST:PORT"),
    ],
)
def test_what_the_section_refuses(tmp_path, monkeypatch, text, sentence):
    """No label any more, no other scope, no namespace twice, no plain HTTP to others."""
    monkeypatch.setenv("T", "t")
    path = tmp_path / "replicator.yaml"
    path.write_text(f"policies: {{{TOKEN}, {text}}}")
    with pytest.raises(ConfigurationError, match=sentence):
        read_config(path)


SCOPES = {"all": "fleet", "more": "fleet", "shop": "namespace", "fleet": "namespace"}


def _texts(*places):
    return {place: PolicyText(place, "1") for place in places}


@pytest.mark.parametrize(
    ("newest", "in_force", "closed"),
    [
        ({}, (), {}),
        ({"all": [("all", "a")]}, (), {"*": ["all/a"]}),
        ({"all": [("all", "a"), ("all", "b")]}, (("all", "b"),), {}),
        ({"all": [("all", "a")], "more": [("more", "b")]}, (("more", "b"),), {}),
        ({"shop": [("shop", "a")], "all": [("all", "b")]}, (("all", "b"),), {"shop": ["shop/a"]}),
        ({"fleet": [("fleet", "a")]}, (), {"fleet": ["fleet/a"]}),
        ({"shop": None}, (), {"shop": ["shop"]}),
    ],
)
def test_about_what_nothing_can_be_decided(newest, in_force, closed):
    """Where there are policies and none is in force, or it is not known; a namespace is never the whole fleet."""
    known = {name: _texts(*newest.get(name, ())) if newest.get(name, ()) is not None else None for name in SCOPES}
    assert closed == list_closed_namespaces(SCOPES, known, _texts(*in_force))
