"""CustomResourceDefinitions for tests: published ones from Go modules, and structural ones of ours."""

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import yaml

from tests.fixtures.conditions import eventually
from tests.k8s.control_plane import ControlPlane
from tools.toolchain.golang import copy_module_files
from warden.base.toolchain.cache import Cache

__all__ = ["KARMADA", "apply_strictly", "define_type", "of_modules", "resource_path", "structural", "wait_until_served"]

_DEFINITIONS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
KARMADA: Final = ("github.com/karmada-io/karmada@v1.16.0", "h1:RD58HD7xp0+FKDWkJRygBsN/ht3k7gbBZa0xBzWSio4=")
"""Karmada's module and its checksum."""

_KARMADA: Final = "charts/karmada/_crds/bases/"
_MODULES: Final = {
    KARMADA[0]: (
        KARMADA[1],
        (
            f"{_KARMADA}policy/policy.karmada.io_propagationpolicies.yaml",
            f"{_KARMADA}policy/policy.karmada.io_clusterpropagationpolicies.yaml",
            f"{_KARMADA}apps/apps.karmada.io_workloadrebalancers.yaml",
        ),
    ),
    "open-cluster-management.io/api@v1.3.0": (
        "h1:Q3miH38BE3N5+PesHQ0kcFi5nhX5350m7OJWapZcVqY=",
        ("cluster/v1beta1/0000_02_clusters.open-cluster-management.io_placements.crd.yaml",),
    ),
    "sigs.k8s.io/cluster-inventory-api@v0.1.2": (
        "h1:rH8Xh6NW5u0WXarjDJeYLSrCLQkwJnSUnyb74eyAXFY=",
        ("config/crd/bases/multicluster.x-k8s.io_placementdecisions.yaml",),
    ),
}


def of_modules() -> Iterator[dict[str, Any]]:
    """Yield those of Karmada, Open Cluster Management and SIG-Multicluster's cluster inventory.

    Raises:
        ToolchainError: Go cannot be had, or not the modules.
    """
    for module, (checksum, files) in _MODULES.items():
        fill = partial(copy_module_files, module, checksum, files)
        directory = Cache.from_environment(os.environ).obtain(module.replace("/", "-").replace("@", "-"), fill)
        for file in files:
            yield yaml.safe_load((directory / Path(file).name).read_bytes())


def structural(api_version: str, kind: str, spec: dict[str, Any], *, namespaced: bool) -> dict[str, Any]:
    """Return a definition whose objects have a spec of a schema, and nothing besides."""
    group, version = api_version.split("/")
    singular = kind.lower()
    plural = f"{singular[:-1]}ies" if singular.endswith("y") else f"{singular}s"
    schema = {"type": "object", "required": ["spec"], "properties": {"spec": spec}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced" if namespaced else "Cluster",
            "names": {"plural": plural, "singular": singular, "kind": kind, "listKind": f"{kind}List"},
            "versions": [
                {"name": version, "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}},
            ],
        },
    }


def define_type(control_plane: ControlPlane, definition: dict[str, Any]) -> None:
    """Have the API server serve a type."""
    if "api-approved.kubernetes.io" not in definition["metadata"].get("annotations", {}):
        definition["metadata"].setdefault("annotations", {})["api-approved.kubernetes.io"] = "unapproved, for tests"
    control_plane.api("POST", _DEFINITIONS, definition)
    spec = definition["spec"]
    wait_until_served(control_plane, f"/apis/{spec['group']}/{spec['versions'][0]['name']}/{spec['names']['plural']}")


def wait_until_served(control_plane: ControlPlane, path: str) -> None:
    """Return once the API server serves the objects of a type, whose path that is."""

    def served() -> bool:
        with suppress(AssertionError):
            return bool(control_plane.api("GET", path))
        return False

    eventually(served, f"{path} is served")


def resource_path(control_plane: ControlPlane, manifest: dict[str, Any]) -> str:
    """Return where objects of a manifest's type and namespace are, as the API server's discovery has it."""
    group = manifest["apiVersion"]
    base = f"/apis/{group}" if "/" in group else f"/api/{group}"
    types = {one["kind"]: one for one in control_plane.api("GET", base)["resources"] if "/" not in one["name"]}
    found = types[manifest["kind"]]
    within = f"namespaces/{manifest['metadata']['namespace']}/" if found["namespaced"] else ""
    return f"{base}/{within}{found['name']}"


def apply_strictly(control_plane: ControlPlane, manifest: dict[str, Any]) -> dict[str, Any]:
    """Create an object with strict field validation and return it as it is stored."""
    return control_plane.api("POST", f"{resource_path(control_plane, manifest)}?fieldValidation=Strict", manifest)
