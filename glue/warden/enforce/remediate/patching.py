"""Carry a remediation out at the API server: one patch, and what has become of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final
from urllib.parse import quote

from warden.base.errors import KubernetesError
from warden.enforce.remediate.objects import Key, KubernetesObject
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.live import Collection

__all__ = [
    "BUSY",
    "FIELD_MANAGER_QUERY",
    "MERGE_PATCH_TYPE",
    "PatchResult",
    "PatchedObject",
    "Patcher",
    "build_replacement",
]

MERGE_PATCH_TYPE: Final = "application/merge-patch+json"
_APPLY_PATCH_TYPE: Final = "application/apply-patch+yaml"
FIELD_MANAGER_QUERY: Final = "?fieldManager=warden-remediator"
_CONFLICTS: Final = (409, 422)  # another version; another uid
BUSY: Final = (401, 429)
"""Statuses by which the login or the load is at fault, and no object."""


class PatchResult(Enum):
    """What has become of a patch."""

    PATCHED = "patched"
    CHANGED = "changed"
    """The object was changed meanwhile: it is to be decided anew."""
    GONE = "gone"
    """The object is gone, or another one has its name."""
    LATER = "later"
    """It cannot be patched now: the object is tried again after others."""
    REFUSED = "refused"
    """The API server, or what it asks, does not take it."""


@dataclass(frozen=True)
class PatchedObject:
    """A result.

    Args:
        result: What has become of the patch.
        obj: The object as it is now; None where it is not known.
        reason: Why it was refused.
    """

    result: PatchResult
    obj: KubernetesObject | None = None
    reason: str = ""


class Patcher:
    """Reads and patches single objects.

    Args:
        api: The API server.
        collections: Where objects are, by their plural.
    """

    def __init__(self, api: ApiServer, collections: Sequence[Collection]) -> None:
        self._api = api
        self._collections = {collection.key: collection for collection in collections}

    def read(self, key: Key) -> KubernetesObject | None:
        """Return an object as it is now, None where there is none.

        Raises:
            KubernetesError: The API server does not answer with it.
        """
        try:
            return self._normalise(key, self._api.get(self.build_path(key)))
        except KubernetesError as error:
            if error.status == 404:
                return None
            raise

    def patch(self, key: Key, uid: str | None, patch: Mapping[str, Any], query: str = "") -> PatchedObject:
        """Send a merge patch, which names version and uid of the object.

        Args:
            key: Of the object.
            uid: Of the object that was decided on.
            patch: The patch.
            query: Of the request.

        Raises:
            KubernetesError: Nobody knows what has become of it, or the API server is too busy or refuses the login:
                it may be sent again.
        """
        path = f"{self.build_path(key)}{query}"
        try:
            return PatchedObject(
                PatchResult.PATCHED, self._normalise(key, self._api.send("PATCH", path, patch, MERGE_PATCH_TYPE))
            )
        except KubernetesError as error:
            if error.status == 404:
                return PatchedObject(PatchResult.GONE)
            if error.status in _CONFLICTS:
                return self._classify_conflict(key, uid, error)
            if error.status is None or error.status in BUSY or error.status >= 500:
                raise
            return PatchedObject(PatchResult.REFUSED, reason=str(error))

    def apply(self, key: Key, manifest: Mapping[str, Any], present: KubernetesObject | None) -> PatchedObject:
        """Have an object there under our own name: what is made here overwrites nothing, and is replaced whole.

        Args:
            key: Of the object.
            manifest: What it is to be.
            present: What it was when that was decided, as we have made it before; None where there was none.

        Raises:
            KubernetesError: As of `patch`.
        """
        if present:
            replacement = build_replacement(present, manifest)
            return self.patch(key, present["metadata"].get("uid"), replacement, FIELD_MANAGER_QUERY)
        path = f"{self.build_path(key)}{FIELD_MANAGER_QUERY}"
        try:
            return PatchedObject(
                PatchResult.PATCHED, self._normalise(key, self._api.send("PATCH", path, manifest, _APPLY_PATCH_TYPE))
            )
        except KubernetesError as error:
            if error.status == 409:
                return PatchedObject(PatchResult.CHANGED, self.read(key))
            if error.status is None or error.status in BUSY or error.status >= 500:
                raise
            return PatchedObject(PatchResult.REFUSED, reason=str(error))

    def _classify_conflict(self, key: Key, uid: str | None, error: KubernetesError) -> PatchedObject:
        obj = self.read(key)
        if obj is None or obj["metadata"].get("uid") != uid:
            return PatchedObject(PatchResult.GONE, obj)
        if error.status == 409:
            return PatchedObject(PatchResult.CHANGED, obj)
        return PatchedObject(PatchResult.REFUSED, obj, str(error))

    def build_path(self, key: Key) -> str:
        """Return where an object is in the API."""
        *namespace, name = key[1:]
        return f"{self._collections[key[0]].type.build_path(*namespace)}/{quote(name, safe='')}"

    def _normalise(self, key: Key, obj: KubernetesObject) -> KubernetesObject:
        return self._collections[key[0]].type.normalise(obj)


def build_replacement(present: KubernetesObject, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the merge patch by which a stored object gets the whole spec of a manifest, and its labels and owner.

    It names the version that it is for. What applying leaves, the fields of others, it takes away.
    """
    versions = {name: present["metadata"].get(name) for name in ("resourceVersion", "uid")}
    return {
        "metadata": {**manifest["metadata"], **versions},
        "spec": _build_merge(present.get("spec") or {}, manifest["spec"]),
    }


def _build_merge(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    below = {
        name: _build_merge(stored[name], value)
        if isinstance(value, Mapping) and isinstance(stored.get(name), Mapping)
        else value
        for name, value in wanted.items()
    }
    return {**dict.fromkeys(stored.keys() - wanted.keys()), **below}
