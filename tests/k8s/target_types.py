"""The types of all targets that are rendered for, served by an API server of tests."""

from typing import Any, Final

from tests.k8s.control_plane import ControlPlane
from tests.k8s.definitions import define_type, of_modules, structural

__all__ = ["define_targets"]

# KubeFleet, whose modules cannot be had: the documented fields that a renderer can write, and their bounds.
_API: Final = "placement.kubernetes-fleet.io/v1beta1"
_TEXT: Final = {"type": "string"}
_FIELDS: Final = ("group", "version", "kind", "name")
_SELECTOR: Final = {"type": "object", "properties": dict.fromkeys(_FIELDS, _TEXT), "required": list(_FIELDS[:3])}
_POLICY: Final = {
    "placementType": {**_TEXT, "enum": ["PickAll", "PickN", "PickFixed"]},
    "clusterNames": {"type": "array", "items": _TEXT, "maxItems": 100},
}
_SPEC: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["resourceSelectors"],
    "properties": {
        "resourceSelectors": {"type": "array", "items": _SELECTOR, "minItems": 1, "maxItems": 100},
        "policy": {"type": "object", "properties": _POLICY},
    },
}


def define_targets(control_plane: ControlPlane) -> None:
    """Have the API server serve the types of Karmada, OCM, SIG-Multicluster and KubeFleet."""
    for definition in of_modules():
        define_type(control_plane, definition)
    define_type(control_plane, structural(_API, "ResourcePlacement", _SPEC, namespaced=True))
    define_type(control_plane, structural(_API, "ClusterResourcePlacement", _SPEC, namespaced=False))
