"""Whether there are policies in ConfigMaps: known by watch, so that no request waits for a list."""

import logging
import threading
from collections.abc import Callable
from typing import Final
from urllib.parse import quote

from warden.errors import KubernetesError, WardenError
from warden.process.backoff import Backoff
from warden.replicate.policies.policy_set import read_set
from warden.sources.kubernetes.api import ApiServer
from warden.sources.kubernetes.live import Live
from warden.webhook.without_decision import WithoutDecision

__all__ = ["PolicyWatch"]

_LOG: Final = logging.getLogger("warden.webhook")
_PATHS: Final = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/"
_INTERVAL: Final = 5.0  # seconds between two looks at the registration


class PolicyWatch:
    """Follows the ConfigMaps, and keeps the registration's ``failurePolicy`` in step with them.

    Args:
        live: Lists and watches them.
        registration: Name of our MutatingWebhookConfiguration.
        rule: Whether objects pass where OPA is not reached.
    """

    def __init__(self, live: Callable[[], Live], registration: str, rule: WithoutDecision) -> None:
        self._live, self._registration, self._rule = live, registration, rule
        self._known: bool | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="policies", daemon=True)

    def start(self) -> None:
        """Begin to follow them."""
        self._thread.start()

    def stop(self) -> None:
        """End; what was known stays."""
        self._over.set()

    @property
    def exist(self) -> bool:
        """Whether there is a ConfigMap with policies, also one that does not compile; true where that is not known."""
        return self._known is not False

    def _run(self) -> None:
        backoff = Backoff(0.5, 10.0)
        while not self._over.is_set():
            try:
                with self._live() as live:
                    self._follow(live, backoff)
            except WardenError as error:
                _LOG.error("not known whether there are policies, so that there are", extra={"error": str(error)})
            except Exception:
                _LOG.exception("a defect")
            self._known = None
            self._over.wait(backoff.pause())

    def _follow(self, live: Live, backoff: Backoff) -> None:
        things = {(one.key, *key): thing for one in live.collections for key, thing in live.objects(one)}
        live.watch()
        backoff.reset()
        while not self._over.is_set():
            known = bool(read_set(things.values()).places)
            if known is not self._known:
                self._known = known
                _LOG.info("policies exist" if known else "no policies: objects are admitted as they are")
            self._keep_in_step(live.api)
            for key, thing in live.take(_INTERVAL)[1].items():
                if thing is None:
                    things.pop(key, None)
                else:
                    things[key] = thing

    def _keep_in_step(self, api: ApiServer) -> None:
        """Have the API server do without us what we would do without OPA."""
        closed = self.exist and not self._rule.lets_pass
        wanted, path = "Fail" if closed else "Ignore", f"{_PATHS}{quote(self._registration, safe='')}"
        try:
            webhooks = api.get(path).get("webhooks") or []
            differing = [one["name"] for one in webhooks if one.get("failurePolicy") != wanted]
            if differing:
                patch = {"webhooks": [{"name": name, "failurePolicy": wanted} for name in differing]}
                api.send("PATCH", path, patch, "application/strategic-merge-patch+json")
                _LOG.info("failurePolicy changed", extra={"registration": self._registration, "to": wanted})
        except KubernetesError as error:
            _LOG.warning("failurePolicy is not kept in step", extra={"error": str(error)})
