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
    "APPLY_PATCH_TYPE",
    "BUSY",
    "FIELD_MANAGER_QUERY",
    "MERGE_PATCH_TYPE",
    "PatchResult",
    "PatchedObject",
    "Patcher",
]

MERGE_PATCH_TYPE: Final = "application/merge-patch+json"
APPLY_PATCH_TYPE: Final = "application/apply-patch+yaml"
FIELD_MANAGER_QUERY: Final = "fieldManager=warden-remediator"
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

    def patch(self, key: Key, uid: str | None, patch: Mapping[str, Any]) -> PatchedObject:
        """Send a merge patch, which names version and uid of the object.

        Args:
            key: Of the object.
            uid: Of the object that was decided on.
            patch: The patch.

        Raises:
            KubernetesError: Nobody knows what has become of it, or the API server is too busy or refuses the login:
                it may be sent again.
        """
        try:
            return PatchedObject(
                PatchResult.PATCHED,
                self._normalise(key, self._api.send("PATCH", self.build_path(key), patch, MERGE_PATCH_TYPE)),
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
        """Apply an object on the server's side under our own name: what nobody wrote here is not overwritten.

        Args:
            key: Of the object.
            manifest: What it is to be.
            present: What it was when that was decided, as we have made it before; None where there was none.

        Raises:
            KubernetesError: As of `patch`.
        """
        versions = {name: present["metadata"].get(name) for name in ("resourceVersion", "uid")} if present else {}
        document = {**manifest, "metadata": {**manifest["metadata"], **versions}}
        path = f"{self.build_path(key)}?{FIELD_MANAGER_QUERY}{'&force=true' if present else ''}"
        try:
            return PatchedObject(
                PatchResult.PATCHED, self._normalise(key, self._api.send("PATCH", path, document, APPLY_PATCH_TYPE))
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
