"""One cluster of the service: its store, its ACLs, and what changes in both."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from warden.base.errors import InputError, StoreError, WardenError
from warden.enforce.client_configs.configs import ClientConfigs
from warden.enforce.client_configs.open_store import open_store
from warden.enforce.client_configs.store import Store
from warden.enforce.sdk.warden import Warden
from warden.enforce.service.config import ServedCluster
from warden.policy.contract.decision import Decision
from warden.policy.opa.client import OpaClient
from warden.state.sources.kafka.client_configs.records import EntityKey
from warden.state.sources.kafka.login.connection import Connection, connect
from warden.state.sources.kafka.read.request_state import collect_acls_and_quotas

__all__ = ["ClusterFollower"]

_LOG = logging.getLogger(__name__)

_POLL_SECONDS = 0.5  # from one poll of the store to the next
_PAUSE_SECONDS = 1.0  # after the cluster has failed
_TIMEOUT = 15.0
_STOP_SECONDS = 5.0  # for its thread to end


class ClusterFollower:
    """Follows a cluster in a thread of its own; safe to ask from any thread.

    Args:
        settings: How it is reached.
        client: The OPA that decides.
        changed: Is called in the cluster's thread with the entities of which something else is stored than before; with
            None where that may be any, for the cluster was away.
    """

    def __init__(
        self, settings: ServedCluster, client: OpaClient, changed: Callable[[Iterable[EntityKey] | None], None]
    ) -> None:
        self.name = settings.name
        self._settings, self._client, self._changed = settings, client, changed
        self._problem: str | None = "it has not been reached yet"
        self._store: Store | None = None
        self._state: dict[str, Any] = {}
        self._stopped, self._stored = threading.Event(), threading.Event()
        self._until = 0.0
        self._thread = threading.Thread(target=self._follow, name=f"cluster {self.name}", daemon=True)

    @property
    def problem(self) -> str | None:
        """Why it does not answer; None where it does."""
        return self._problem

    def start(self) -> None:
        """Begin to follow it; whether it can be reached shows in `problem`."""
        self._thread.start()

    def end(self) -> None:
        """Have it stop, without waiting for that."""
        if not self._stopped.is_set():
            self._until = time.monotonic() + _STOP_SECONDS
        self._stopped.set()
        self._stored.set()

    def stop(self) -> None:
        """Stop, and close the connections; within 5 s of `end`, for a thread that waits for silent brokers has none."""
        self.end()
        self._thread.join(max(0.0, self._until - time.monotonic()))

    def build_configs(self, principal: str | None) -> ClientConfigs:
        """Return its client configs, as somebody who asks; None where each request says who that is.

        Raises:
            StoreError: It does not answer now.
        """
        store, problem = self._store, self._problem
        if store is None or problem is not None:
            raise StoreError(f"cluster {self.name} does not answer: {problem}")
        return ClientConfigs(store, self.build_warden(principal), lambda: self._state)

    def alter(
        self, principal: str, requests: Sequence[Mapping[str, Any]], *, validate_only: bool = False
    ) -> list[Decision]:
        """Alter its client configs, and tell who waits for it; see `ClientConfigs.alter`."""
        decisions = self.build_configs(principal).alter(requests, validate_only=validate_only)
        self._stored.set()
        return decisions

    def resolve(self, requests: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Decision]:
        """Describe its client configs for several who ask; see `ClientConfigs.describe_for`.

        Args:
            requests: Principal and request of each.
        """
        named = [
            (self.build_warden(principal).build_shared_input()["principal"], request) for principal, request in requests
        ]
        return self.build_configs(None).describe_for(named)

    def build_warden(self, principal: str | None) -> Warden:
        """Return a client for decisions about it."""
        return Warden(self._client, cluster=self.name, principal=principal)

    def check_statements(self, warden: Warden, inputs: Mapping[str, Mapping[str, Any]]) -> None:
        """Have OPA look at what a caller states, as at an untrusted token of that principal.

        Args:
            warden: The client for its decisions.
            inputs: Whole decision inputs, each under what to call it.

        Raises:
            InputError: One states what is not believed.
            OpaError: Nobody has looked.
        """
        own = {key: warden.build_shared_input().get(key) for key in ("principal", "enforcementPoint")}
        refused = self._client.evaluate("kafka/statements", {**own, "items": inputs})["refused"]
        for name, sentence in sorted(refused.items()):
            raise InputError(f"{name}: {sentence}")

    def evaluate_accepted(
        self, client: Mapping[str, Any], values: Mapping[str, str]
    ) -> tuple[dict[str, Any], str | None]:
        """Return what a client makes of values in force, and the bundle revision of the OPA that says so.

        Of an older bundle, whose ``kafka/client_configs/accepted`` names no revision, it is None.

        Args:
            client: ``kind`` and ``static``.
            values: The values in force for it.

        Raises:
            InputError: What it says of itself is refused.
            OpaError: Nothing was decided.
        """
        accepted = self._client.evaluate("kafka/client_configs/accepted", {**client, "dynamic": values})
        if errors := accepted.get("errors"):
            raise InputError("; ".join(errors))
        said = dict(accepted)
        return said, said.pop("revision", None)

    def _follow(self) -> None:
        while not self._stopped.is_set():
            try:
                with ExitStack() as stack:
                    self._follow_store(stack)
            except WardenError as error:
                self._problem = str(error)
            except Exception:
                self._problem = "a defect: see the log"
                _LOG.exception("a defect")
            finally:
                self._store = None
            self._stopped.wait(_PAUSE_SECONDS)

    def _follow_store(self, stack: ExitStack) -> None:
        security = self._settings.read_security()
        connection = stack.enter_context(connect(self._settings.bootstrap_servers, security=security, timeout=_TIMEOUT))
        self._state = collect_acls_and_quotas(connection)
        store = open_store(self._settings.store, connection, security, _TIMEOUT)
        stack.callback(store.close)
        store.take_changes()
        self._store, self._problem = store, None
        self._changed(None)
        self._poll(connection, store)

    def _poll(self, connection: Connection, store: Store) -> None:
        due = time.monotonic() + self._settings.state_interval
        while not self._stopped.is_set():
            if time.monotonic() >= due:
                self._state = collect_acls_and_quotas(connection)
                due = time.monotonic() + self._settings.state_interval
            if changed := store.take_changes():
                self._changed(changed)
            self._stored.wait(_POLL_SECONDS)
            self._stored.clear()
