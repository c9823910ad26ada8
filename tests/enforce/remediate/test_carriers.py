"""The carriers of a target, against what policy wants there: without any server."""

import json
from typing import get_args

import pytest

from warden.base.errors import InputError
from warden.enforce.remediate.carriers import CarrierIndex, is_same_spec, list_carriers
from warden.enforce.remediate.config import PlacementTarget
from warden.enforce.remediate.patching import build_replacement
from warden.enforce.remediate.remediation import Remediation, parse_manifest
from warden.enforce.remediate.undo_record import UndoRecord, read_undo_entries
from warden.policy.bundle.catalog import read_catalog

WEB = ("deployments", "shop", "web")
PLACE = ("propagationpolicies", "shop", "web-deployment")
THING = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop", "uid": "u1"}}
LABELS = {"app.kubernetes.io/managed-by": "warden-remediator"}
OWNER = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web", "uid": "u1"}


def _manifest(*clusters, **more):
    metadata = {"name": "web-deployment", "namespace": "shop", "labels": LABELS, "ownerReferences": [OWNER], **more}
    return {
        "apiVersion": "policy.karmada.io/v1alpha1",
        "kind": "PropagationPolicy",
        "metadata": metadata,
        "spec": {"placement": {"clusterAffinity": {"clusterNames": list(clusters)}}},
    }


def _stored(*clusters, version="1", **metadata):
    thing = _manifest(*clusters, resourceVersion=version, uid="p1", **metadata)
    return {**thing, "spec": {**thing["spec"], "priority": 0}}


def _wanted(*clusters):
    return Remediation(WEB, THING, None, {}, manifest=_manifest(*clusters))


@pytest.fixture
def carriers():
    """Nothing is there yet."""
    made = CarrierIndex()
    assert set() == made.load({"PropagationPolicy": "propagationpolicies"}, [])
    return made


def test_compared(carriers):
    """What is missing or differs is applied; what is as it should be, or is going, stays; another's is an error."""
    found = carriers.compare(_wanted("eu"))
    name = "PropagationPolicy/shop/web-deployment"
    assert (PLACE, {name: None}, [name]) == (found.carrier, found.before, list(found.after))
    assert _manifest("eu") == json.loads(found.after[name])

    carriers.follow({PLACE: _stored("us")})
    found = carriers.compare(_wanted("eu"))
    assert ("p1", _manifest("eu")) == (found.present["metadata"]["uid"], found.patch)
    assert ["us"] == json.loads(found.before[name])["spec"]["placement"]["clusterAffinity"]["clusterNames"]

    for stored in (_stored("eu", version="2"), _stored("us", version="3", deletionTimestamp="now")):
        carriers.follow({PLACE: stored})
        assert (None, {}) == (carriers.compare(_wanted("eu")).patch, carriers.compare(_wanted("eu")).after)

    carriers.follow({PLACE: _stored("us", version="4", labels={})})
    found = carriers.compare(_wanted("eu"))
    assert ("PropagationPolicy shop/web-deployment is there and was not made here: it stays as it is",) == found.errors
    assert found.patch is None


def test_what_is_nothing_of_a_target(carriers):
    """An error, or nothing to carry, stays what it is."""
    for one in (Remediation(WEB, THING, None, {}), Remediation(WEB, THING, None, {}, ("no",))):
        assert one == carriers.compare(one)


def test_about_which_objects_a_change_is(carriers):
    """About the one that was compared with it; our own change, what is nobody's, and what is gone, are about none."""
    carriers.compare(_wanted("eu"))
    assert {WEB} == carriers.follow({PLACE: _stored("us")})
    carriers.replace(PLACE, _stored("eu", version="2"), _manifest("eu"))
    other = ("propagationpolicies", "shop", "other")
    assert set() == carriers.follow({PLACE: _stored("eu", version="2"), other: _stored(version="3", name="other")})
    assert {WEB} == carriers.follow({PLACE: None})
    assert set() == carriers.follow({PLACE: _stored("us", version="3")}), "nothing says yet that it is to be"
    carriers.compare(_wanted("eu"))
    carriers.replace(PLACE, _stored("eu", version="4"), _manifest("eu"))
    assert {WEB} == carriers.load({"PropagationPolicy": "propagationpolicies"}, [])
    carriers.compare(_wanted("eu"))
    assert {WEB} == carriers.load({"PropagationPolicy": "propagationpolicies"}, [(PLACE, _stored(version="5"))])
    assert [True, False] == [carriers.is_carrier(key) for key in (PLACE, WEB)]


def test_what_a_target_has_for_an_object(carriers):
    """It is found by its owner, and only with our label."""
    assert carriers.find_carrier(THING) is None
    carriers.follow({PLACE: _stored("us", labels={})})
    assert carriers.find_carrier(THING) is None
    carriers.follow({PLACE: _stored("eu", version="2")})
    assert _stored("eu", version="2") == carriers.find_carrier(THING)
    carriers.follow({PLACE: None})
    assert carriers.find_carrier(THING) is None
    carriers.load({"PropagationPolicy": "propagationpolicies"}, [(PLACE, _stored("eu", version="3"))])
    assert _stored("eu", version="3") == carriers.find_carrier(THING)
    carriers.replace(PLACE, _stored("us", version="4"), _manifest("us"))
    assert _stored("us", version="4") == carriers.find_carrier(THING)


