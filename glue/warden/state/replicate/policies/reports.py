"""Reports on a ConfigMap's policies, as an annotation of the ConfigMap."""

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

from warden.base.errors import KubernetesError
from warden.state.config_map_policies.policy_set import ObjectKey, get_object_key
from warden.state.replicate.policies.refused_writes import RefusedWrites
from warden.state.replicate.status import SourceStatus
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["ANNOTATION", "AnnotationWriter"]

_LOG: Final = logging.getLogger(__name__)
ANNOTATION: Final = "openpolicyagent.org/policy-status"
"""Where a ConfigMap says what became of it: ``{"status": "ok"}``, or ``error`` with OPA's words and ``inForce``."""


class AnnotationWriter:
    """Writes the annotations.

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
        states: Mapping[ObjectKey, Any],
        over: Callable[[], bool] = lambda: False,
    ) -> None:
        """Have each ConfigMap say its state, where it does not yet.

        Args:
            api: The API server.
            config_maps: The ConfigMaps.
            states: What each is to say.
            over: Whether something else is more urgent.
        """
        for config_map in config_maps:
            place = get_object_key(config_map)
            text = json.dumps(states.get(place))
            written = (config_map["metadata"].get("annotations") or {}).get(ANNOTATION)
            if place not in states or text == written or self._refused.has(place, text):
                continue
            if over():
                return
            path = f"/api/v1/namespaces/{quote(place[0], safe='')}/configmaps/{quote(place[1], safe='')}"
            patch = {"metadata": {"annotations": {ANNOTATION: text}}}
            try:
                api.send("PATCH", path, patch, "application/merge-patch+json")
            except KubernetesError as error:
                self._refused.record(place, text, error)
                if error.status != 404:
                    self._status.count_event("errors", "status")
                    _LOG.warning("no status written", extra={"configMap": "/".join(place), "error": str(error)})
