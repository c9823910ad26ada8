"""What one ConfigMap says, and the section of the file that says where they are."""

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
from warden.state.replicate.policies.bundle import list_closed_namespaces

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


@pytest.mark.parametrize(
    ("data", "more", "sentence"),
    [
        ({"a.json": "{"}, {}, "a.json:1:2: not JSON"),
        ({"a.json": "NaN"}, {}, "a.json:1:1: not JSON (NaN is not a number of JSON, write one, or null)"),
        ({"a.json": "[" * 100_000}, {}, "a.json: nested too deeply"),
        ({"a.yaml": "a: 1\na: 2"}, {}, "a.yaml:2"),
        ({"a.yaml": "1\n---\n2"}, {}, "a.yaml: 2 documents: write one"),
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
