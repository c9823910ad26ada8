"""Policies from the ConfigMaps of a real API server, in a real OPA, by ``warden replicate``."""

import json
from functools import partial
from typing import Any

import pytest
import yaml

from tests.fixtures.conditions import eventually
from warden.bundle.build import build_bundle
from warden.bundle.contents import Policies
from warden.errors import OpaError
from warden.opa.local import LocalOpa
from warden.replicate.config import read_config
from warden.replicate.replicator import Replicator
from warden.resources import share

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

LABEL = "openpolicyagent.org/policy"
STATUS = "openpolicyagent.org/policy-status"
THING = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a", "namespace": "b"}}
HEAD = "package site.placement\n\n"
SETTINGS = "rules: {KFK-PLC-003: {params: {policiesFrom: configMaps}}}"


def _warning(text: str, package: str = "site.placement") -> str:
    return f'package {package}\n\nwarnings contains "{text}"\n'


class Maps:
    """The ConfigMaps of a test, and what OPA decides with them."""

    def __init__(self, control_plane, opa, namespace, other, replicator):
        self.plane, self.opa, self.namespace, self.other = control_plane, opa, namespace, other
        self.replicator = replicator

    def path(self, name="", namespace=None):
        return f"/api/v1/namespaces/{namespace or self.namespace}/configmaps/{name}".rstrip("/")

    def write(self, name, data=None, namespace=None, labels=None, **more):
        thing = {"metadata": {"name": name, "labels": labels or {}}, "data": data or {}, **more}
        there = any(
            item["metadata"]["name"] == name for item in self.plane.api("GET", self.path("", namespace))["items"]
        )
        method, path = ("PUT", self.path(name, namespace)) if there else ("POST", self.path("", namespace))
        self.plane.api(method, path, thing)

    def delete(self, name, namespace=None):
        self.plane.api("DELETE", self.path(name, namespace))

    def status(self, name, namespace=None) -> dict[str, Any]:
        annotations = self.plane.api("GET", self.path(name, namespace))["metadata"].get("annotations") or {}
        return dict(json.loads(annotations.get(STATUS, "{}")))

    def says_ok(self, name: str) -> bool:
        return self.status(name) == {"status": "ok"}

    def answer(self) -> dict[str, Any]:
        with self.opa.client() as client:
            return dict(client.evaluate("io/k8s/federation/admission", THING))

    def warns(self, *texts: str) -> None:
        def same() -> bool:
            try:
                return self.answer() == {"annotations": {}, **({"warnings": sorted(texts)} if texts else {})}
            except OpaError:
                return False

        eventually(same, f"OPA warns of {texts}")

    def refuses(self, name: str, *parts: str) -> None:
        def said() -> bool:
            status = self.status(name)
            return status.get("status") == "error" and all(part in status["error"] for part in parts)

        eventually(said, f"the status of {name} says {parts}")


@pytest.fixture(scope="module")
def site_opa(opa_binary, tmp_path_factory):
    """An OPA with the bundle of placement, which expects policies of ConfigMaps."""
    directory = tmp_path_factory.mktemp("site")
    (directory / "settings.yaml").write_text(SETTINGS, encoding="utf-8")
    part = Policies(share("policies"), "placement")
    bundle = build_bundle(directory / "b.tar.gz", settings=directory / "settings.yaml", policies=part, opa=opa_binary)
    with LocalOpa(bundle) as running:
        yield running


@pytest.fixture
def configuration(control_plane, site_opa, namespace, tmp_path):
    """A configuration file, and its document."""
    token = tmp_path / "token"
    token.write_text(site_opa.tokens.policies, encoding="utf-8")
    kubeconfig = control_plane.kubeconfig("policies", {"token": control_plane.admin_token})
    here, other = namespace("policies"), namespace("other")
    entry = {"kubeconfig": str(kubeconfig), "namespace": here, "token": {"file": str(token)}}
    path = tmp_path / "replicator.yaml"
    path.write_text(yaml.safe_dump({"opa": {"url": site_opa.url}, "policies": entry}), encoding="utf-8")
    return path, here, other


@pytest.fixture
def maps(control_plane, site_opa, configuration):
    """ConfigMaps that a replicator follows; OPA has none before."""
    path, here, other = configuration
    site_opa.restart(timeout=120)
    replicator = Replicator(read_config(path))
    maps = Maps(control_plane, site_opa, here, other, replicator)
    assert ["KFK-PLC-003: no policies of ConfigMaps are loaded"] == maps.answer()["errors"]
    replicator.start()
    yield maps
    replicator.stop()


def test_from_the_first_to_the_last(maps):
    """Added, changed, two keys, a key dropped, data, deleted: decisions follow, and each ConfigMap says ok."""
    maps.warns()
    maps.write("first", {"a.rego": _warning("one")})
    maps.warns("one")
    maps.write("first", {"a.rego": _warning("two"), "b.rego": _warning("three", "site.placement.team")})
    maps.warns("two", "three")
    eventually(lambda: maps.status("first") == {"status": "ok"}, "the ConfigMap says ok")
    text = "package site.placement\n\nwarnings contains data.site.configmaps[_].first.limits.text\n"
    maps.write("first", {"a.rego": text, "limits.yaml": "text: four\n"})
    maps.warns("four")
    # The policies' namespace is deleted; nobody finishes namespaces here, so that what is in it is deleted by hand.
    maps.plane.api("DELETE", f"/api/v1/namespaces/{maps.namespace}")
    maps.plane.api("DELETE", maps.path())
    maps.warns()


