"""The thread that closes the webhook's registration at the first policy of a ConfigMap, also with the webhook down."""

import logging
import threading
from collections.abc import Set as AbstractSet
from typing import Final
from urllib.parse import quote

from warden.base.errors import KubernetesError, WardenError
from warden.base.process.backoff import Backoff
from warden.state.config_map_policies.entry import PolicySource
from warden.state.replicate.policies.config_map_watch import ConfigMapWatch
from warden.state.replicate.status import SourceStatus
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["RegistrationGuard"]

_LOG: Final = logging.getLogger(__name__)
_PATHS: Final = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/"
_STRATEGIC: Final = "application/strategic-merge-patch+json"
_TURN: Final = 1.0  # seconds that a turn waits for news


class RegistrationGuard:
    """Sets ``failurePolicy: Fail`` once there are policies about the fleet, and leaves it from then on to the webhook.

    Args:
        source: The namespaces, and the API server.
        watch: Their ConfigMaps; whoever made it starts and stops it.
        registration: Name of the webhook's MutatingWebhookConfiguration.
        status: What the probes tell.
    """

    def __init__(self, source: PolicySource, watch: ConfigMapWatch, registration: str, status: SourceStatus) -> None:
        self._source, self._watch, self._status = source, watch, status
        self._registration = registration
        self._closed_for: AbstractSet[str] = frozenset()
        self._missing = False

    def is_closed(self, policies: AbstractSet[str]) -> bool:
        """Whether objects are refused without the webhook since one of some ConfigMaps has been there.

        Args:
            policies: Uids of all that are about the fleet.
        """
        return not self._closed_for.isdisjoint(policies)

    def run(self, stop: threading.Event) -> None:
        """Follow the ConfigMaps until ``stop`` is set."""
        backoff = Backoff(0.5, 10.0)
        while not stop.is_set():
            try:
                with ApiServer(self._source.read_access(), connections=1) as api:
                    self._follow(api, stop, backoff)
            except WardenError as error:
                self._status.source_error = str(error)
                self._status.count_event("errors", "source")
                _LOG.error("the webhook's registration is not watched over", extra={"error": str(error)})
                stop.wait(backoff.compute_delay())
            except Exception:
                self._status.source_error = "a defect: see the log"
                self._status.count_event("errors", "defect")
                _LOG.exception("a defect")
                stop.wait(backoff.compute_delay())

    def _follow(self, api: ApiServer, stop: threading.Event, backoff: Backoff) -> None:
        while not stop.is_set():
            changes = self._watch.change_count
            view = self._watch.views[self._source.namespace]
            policies = self._watch.select_fleet_policies()
            if not policies or self.is_closed(policies) or self._close_registration(api):
                self._closed_for = policies
            if view.config_maps is not None:
                self._status.loaded, self._status.observed = True, view.observed
            self._status.source_error = view.error
            backoff.reset()
            self._watch.wait(changes, _TURN)

    def _close_registration(self, api: ApiServer) -> bool:
        """Return whether objects are refused without the webhook; not where it is not registered yet."""
        path = f"{_PATHS}{quote(self._registration, safe='')}"
        try:
            webhooks = api.get(path).get("webhooks") or []
        except KubernetesError as error:
            if error.status != 404:
                raise
            if not self._missing:
                _LOG.warning("not registered: no policy is ok before", extra={"registration": self._registration})
            self._missing = True
            return False
        self._missing = False
        if open_ := [webhook["name"] for webhook in webhooks if webhook.get("failurePolicy") != "Fail"]:
            patch = {"webhooks": [{"name": name, "failurePolicy": "Fail"} for name in open_]}
            api.send("PATCH", path, patch, _STRATEGIC)
            _LOG.info("failurePolicy changed", extra={"registration": self._registration, "to": "Fail"})
        return True
