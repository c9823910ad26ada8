"""Resource types by discovery: the name of a kind in paths, and whether its objects are in namespaces."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from warden.base.did_you_mean import did_you_mean
from warden.base.errors import KubernetesError
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["ResourceType", "find_type", "guess_plural"]


@dataclass(frozen=True)
class ResourceType:
    """One resource type of one API server.

    Args:
        api_version: ``v1`` or ``group/version``.
        kind: As in ``ConfigMap``.
        plural: As in ``configmaps``.
        namespaced: Whether its objects are in namespaces.
    """

    api_version: str
    kind: str
    plural: str
    namespaced: bool

    def build_path(self, namespace: str | None = None) -> str:
        """Return the path of all its objects, or of those in one namespace."""
        below = f"/namespaces/{quote(namespace, safe='')}" if namespace else ""
        return f"{_build_group_path(self.api_version)}{below}/{self.plural}"

    def extract_object_key(self, obj: Mapping[str, Any]) -> tuple[str, ...]:
        """Return what an object is looked up by among those of its type: its namespace and name, or its name.

        Raises:
            KubernetesError: It has no name.
        """
        metadata = obj.get("metadata") or {}
        fields = ("namespace", "name") if self.namespaced else ("name",)
        values = tuple(str(metadata.get(field) or "") for field in fields)
        if "" in values:
            raise KubernetesError(f"an object of kind {self.kind} came without a name")
        return values

    def normalise(self, obj: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object as it is replicated.

        The items of a list lack apiVersion and kind, and events have them; managedFields say who wrote which field,
        are about as long as the object, and change with every write.
        """
        metadata = {key: value for key, value in obj["metadata"].items() if key != "managedFields"}
        return {"apiVersion": self.api_version, "kind": self.kind, **obj, "metadata": metadata}


def guess_plural(kind: str) -> str:
    """Return what a kind is most likely called in paths, where there is no API server: ``ConfigMap``, configmaps.

    As ``UnsafeGuessKindToResource`` of k8s.io/apimachinery guesses.
    """
    name = kind.lower()
    if name.endswith("endpoints"):
        return name
    if name.endswith("s"):
        return f"{name}es"
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"


def find_type(api: ApiServer, api_version: str, kind: str) -> ResourceType:
    """Return the type that the API server has for a kind.

    Args:
        api: The API server.
        api_version: ``v1`` or ``group/version``.
        kind: As in ``ConfigMap``.

    Raises:
        KubernetesError: There is no such kind, or its objects cannot be listed and watched.
    """
    server = api.access.server
    try:
        listed = api.get(_build_group_path(api_version)).get("resources") or []
    except KubernetesError as error:
        if error.status != 404:
            raise
        raise KubernetesError(
            f"{server} knows no apiVersion {api_version}: correct it, or create its CustomResourceDefinition",
            status=404,
        ) from error
    types = {item["kind"]: item for item in reversed(listed) if "/" not in item["name"]}  # not subresources
    if kind not in types:
        there = f"{', '.join(sorted(types))}{did_you_mean(kind, types)}"
        raise KubernetesError(f"{server} knows no kind {kind} of {api_version}, only {there}", status=404)
    entry = types[kind]
    if not {"list", "watch"} <= set(entry["verbs"]):
        raise KubernetesError(f"{kind} of {api_version} cannot be listed and watched: leave it out of resources")
    return ResourceType(api_version, kind, entry["name"], bool(entry["namespaced"]))


def _build_group_path(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