def test_what_does_not_compile_changes_nothing(maps):
    """The last good set stays; the status has key, line and column; others wait until it is mended."""
    maps.write("good", {"a.rego": _warning("one")})
    maps.warns("one")
    maps.write("bad", {"a.rego": "package site.placement.bad\n\nwarnings contains x if y\n"})
    maps.refuses("bad", "a.rego:3:", "rego_unsafe_var_error")
    maps.write("good", {"a.rego": _warning("two")})
    maps.refuses("good", "not loaded", "/bad")
    maps.warns("one")
    maps.write("bad", {"a.rego": _warning("three", "site.placement.bad")})
    maps.warns("two", "three")


def test_a_label_elsewhere(maps):
    """Elsewhere a ConfigMap counts with the label, and no longer when it is taken away."""
    maps.write("there", {"a.rego": _warning("there")}, namespace=maps.other)
    maps.write("here", {"a.rego": _warning("here", "site.placement.here")})
    maps.warns("here")
    maps.write("there", {"a.rego": _warning("there")}, namespace=maps.other, labels={LABEL: "rego"})
    maps.warns("here", "there")
    maps.write("there", {"a.rego": _warning("there")}, namespace=maps.other)
    maps.warns("here")


def test_opa_is_restarted(maps):
    """All is there again, and what was edited while OPA was away as it is then."""
    maps.write("first", {"a.rego": _warning("one"), "b.json": '{"x": 1}'})
    maps.write("second", {"a.rego": _warning("two", "site.placement.second")})
    maps.warns("one", "two")
    maps.opa._end()
    maps.write("first", {"a.rego": _warning("edited"), "b.json": '{"x": 1}'})
    maps.opa.restart(timeout=120)
    maps.warns("edited", "two")


def test_no_keys_large_ones_and_binary_ones(maps):
    """What is empty or large is as good as any other; what is binary is refused, as is what no etcd takes."""
    maps.write("empty")
    maps.write("large", {"a.rego": _warning("large"), "b.json": json.dumps({"text": "x" * 1_000_000})})
    maps.warns("large")
    for name in ("empty", "large"):
        eventually(partial(maps.says_ok, name), f"{name} says ok")
    with pytest.raises(AssertionError, match="Too long"):
        maps.write("larger", {"b.json": "x" * 1_048_577})
    maps.write("binary", binaryData={"a.rego": "cGFja2FnZQ=="})
    maps.refuses("binary", "a.rego: binaryData is not read: write it under data")
    maps.warns("large")


def test_a_replicator_takes_away_what_went_meanwhile(maps, configuration):
    """One that starts finds what an earlier one has left in OPA."""
    maps.write("first", {"a.rego": _warning("one")})
    maps.write("second", {"a.rego": _warning("two", "site.placement.second")})
    maps.warns("one", "two")
    maps.replicator.stop()
    maps.delete("first")
    later = Replicator(read_config(configuration[0]))
    later.start()
    try:
        maps.warns("two")
    finally:
        later.stop()


def test_functions_that_move_together(maps):
    """A set whose policies need each other is loaded in whatever order it takes."""
    use = "package site.placement\n\nimport data.site.placement.z\n\nwarnings contains z.{0}(1)\n"
    function = 'package site.placement.z\n\n{0}(_) := "{0}"\n'
    maps.write("both", {"a.rego": use.format("f"), "z.rego": function.format("f")})
    maps.warns("f")
    maps.write("both", {"a.rego": use.format("g"), "z.rego": function.format("g")})
    maps.warns("g")


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        ({"a.rego": f"{HEAD}warnings[x] {{ x := 1 }}\n"}, ["a.rego:3:", "opa fmt --write --v0-v1 a.rego"]),
        ({"a.rego": f"{HEAD}warnings contains http.send({{}}).x\n"}, ["a.rego:3:", "not for policies"]),
        ({"a.rego": f"{HEAD}warnings contains opa.runtime().env.X\n"}, ["a.rego:3:", "not for policies"]),
        ({"a.rego": "package site.rules.a\n"}, ["a.rego: package site.rules.a is not for ConfigMaps"]),
        ({"a.rego": "package system.authz\n"}, ["a.rego: package system.authz is not for ConfigMaps"]),
        ({"a.rego": f"{HEAD}p if q\n\nq if p\n"}, ["a.rego:3:", "rego_recursion_error"]),
        ({"a.rego": f"{HEAD}default x := 1\n", "b.rego": f"{HEAD}default x := 2\n"}, ["multiple default rules"]),
        ({"a.json": "{"}, ["a.json:1:2: not JSON"]),
        ({"a.yaml": "a: 1\na: 2\n"}, ["a.yaml:2"]),
        ({"a.yaml": "a: 1\n", "a.json": "{}"}, ["another key is a too"]),
        ({"README": "x"}, ["README: ends in none of"]),
    ],
)
def test_what_is_refused(maps, data, parts):
    """Each with its sentence; OPA goes on with what it has."""
    maps.write("good", {"a.rego": _warning("one", "site.placement.good")})
    maps.warns("one")
    maps.write("bad", data)
    maps.refuses("bad", *parts)
    maps.warns("one")
