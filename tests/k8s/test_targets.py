"""What the renderers write is taken by a real API server with strict validation, by the targets' own definitions."""

import json

import pytest

from tests.k8s.definitions import apply_strictly
from tests.k8s.remediation.remediators import CLUSTERS, PREFERENCES, SEED

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

DEMANDS = "policy.federation.alpha.kubernetes.io/"


@pytest.fixture
def render(opa, replicator):
    """Renders an object for a target; OPA has the clusters of the design's example."""
    replicator.put_data(["kubernetes"], {"clusters": CLUSTERS})

    def rendered(thing, target):
        with opa.build_client() as client:
            found = client.evaluate("io/k8s/federation/render/rendered", {"object": thing, "target": target})
        assert [] == found["errors"]
        return found

    return rendered


def _things(namespace):
    """The design's example; one that says all there is to say, with the longest name; and one of no namespace."""
    design = json.loads((SEED / "query.json").read_bytes())["input"]
    design = {**design, "apiVersion": "apps/v1", "metadata": {**design["metadata"], "namespace": namespace}}
    wishes = {"gce-europe-west1": {"weight": 3, "minReplicas": 1, "maxReplicas": 5}, "gce-europe-west2": {"weight": 0}}
    tolerations = [
        {"key": "a", "operator": "Exists", "effect": "NoSchedule"},
        {"key": "b", "operator": "Equal", "value": "c", "effect": "NoExecute", "tolerationSeconds": 9},
    ]
    everything = {
        f"{DEMANDS}eu-jurisdiction-required": "true",
        f"{DEMANDS}tolerations": json.dumps(tolerations),
        f"{DEMANDS}spread": json.dumps([{"by": "region", "min": 1, "max": 2}, {"by": "zone", "min": 2}]),
        PREFERENCES: json.dumps({"rebalance": False, "clusters": wishes}),
    }
    whole = {**design, "metadata": {"name": "n" * 253, "namespace": namespace, "annotations": everything}}
    nowhere = {**design, "metadata": {"name": "plain", "annotations": design["metadata"]["annotations"]}}
    return {"the design's": design, "everything": whole, "no namespace": nowhere}


@pytest.mark.parametrize("target", ["karmada", "ocm", "kubefleet", "placementdecision"])
@pytest.mark.parametrize("which", ["the design's", "everything", "no namespace"])
def test_taken_as_it_is(targets, render, namespace, target, which):
    """Nothing is refused and nothing is dropped; a type that lies in a namespace needs one, as a warning says."""
    thing = _things(namespace("targets"))[which]
    found = render(thing, target)
    assert found["manifests"]
    if which == "no namespace" and target in ("ocm", "placementdecision"):
        assert any("give it one" in warning for warning in found["warnings"])
        return
    for manifest in found["manifests"]:
        stored = apply_strictly(targets, manifest)
        assert _holds(stored, manifest), (stored, manifest)


def test_the_annotation_is_taken(control_plane, render, namespace):
    """As the API server has annotations: as text."""
    thing = _things(namespace("annotated"))["the design's"]
    annotations = render(thing, "annotation")["annotations"]
    texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in annotations.items()}
    metadata = {"name": "a", "namespace": thing["metadata"]["namespace"], "annotations": texts}

    stored = apply_strictly(control_plane, {**thing, "metadata": metadata})

    assert texts == stored["metadata"]["annotations"]


def test_a_field_that_is_not_there_is_refused(targets, render, namespace):
    """The definitions are strict ones: the tests above can fail."""
    thing = _things(namespace("strict"))["the design's"]
    for target in ("karmada", "ocm", "kubefleet", "placementdecision"):
        manifest = render(thing, target)["manifests"][0]
        place = manifest["decisions"][0] if target == "placementdecision" else manifest["spec"]
        place["bogus"] = 1
        with pytest.raises(AssertionError, match=r"strict decoding error: unknown field .*bogus"):
            apply_strictly(targets, manifest)


def _holds(stored, sent):
    """Whether everything that was sent is stored; the API server may add what it has by default."""
    if isinstance(sent, dict):
        return isinstance(stored, dict) and all(key in stored and _holds(stored[key], sent[key]) for key in sent)
    if isinstance(sent, list):
        return isinstance(stored, list) and len(stored) == len(sent) and all(map(_holds, stored, sent))
    return stored == sent
