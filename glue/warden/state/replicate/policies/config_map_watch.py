"""The ConfigMaps of the namespaces with policies, each followed by itself, so that none waits for another."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from warden.base.errors import WardenError
from warden.base.process.backoff import Backoff
from warden.state.config_map_policies.entry import FLEET, PolicySource
from warden.state.config_map_policies.policy_set import is_policy
from warden.state.sources.kubernetes.live import Informer, ObjectSelector
from warden.state.sources.kubernetes.watching import WatchTimings

__all__ = ["ConfigMapWatch", "NamespaceView"]

_TIMINGS: Final = WatchTimings(probe=5.0, patience=20.0)
_POLL_SECONDS: Final = 1.0  # seconds between two checks whether all is over
_BURST: Final = 100  # changes of one namespace that are taken up as they come,
_WITHIN: Final = 10.0  # in so many seconds; then once a second
ConfigMapsByKey = Mapping[tuple[str, ...], dict[str, Any]]


@dataclass
class NamespaceView:
    """What is known of one namespace.

    Args:
        config_maps: Its ConfigMaps by key; None before they have been listed.
        observed: The moment before which nothing is missing.
        error: Why they cannot be read now.
    """

    config_maps: ConfigMapsByKey | None = None
    observed: datetime = field(default_factory=lambda: datetime.fromtimestamp(0, UTC))
    error: str | None = None


class ConfigMapWatch:
    """Follows the ConfigMaps of each namespace by a thread of its own.

    Args:
        source: The namespaces.
        log: Where trouble goes.
    """

    def __init__(self, source: PolicySource, log: logging.Logger) -> None:
        self._source, self._log = source, log
        self.views: dict[str, NamespaceView] = {namespace: NamespaceView() for namespace in source.scopes}
        self._changed = threading.Condition()
        self._changes = 0
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(namespace,), name=f"policies of {namespace}", daemon=True)
            for namespace in source.scopes
        ]

    def start(self) -> None:
        """Begin to follow them."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End; what was known stays."""
        self._over.set()
        with self._changed:
            self._changed.notify_all()

    @property
    def change_count(self) -> int:
        """How often anything has changed."""
        return self._changes

    def wait(self, changes: int, timeout: float) -> bool:
        """Wait until there are more changes than were counted, and return whether there are.

        Args:
            changes: As `change_count` was.
            timeout: Seconds.
        """
        with self._changed:
            return self._changed.wait_for(lambda: self._changes > changes or self._over.is_set(), timeout)

    def select_fleet_policies(self) -> frozenset[str]:
        """Return the uids of the ConfigMaps with policies about the fleet, as far as they are known."""
        return frozenset(
            str(config_map["metadata"]["uid"])
            for namespace, about in self._source.scopes.items()
            for config_map in (self.views[namespace].config_maps or {}).values()
            if about == FLEET and is_policy(config_map)
        )

    def _run(self, namespace: str) -> None:
        backoff = Backoff(0.5, 10.0)
        selected = (ObjectSelector("v1", "ConfigMap", namespace=namespace),)
        while not self._over.is_set():
            try:
                with Informer(self._source.read_access(), selected, _TIMINGS) as live:
                    self._follow(namespace, live, backoff.reset)
            except WardenError as error:
                self._update(namespace, error=str(error))
                self._log.error("ConfigMaps cannot be followed", extra={"namespace": namespace, "error": str(error)})
            except Exception:
                self._update(namespace, error="a defect: see the log")
                self._log.exception("a defect")
            self._over.wait(backoff.compute_delay())

    def _follow(self, namespace: str, live: Informer, reset: Callable[[], None]) -> None:
        begun = datetime.now(UTC)
        config_maps = dict(live.iter_objects(live.collections[0]))
        live.watch()
        reset()
        self._update(namespace, dict(config_maps), begun)
        updates: deque[float] = deque(maxlen=_BURST)
        while not self._over.is_set():
            if len(updates) == _BURST and time.monotonic() - updates[0] < _WITHIN:
                self._over.wait(_POLL_SECONDS)  # one that changes all the time is not to keep others waiting
            alive, came = live.take_changes(_POLL_SECONDS)
            for (_, *key), config_map in came.items():
                if config_map is None:
                    config_maps.pop(tuple(key), None)
                else:
                    config_maps[tuple(key)] = config_map
            if self._update(namespace, dict(config_maps) if came else None, max(begun, alive)):
                updates.append(time.monotonic())

    def _update(
        self,
        namespace: str,
        config_maps: ConfigMapsByKey | None = None,
        alive: datetime | None = None,
        error: str | None = None,
    ) -> bool:
        seen = self.views[namespace]
        with self._changed:
            changed = seen.error != error or (
                config_maps is not None and _select_contents(config_maps) != _select_contents(seen.config_maps)
            )
            seen.config_maps = config_maps if config_maps is not None else seen.config_maps
            seen.observed, seen.error = alive or seen.observed, error
            if changed:
                self._changes += 1
                self._changed.notify_all()
        return changed


def _select_contents(config_maps: ConfigMapsByKey | None) -> Any:
    """Return what a change of is a change; statuses and texts that are kept, which we write ourselves, are none."""
    if config_maps is None:
        return None
    return {
        key: (obj["metadata"].get("uid"), obj["metadata"].get("labels"), obj.get("data"), obj.get("binaryData"))
        for key, obj in config_maps.items()
        if is_policy(obj)
    }
