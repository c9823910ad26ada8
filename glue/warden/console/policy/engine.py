"""The console's OPA: the one that is configured, or one of its own, which starts when it is first needed."""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Final

from warden.analyse.scan.rule_metadata import read_rules_and_frameworks
from warden.base.errors import WardenError
from warden.base.process.closing import Closing
from warden.console.config import ConsoleConfig, ConsolePolicy
from warden.console.policy.controls import ControlTable
from warden.policy.contract.names import OWNER_LABEL
from warden.policy.opa.client import OpaClient
from warden.policy.opa.session import OpaOptions, open_session

if TYPE_CHECKING:
    from warden.policy.bundle.effective_rules import RuleInForce
    from warden.policy.bundle.layers import SettingsLayers

__all__ = ["PolicyOpa"]

_LOOK_SECONDS: Final = 60.0  # from one look for what is named besides a decision to the next
_RETRY_SECONDS: Final = 5.0  # from one look for what has never been known to the next


class PolicyOpa(Closing):
    """The OPA whose policy is shown. May be used by several threads.

    Args:
        config: The configuration: ``opa`` is one that runs; without it there is one of the console's own with the
            files of ``policy``, or the shipped ones.
    """

    def __init__(self, config: ConsoleConfig) -> None:
        self._config = config
        self._stack = ExitStack()
        self._lock = threading.Lock()
        self._clients: dict[str, OpaClient] = {}
        self._layers: SettingsLayers | None = None
        self._layers_lock = threading.Lock()
        self._controls, self._look_again = ControlTable(), 0.0
        self._owner_label: str | None = None
        self._label_lock, self._label_again = threading.Lock(), 0.0

    @property
    def is_own(self) -> bool:
        """Whether it is one of the console's own, whose settings files are known."""
        return self._config.opa is None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The address of each OPA that is configured; none where it is the console's own."""
        return self._config.opa.addresses if self._config.opa else ()

    @property
    def options(self) -> OpaOptions:
        """What an OPA of the console's own decides by."""
        policy = self._config.policy
        return OpaOptions(settings=policy.settings, profile=policy.profile, site=policy.site)

    def build_client(self, url: str | None = None) -> OpaClient:
        """Return the client, which is made, and its OPA started, by the first call; it is not to be closed.

        Args:
            url: One of `addresses`; None for the first, or for the console's own OPA.

        Raises:
            WardenError: OPA cannot be started, or its token cannot be read.
        """
        with self._lock:
            key = url or ""
            if key not in self._clients:
                opa = self._config.opa
                if opa is None:
                    client = self._stack.enter_context(open_session(self.options)).build_client()
                else:
                    client = opa.build_client(url=url)
                self._clients[key] = self._stack.enter_context(client)
            return self._clients[key]

    def read_controls(self) -> ControlTable:
        """Return the controls that rules are about, as they were known last; none where OPA has never said them."""
        if time.monotonic() >= self._look_again:
            self._look_again = time.monotonic() + _LOOK_SECONDS  # other pages take what is known meanwhile
            with suppress(WardenError):
                self._controls = ControlTable(*read_rules_and_frameworks(self.build_client()))
        return self._controls

    def read_owner_label(self) -> str:
        """Return the label that names a topic's owner (``kafka/owner_label``), as OPA said it last.

        It is ``owner``, as shipped, where neither an OPA nor files of a policy are configured, and until OPA says it.
        """
        if self.is_own and self._config.policy == ConsolePolicy():
            return OWNER_LABEL
        with self._label_lock:
            if time.monotonic() >= self._label_again:
                with suppress(WardenError):
                    self._owner_label = self.build_client().evaluate("kafka/owner_label", {})
                pause = _RETRY_SECONDS if self._owner_label is None else _LOOK_SECONDS
                self._label_again = time.monotonic() + pause
            return self._owner_label or OWNER_LABEL

    def read_rules_in_force(self, cluster: str, point: str) -> "Mapping[str, RuleInForce]":
        """Return the rules for a cluster at an enforcement point, with the file and line of each value.

        Empty where OPA is not the console's own and ``policy`` names no files: then they are not known.

        Raises:
            BundleError: The settings are refused.
        """
        if not self.is_own and self._config.policy == ConsolePolicy():
            return {}
        from warden.policy.bundle.effective_rules import read_rules_in_force
        from warden.policy.bundle.layers import read_layers

        policy = self._config.policy
        with self._layers_lock:
            if self._layers is None or not self.is_own:  # another bundle, of other files, needs no restart of ours
                self._layers = read_layers(policy.settings, policy.profile)
            layers = self._layers
        return read_rules_in_force(layers, cluster=cluster, enforcement_point=point)

    def close_with(self, close: Callable[[], None]) -> None:
        """Have something closed when this is: what a page has of OPAs."""
        self._stack.callback(close)

    def close(self) -> None:
        """End what was started."""
        with self._lock:
            self._clients.clear()
            self._stack.close()
