"""The types of all targets that are rendered for, served by an API server of tests."""

from typing import Any, Final

from tests.k8s.control_plane import ControlPlane
from tests.k8s.definitions import define_type, of_modules, structural

__all__ = ["define_targets"]

# KubeFleet, whose module cannot be had: of its own definitions (config/crd/bases at e160c1cdfdd9) what a
# renderer can write, with their bounds, defaults and rules.
_API: Final = "placement.kubernetes-fleet.io/v1beta1"
_TEXT: Final = {"type": "string"}
_FIELDS: Final = ("group", "version", "kind", "name")
_SCOPES: Final = ("NamespaceOnly", "NamespaceWithResources", "NamespaceWithResourceSelectors")
_SELECTOR: Final = {
    "type": "object",
    "properties": {
        **dict.fromkeys(_FIELDS, _TEXT),
        "selectionScope": {**_TEXT, "enum": list(_SCOPES), "default": "NamespaceWithResources"},
    },
    "required": list(_FIELDS[:3]),
}
_POLICY: Final = {
    "placementType": {**_TEXT, "enum": ["PickAll", "PickN", "PickFixed"], "default": "PickAll"},
    "clusterNames": {"type": "array", "items": _TEXT, "maxItems": 100},
}
_IMMUTABLE: Final = [{"rule": "self.placementType == oldSelf.placementType", "message": "placement type is immutable"}]
_KEPT: Final = [{"rule": "!(has(oldSelf.policy) && !has(self.policy))", "message": "policy cannot be removed once set"}]
_SPEC: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["resourceSelectors"],
    "properties": {
        "resourceSelectors": {"type": "array", "items": _SELECTOR, "minItems": 1, "maxItems": 100},
        "policy": {"type": "object", "properties": _POLICY, "x-kubernetes-validations": _IMMUTABLE},
        "revisionHistoryLimit": {"type": "integer", "default": 10, "minimum": 1, "maximum": 1000},
        "statusReportingScope": {**_TEXT, "default": "ClusterScopeOnly"},
    },
    "x-kubernetes-validations": _KEPT,
}


def define_targets(control_plane: ControlPlane) -> None:
    """Have the API server serve the types of Karmada, OCM, SIG-Multicluster and KubeFleet."""
    for definition in of_modules():
        define_type(control_plane, definition)
    define_type(control_plane, structural(_API, "ResourcePlacement", _SPEC, namespaced=True))
    define_type(control_plane, structural(_API, "ClusterResourcePlacement", _SPEC, namespaced=False))
