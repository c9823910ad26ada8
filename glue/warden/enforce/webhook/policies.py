"""A watch for ConfigMaps with policies, so that no request waits for a list."""

import logging
import threading
from typing import Final
from urllib.parse import quote

from warden.base.errors import WardenError
from warden.base.process.backoff import Backoff
from warden.enforce.webhook.without_decision import WithoutDecision
from warden.state.config_map_policies.entry import PolicySource, choose_group
from warden.state.config_map_policies.policy_set import is_policy
from warden.state.replicate.policies.config_map_watch import ConfigMapWatch
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["PolicyWatch"]

_LOG: Final = logging.getLogger("warden.enforce.webhook")
_PATHS: Final = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/"
_INTERVAL: Final = 5.0  # seconds between two polls of the registration
_FLEET: Final = "*"


class PolicyWatch:
    """Follows the ConfigMaps, and keeps the registration's ``failurePolicy`` in step with those about the fleet.

    Args:
        source: The namespaces, and the API server.
        registration: Name of our MutatingWebhookConfiguration.
        rule: Whether objects pass where OPA is not reached.
    """

    def __init__(self, source: PolicySource, registration: str, rule: WithoutDecision) -> None:
        self._source, self._registration, self._rule = source, registration, rule
        self._watch = ConfigMapWatch(source, _LOG)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="policies", daemon=True)
        self._known: dict[str, bool] = {}

    def start(self) -> None:
        """Begin to follow them."""
        self._watch.start()
        self._thread.start()

    def stop(self) -> None:
        """End; what was known stays."""
        self._over.set()
        self._watch.stop()

    def has_policies(self, namespace: str) -> bool:
        """Whether a ConfigMap has policies about objects of a namespace, also one that does not compile.

        True where that is not known.

        Args:
            namespace: Of the object; "" for one without.
        """
        return self._has_group_policies(_FLEET) or (
            namespace in self._source.scopes and self._has_group_policies(namespace)
        )

    def _has_group_policies(self, group: str) -> bool:
        return any(
            self._has_own_policies(namespace)
            for namespace, about in self._source.scopes.items()
            if choose_group(namespace, about) == group
        )

    def _has_own_policies(self, namespace: str) -> bool:
        seen = self._watch.views[namespace]
        if seen.config_maps is None or seen.error:
            return True
        return any(is_policy(config_map) for config_map in seen.config_maps.values())

    def _run(self) -> None:
        backoff = Backoff(0.5, 10.0)
        while not self._over.is_set():
            try:
                with ApiServer(self._source.read_access(), connections=1) as api:
                    self._follow(api, backoff)
            except WardenError as error:
                _LOG.warning("failurePolicy is not kept in step", extra={"error": str(error)})
            except Exception:
                _LOG.exception("a defect")
            self._over.wait(backoff.compute_delay())

    def _follow(self, api: ApiServer, backoff: Backoff) -> None:
        """Keep in step until that fails: a kubeconfig is read again then, since its token may be another one."""
        while not self._over.is_set():
            changes = self._watch.change_count
            if not self._is_listing():
                self._tell()
                self._keep_in_step(api)
            backoff.reset()
            self._watch.wait(changes, _INTERVAL)

    def _is_listing(self) -> bool:
        """Whether a namespace has neither been read nor refused yet, as at the start."""
        return any(seen.config_maps is None and seen.error is None for seen in self._watch.views.values())

    def _tell(self) -> None:
        groups = {choose_group(*pair) for pair in self._source.scopes.items()}
        for group in sorted(groups):
            has_policies = self._has_group_policies(group)
            if has_policies is not self._known.get(group):
                self._known[group] = has_policies
                about = "all objects" if group == _FLEET else f"objects of namespace {group}"
                what = "policies exist" if has_policies else "no policies: objects are admitted as they are"
                _LOG.info(what, extra={"about": about})

    def _keep_in_step(self, api: ApiServer) -> None:
        """Have the API server do without us what we would do without OPA."""
        closed = self._has_group_policies(_FLEET) and not self._rule.lets_pass
        wanted, path = "Fail" if closed else "Ignore", f"{_PATHS}{quote(self._registration, safe='')}"
        webhooks = api.get(path).get("webhooks") or []
        differing = [webhook["name"] for webhook in webhooks if webhook.get("failurePolicy") != wanted]
        if differing:
            patch = {"webhooks": [{"name": name, "failurePolicy": wanted} for name in differing]}
            api.send("PATCH", path, patch, "application/strategic-merge-patch+json")
            _LOG.info("failurePolicy changed", extra={"registration": self._registration, "to": wanted})
