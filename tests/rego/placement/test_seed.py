"""The example of the design over HTTP: its own request gets its own answer."""

import json

import pytest

from warden.policy.contract.annotations import apply_response

pytestmark = pytest.mark.opa

ADMISSION = "io/k8s/federation/admission"
PREFERENCES = "federation.kubernetes.io/replica-set-preferences"


def _asking_for(seed, names):
    """The design's object with preferences of its developer."""
    thing = json.loads(json.dumps(seed["query"]["input"]))
    thing["metadata"]["annotations"][PREFERENCES] = json.dumps({"clusters": {name: {"weight": 1} for name in names}})
    return thing


def test_the_query_of_the_design_gets_the_response_of_the_design(client, seed):
    """Byte for byte what the design shows, as parsed JSON: no field more, none less."""
    body = json.dumps(seed["query"]).encode()

    answer = json.loads(client.post_raw(ADMISSION, body))

    assert seed["response"]["result"] == answer["result"]


def test_the_conflict_of_the_design(client, seed):
    """A cluster that policy does not allow gives the design's error; the annotation is the intersection."""
    answer = client.evaluate(ADMISSION, _asking_for(seed, ["gce-europe-west1", "gce-us-central1"]))

    assert {
        "errors": ["requested replica-set-preferences includes invalid clusters"],
        "annotations": {PREFERENCES: {"clusters": {"gce-europe-west1": {"weight": 1}}, "rebalance": False}},
    } == answer


def test_the_answer_is_apply_response(client, seed):
    """The annotation is written as compact JSON beside those that are there; an error denies and changes nothing."""
    thing = seed["query"]["input"]
    existing = thing["metadata"]["annotations"]
    admitted = apply_response(existing, client.evaluate(ADMISSION, thing))
    invalid = _asking_for(seed, ["gce-us-central1", "gce-europe-west1"])
    denied = apply_response(existing, client.evaluate(ADMISSION, invalid))
    text = '{"clusters":{"gce-europe-west1":{"weight":1},"gce-europe-west2":{"weight":1}},"rebalance":true}'

    assert (None, {**existing, PREFERENCES: text}) == (admitted.denial, admitted.values)
    assert ("requested replica-set-preferences includes invalid clusters", existing) == (denied.denial, denied.values)


def test_admitting_again_changes_nothing(client, seed):
    """A webhook can be called again for what it has answered itself."""
    thing = seed["query"]["input"]
    once = apply_response(thing["metadata"]["annotations"], client.evaluate(ADMISSION, thing)).values
    again = {**thing, "metadata": {**thing["metadata"], "annotations": once}}

    assert once == apply_response(once, client.evaluate(ADMISSION, again)).values


def test_a_batch_of_objects(client, seed):
    """All objects in one request, under their keys, for a scan; what cannot be read has an error and no patch."""
    thing = seed["query"]["input"]
    answers = client.evaluate("io/k8s/federation/remediations", {"items": {"a": {"object": thing}, "b": {"object": 7}}})

    preferences = seed["response"]["result"]["annotations"]
    text = json.dumps(preferences[PREFERENCES], separators=(",", ":"), sort_keys=True)
    unchanged = {"resourceVersion": "364993", "uid": thing["metadata"]["uid"]}
    patch = {"metadata": {"annotations": {PREFERENCES: text}, **unchanged}}
    assert {
        "a": {
            "annotations": preferences,
            "patch": patch,
            "errors": [],
            "warnings": [],
            "needs": [["jurisdiction", "eu"], ["pciLevel", 2]],
        },
        "b": {
            "annotations": {},
            "patch": None,
            "errors": ["object: the input is not a Kubernetes object: send it as JSON"],
            "warnings": [],
            "needs": [],
        },
    } == answers


@pytest.mark.parametrize("target", ["annotation", "karmada", "ocm", "kubefleet", "placementdecision"])
def test_every_target_has_the_same_clusters(client, seed, target):
    """Whatever carries the placement out, it names the two clusters of the design and no other."""
    answer = client.evaluate("io/k8s/federation/render/rendered", {"object": seed["query"]["input"], "target": target})
    text = json.dumps([answer["manifests"], answer["annotations"]])

    assert [] == answer["errors"]
    assert ["gce-europe-west1", "gce-europe-west2"] == [name for name in sorted(seed["clusters"]) if name in text]
