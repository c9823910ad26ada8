"""What the renderers write is taken by a real API server with strict validation, by the targets' own definitions."""

import json
from typing import Any

import pytest

from tests.k8s.definitions import apply_strictly, define_type, of_modules, structural
from tests.k8s.remediators import CLUSTERS, PREFERENCES, SEED

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

DEMANDS = "policy.federation.alpha.kubernetes.io/"
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}


def _object(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **({"required": list(required)} if required else {})}


def _list(item: dict[str, Any], **bounds: int) -> dict[str, Any]:
    return {"type": "array", "items": item, **bounds}


def _number(minimum: int) -> dict[str, Any]:
    return {"type": "integer", "format": "int64", "minimum": minimum}


def _enum(*values: str) -> dict[str, Any]:
    return {**_TEXT, "enum": list(values)}


# The documented fields that a renderer can write, and their bounds (policy.karmada.io/v1alpha1).
_REFERENCE = _object("apiVersion", "kind", apiVersion=_TEXT, kind=_TEXT, name=_TEXT, namespace=_TEXT)
_NAMES = _object(clusterNames=_TEXTS, exclude=_TEXTS)
_TOLERATION = _object(
    key=_TEXT, operator=_TEXT, value=_TEXT, effect=_TEXT, tolerationSeconds={"type": "integer", "format": "int64"}
)
_KARMADA = _object(
    "resourceSelectors",
    resourceSelectors=_list(_REFERENCE),
    placement=_object(
        clusterAffinity=_NAMES,
        clusterTolerations=_list(_TOLERATION),
        spreadConstraints=_list(
            _object(
                spreadByField=_enum("cluster", "region", "zone", "provider"),
                spreadByLabel=_TEXT,
                minGroups=_number(0),
                maxGroups=_number(0),
            )
        ),
        replicaScheduling=_object(
            replicaSchedulingType=_enum("Duplicated", "Divided"),
            replicaDivisionPreference=_enum("Aggregated", "Weighted"),
            weightPreference=_object(
                staticWeightList=_list(_object("targetCluster", "weight", targetCluster=_NAMES, weight=_number(1))),
                dynamicWeight=_enum("AvailableReplicas"),
            ),
        ),
    ),
)
_REBALANCER = _object(
    "workloads",
    workloads=_list(_object("apiVersion", "kind", "name", apiVersion=_TEXT, kind=_TEXT, name=_TEXT, namespace=_TEXT)),
    ttlSecondsAfterFinished=_number(0),
)
# placement.kubernetes-fleet.io/v1beta1
_FLEET = _object(
    "resourceSelectors",
    resourceSelectors=_list(
        _object("group", "version", "kind", group=_TEXT, version=_TEXT, kind=_TEXT, name=_TEXT),
        minItems=1,
        maxItems=100,
    ),
    policy=_object(placementType=_enum("PickAll", "PickN", "PickFixed"), clusterNames={**_TEXTS, "maxItems": 100}),
)
_OURS = [
    ("policy.karmada.io/v1alpha1", "PropagationPolicy", _KARMADA, True),
    ("policy.karmada.io/v1alpha1", "ClusterPropagationPolicy", _KARMADA, False),
    ("apps.karmada.io/v1alpha1", "WorkloadRebalancer", _REBALANCER, False),
    ("placement.kubernetes-fleet.io/v1beta1", "ResourcePlacement", _FLEET, True),
    ("placement.kubernetes-fleet.io/v1beta1", "ClusterResourcePlacement", _FLEET, False),
]


@pytest.fixture(scope="module")
def targets(control_plane):
    """An API server with the types of all targets."""
    for definition in of_modules():
        define_type(control_plane, definition)
    for api_version, kind, spec, namespaced in _OURS:
        define_type(control_plane, structural(api_version, kind, spec, namespaced=namespaced))
    return control_plane


@pytest.fixture
def render(opa, replicator):
    """Renders an object for a target; OPA has the clusters of the design's example."""
    replicator.put_data(["kubernetes"], {"clusters": CLUSTERS})

    def rendered(thing, target):
        with opa.client() as client:
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
