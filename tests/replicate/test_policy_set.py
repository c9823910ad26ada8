"""Policies of ConfigMaps as one set, and the steps by which OPA is brought to it."""

from typing import Any, cast

import pytest

from warden.errors import ConfigurationError, OpaRefused, OpaUndefined
from warden.opa.client import OpaClient
from warden.replicate.config import read_config
from warden.replicate.policies.policy_set import PolicySet, policy_id, read_set
from warden.replicate.policies.site import Site

PLACE = ("ns", "a")


def _thing(name: str = "a", data: Any = None, **more: Any) -> dict[str, Any]:
    return {"metadata": {"namespace": "ns", "name": name}, "data": data, **more}


def test_policies_and_data():
    """Rego by id, documents by namespace, name and key without its ending; what Kubernetes puts there is none."""
    found = read_set(
        [
            _thing(data={"a.rego": "package site.placement", "b.json": '{"x": 1}', "c.d.yaml": "- 1"}),
            _thing("empty"),
            _thing("kube-root-ca.crt", {"ca.crt": "x"}),
        ]
    )

    assert {"configmaps/ns/a/a.rego": "package site.placement"} == found.modules
    assert {"ns": {"a": {"b": {"x": 1}, "c.d": [1]}}} == found.data
    assert {PLACE, ("ns", "empty")} == set(found.places)
    assert {} == found.problems


@pytest.mark.parametrize(
    ("data", "more", "sentence"),
    [
        ({"a.json": "{"}, {}, "a.json:1:2: not JSON"),
        ({"a.json": "NaN"}, {}, "a.json:1:1: not JSON: NaN is no number of JSON"),
        ({"a.json": "[" * 100_000}, {}, "a.json: nested too deeply"),
        ({"a.yaml": "a: 1\na: 2"}, {}, "a.yaml:2"),
        ({"a.yaml": "1\n---\n2"}, {}, "a.yaml: 2 documents: write one"),
        ({"a.json": "1", "a.yaml": "1"}, {}, "a.yaml: another key is a too"),
        ({"rules": "x"}, {}, "rules: ends in none of .rego, .json and .yaml"),
        (None, {"binaryData": {"a.rego": "eA=="}}, "a.rego: binaryData is not read"),
    ],
)
def test_keys_that_are_refused(data, more, sentence):
    """The sentence begins with the key."""
    assert read_set([_thing(data=data, **more)]).problems[PLACE][0].startswith(sentence)


class _Opa:
    """The writes that an OPA gets; `needs` says which module refuses to compile without which text elsewhere."""

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}
        self.modules: dict[str, str] = {}
        self.log: list[tuple[str, ...]] = []
        self.broken: str | None = None

    def get_data(self, path):
        if path[-1] not in self.data:
            raise OpaUndefined("nothing")
        return self.data[path[-1]]

    def put_data(self, path, document):
        self.log.append(("data", path[-1], str(document.get("complete", ""))))
        self.data[path[-1]] = document

    def put_policy(self, id, source):
        if source == self.broken or ("needs z" in source and not any(key.endswith("z.rego") for key in self.modules)):
            raise OpaRefused("does not compile", code="invalid_parameter")
        self.log.append(("put", id))
        self.modules[id] = source

    def delete_policy(self, id):
        self.log.append(("delete", id))
        if self.modules.pop(id, None) is None:
            raise OpaUndefined("no such policy")


def _site(opa: _Opa) -> Site:
    return Site(cast("OpaClient", opa))


def _set(**modules: str) -> PolicySet:
    return PolicySet(modules={policy_id(PLACE, f"{name}.rego"): source for name, source in modules.items()})


def test_one_policy_is_one_write_that_nothing_waits_for():
    """OPA denies only while it has a part of a set."""
    opa = _Opa()
    site = _site(opa)
    site.bring(_set(a="1", b="1"))
    opa.log.clear()

    assert 1 == site.bring(_set(a="2", b="1"))
    assert 0 == site.bring(_set(a="2", b="1"))

    assert [("data", "loaded", "True"), ("put", "configmaps/ns/a/a.rego"), ("data", "loaded", "True")] == opa.log


def test_several_are_loaded_while_opa_denies():
    """From the first to the last; one that needs another waits for it; what is gone goes."""
    opa = _Opa()
    site = _site(opa)
    site.bring(_set(old="1"))
    opa.log.clear()

    site.bring(_set(a="needs z", z="1"))

    assert ("data", "loaded", "False") == opa.log[0]
    assert ("data", "loaded", "True") == opa.log[-1]
    assert ["False", "True"] == [entry[2] for entry in opa.log if entry[1] == "loaded"]
    assert {"configmaps/ns/a/a.rego", "configmaps/ns/a/z.rego"} == opa.modules.keys()


def test_what_an_earlier_one_left_half_done_is_finished():
    """The marker names all that may be there, so that nothing stays for good."""
    opa = _Opa()
    opa.broken = "2"
    site = _site(opa)
    site.bring(_set(a="1"))
    with pytest.raises(OpaRefused):
        site.bring(_set(b="2", c="3"))
    assert opa.data["loaded"]["complete"] is False

    _site(opa).bring(_set(a="1"))

    assert {"configmaps/ns/a/a.rego": "1"} == opa.modules
    assert opa.data["loaded"]["complete"] is True


def test_an_opa_without_any_denies_until_some_are_good():
    """Whatever it had before stays."""
    opa = _Opa()
    _site(opa).close_down()
    assert opa.data["loaded"]["complete"] is False

    _site(opa).bring(_set(a="1"))
    _site(opa).close_down()
    assert opa.data["loaded"]["complete"] is True


def test_the_section_of_the_file(tmp_path):
    """It may stand alone; a label that is none is refused."""
    path = tmp_path / "replicator.yaml"
    path.write_text("policies: {label: a/b=c}")
    entry = read_config(path).policies
    assert entry is not None
    assert ("kube-federation-scheduling-policy", "a/b=c") == (entry.namespace, entry.label)

    path.write_text("policies: {label: a b, wait: 1}")
    with pytest.raises(ConfigurationError, match="label: 'a b' is not valid: write a label such as a/b=c") as refused:
        read_config(path)
    assert "wait" in str(refused.value)
