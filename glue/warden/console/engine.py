"""How the console reaches OPA: the one that is configured, or one of its own, which starts when it is first needed."""

import threading
from contextlib import ExitStack

from warden.base.process.running import Closing
from warden.console.config import ConsoleConfig
from warden.policy.opa.client import OpaClient
from warden.policy.opa.session import OpaOptions, open_session

__all__ = ["PolicyOpa"]


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

    @property
    def is_own(self) -> bool:
        """Whether it is one of the console's own, whose settings files are known."""
        return self._config.opa is None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The address of each OPA that is configured; none where it is the console's own."""
        return self._config.opa.addresses if self._config.opa else ()

    def options(self) -> OpaOptions:
        """Return what an OPA of the console's own decides by."""
        policy = self._config.policy
        return OpaOptions(settings=policy.settings, profile=policy.profile, site=policy.site)

    def client(self, url: str | None = None) -> OpaClient:
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
                    client = self._stack.enter_context(open_session(self.options())).client()
                else:
                    client = opa.client(url=url)
                self._clients[key] = self._stack.enter_context(client)
            return self._clients[key]

    def close(self) -> None:
        """End what was started."""
        with self._lock:
            self._clients.clear()
            self._stack.close()