def test_another_owner(carriers):
    """What an object of the same name has left is made this one's."""
    carriers.follow({PLACE: _stored("eu", ownerReferences=[{**OWNER, "uid": "u0"}])})
    assert _manifest("eu") == carriers.compare(_wanted("eu")).patch


def test_what_the_api_server_makes_of_it_stays(carriers):
    """What is there after it was applied is not applied again, until either changes."""
    made = _stored("eu")
    made["spec"]["added"] = True
    carriers.follow({PLACE: made})
    assert carriers.compare(_wanted("eu")).patch is not None
    carriers.replace(PLACE, made, _manifest("eu"))
    assert carriers.compare(_wanted("eu")).patch is None
    assert carriers.compare(_wanted("us")).patch is not None
    other = _stored("eu", version="2")
    other["spec"]["added"] = "more"
    carriers.follow({PLACE: other})
    assert carriers.compare(_wanted("eu")).patch is not None


_SPREAD = {"placement": {"spreadConstraints": [{"spreadByField": "region"}]}}


@pytest.mark.parametrize(
    ("stored", "sent", "same"),
    [
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1}, {"a": 1, "b": []}, True),
        ({"a": 1, "b": {}, "c": None, "d": ""}, {"a": 1}, True),
        ({"a": 0}, {}, False),
        ({"a": [1, 2]}, {"a": [1]}, False),
        ({"a": 1}, {"a": [1]}, False),
        ({"a": {"b": 1}}, {"a": 1}, False),
        ({"a": {"b": 1}}, {"a": {}}, False),
        ({"priority": 0, "preemption": "Never"}, {}, True),
        ({"priority": 1}, {}, False),
        ({"placement": {"spreadConstraints": [{"spreadByField": "region", "minGroups": 1}]}}, _SPREAD, True),
        ({"placement": {"spreadConstraints": [{"spreadByField": "region", "minGroups": 2}]}}, _SPREAD, False),
        (None, {"a": 1}, False),
    ],
)
def test_specs(stored, sent, same):
    """What is there is what was sent, nothing less and nothing besides, but for what the target has by default."""
    assert is_same_spec({**_manifest(), "spec": stored}, {**_manifest(), "spec": sent}) is same


def test_defaults_of_kubefleet():
    """A mapping that is there besides is compared field by field."""
    row = {"apiVersion": "placement.kubernetes-fleet.io/v1beta1", "kind": "ResourcePlacement"}
    stored = {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%"}}}
    assert is_same_spec({"spec": stored}, {**row, "spec": {}})
    assert not is_same_spec({"spec": {"strategy": {"type": "External"}}}, {**row, "spec": {}})


def test_replaced_whole():
    """The patch takes away what a person added, and names the version; what is there as it should be stays."""
    person = {"clusterNames": ["us"], "exclude": ["eu"]}
    stored = _stored("us")
    stored["spec"] = {"placement": {"clusterAffinity": person}, "suspension": {"dispatching": True}}
    patch = build_replacement(stored, _manifest("eu"))
    assert ("1", "p1", LABELS) == tuple(patch["metadata"][name] for name in ("resourceVersion", "uid", "labels"))
    affinity = {"clusterNames": ["eu"], "exclude": None}
    assert {"placement": {"clusterAffinity": affinity}, "suspension": None} == patch["spec"]


def test_carriers_of_targets():
    """Those of the catalogue can be chosen, each with its kinds, and annotations, which have none."""
    kinds = {name: [one.kind for one in list_carriers(name)] for name in get_args(PlacementTarget)}
    assert {"annotation", *read_catalog("placement")["carriers"]} == kinds.keys()
    assert kinds == {
        "annotation": [],
        "karmada": ["PropagationPolicy", "ClusterPropagationPolicy"],
        "kubefleet": ["ResourcePlacement", "ClusterResourcePlacement"],
        "ocm": ["Placement"],
    }


@pytest.mark.parametrize(
    ("over", "sound"),
    [
        ({}, True),
        ({"manifest": None}, True),
        ({"manifest": _manifest("eu", namespace="pay")}, False),
        ({"manifest": _manifest("eu", ownerReferences=[{**OWNER, "uid": "u2"}])}, False),
        ({"manifest": _manifest("eu", labels={})}, False),
        ({"manifest": {**_manifest("eu"), "kind": None}}, False),
        ({"manifest": {**_manifest("eu"), "metadata": []}}, False),
        ({"manifest": 3}, False),
        ({"errors": ["no"], "manifest": None}, False),
    ],
)
def test_responses(over, sound):
    """A manifest is taken only for an object of the same namespace, which owns it; all else is an error."""
    answer = {"annotations": {}, "patch": None, "errors": [], "manifest": _manifest("eu"), **over}
    found = parse_manifest(WEB, THING, answer)
    assert (answer["manifest"] if sound else None) == found.manifest
    assert sound is (found.errors == ())


def test_a_record_of_a_target(tmp_path):
    """Its lines say so; one that says it otherwise is none of a record."""
    record = UndoRecord(tmp_path, "run")
    record.note("/apis/a", "u", {"a": None}, {"a": "{}"}, whole=True)
    assert [True] == [move.whole for move in read_undo_entries(record.path)]
    record.path.write_text(record.path.read_text(encoding="utf-8").replace("true", "1"), encoding="utf-8")
    with pytest.raises(InputError, match="not a line of an undo record"):
        read_undo_entries(record.path)
