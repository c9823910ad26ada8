"""The last good text of each ConfigMap, kept in a ConfigMap beside it, where it is found after any restart."""

import logging
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any, Final
from urllib.parse import quote

from warden.base.errors import KubernetesError
from warden.state.config_map_policies.policy_set import LAST_GOOD, ObjectKey, PolicyText, get_object_key, read_text
from warden.state.replicate.policies.refused_writes import RefusedWrites
from warden.state.replicate.status import SourceStatus
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["LastGood", "build_last_good_name", "read_last_good"]

_LOG: Final = logging.getLogger(__name__)
_OF: Final = "warden.io/last-good-of"


def build_last_good_name(name: str) -> str:
    """Return the name of the ConfigMap that keeps the last good text of another."""
    return f"last-good-{sha256(name.encode()).hexdigest()[:16]}"


def read_last_good(config_map: Mapping[str, Any]) -> PolicyText | None:
    """Return the text that a ConfigMap keeps, as that of the ConfigMap whose it is; None where it keeps none."""
    if not _has_last_good(config_map):
        return None
    return read_text(config_map, _get_original_place(config_map), _get_original_uid(config_map))


class LastGood:
    """Keeps them.

    Args:
        status: Counts what the API server does not take.
    """

    def __init__(self, status: SourceStatus) -> None:
        self._status = status
        self._refused = RefusedWrites()

    def write(
        self,
        api: ApiServer,
        config_maps: Iterable[Mapping[str, Any]],
        texts: Mapping[ObjectKey, PolicyText],
        over: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Have the ConfigMaps that keep texts say these, and take away what is kept of ConfigMaps that are gone.

        Returns whether all was tried.

        Args:
            api: The API server.
            config_maps: All ConfigMaps of one namespace.
            texts: What is to be kept of them.
            over: Whether something else is more urgent.
        """
        config_maps = list(config_maps)
        there = {_get_original_place(obj): obj for obj in config_maps if _has_last_good(obj)}
        uids = {
            get_object_key(obj): str(obj["metadata"].get("uid", "")) for obj in config_maps if not _has_last_good(obj)
        }
        for place, text in texts.items():
            if over():
                return False
            kept = there.get(place)
            if kept is None or (kept.get("data") or {}, _get_original_uid(kept)) != (dict(text.keys), text.uid):
                self._send(api, "PUT" if kept else "POST", place, text.digest, _build_config_map(text))
        for place, kept in there.items():
            if uids.get(place) != _get_original_uid(kept) and place not in texts:
                options = {"apiVersion": "v1", "kind": "DeleteOptions"}
                self._send(api, "DELETE", place, f"gone {_get_original_uid(kept)}", options)
        return True

    def _send(self, api: ApiServer, method: str, place: ObjectKey, what: str, document: Mapping[str, Any]) -> None:
        if self._refused.has(place, what):
            return
        path = f"/api/v1/namespaces/{quote(place[0], safe='')}/configmaps"
        try:
            api.send(method, path if method == "POST" else f"{path}/{build_last_good_name(place[1])}", document)
        except KubernetesError as error:
            if error.status in (404, 409):  # another replicator was first: the next watch event says so
                return
            self._refused.record(place, what, error)
            self._status.count_event("errors", "status")
            _LOG.warning("the last good text is not kept", extra={"configMap": "/".join(place), "error": str(error)})


def _has_last_good(config_map: Mapping[str, Any]) -> bool:
    metadata = config_map["metadata"]
    return LAST_GOOD in (metadata.get("labels") or {}) and _OF in (metadata.get("annotations") or {})


def _get_original_uid(config_map: Mapping[str, Any]) -> str:
    return str(config_map["metadata"]["labels"][LAST_GOOD])


def _get_original_place(config_map: Mapping[str, Any]) -> ObjectKey:
    return str(config_map["metadata"]["namespace"]), str(config_map["metadata"]["annotations"][_OF])


def _build_config_map(text: PolicyText) -> dict[str, Any]:
    namespace, name = text.place
    owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": text.uid}
    metadata = {
        "name": build_last_good_name(name),
        "namespace": namespace,
        "labels": {LAST_GOOD: text.uid},
        "annotations": {_OF: name},
        "ownerReferences": [owner],
    }
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": dict(text.keys)}
