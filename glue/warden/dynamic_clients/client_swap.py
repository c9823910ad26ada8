"""A client in whose place another is put when its configs change: what those of both libraries have in common."""

import logging
import threading
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Self

from warden.dynamic_clients.config_watch import ConfigWatch, DynamicConfigs

__all__ = ["ReplaceableClient", "ReplaceableProducer"]

_LOG = logging.getLogger("warden.dynamic_clients")
_PAUSE_SECONDS = 10.0  # until a change is tried again


class ReplaceableClient:
    """What every such client is.

    Attributes:
        unreachable_errors: What the library raises where it makes no client because no broker answers.

    Args:
        watch: What the service says of it.
        make: Makes the library's client with some configs over its own.
        refused: What the library raises where it takes no such configs.
    """

    unreachable_errors: tuple[type[Exception], ...] = ()

    def __init__(self, watch: ConfigWatch, make: Callable[[Mapping[str, str]], Any], refused: type[Exception]) -> None:
        self._due = 0.0  # when a change may be tried again
        self._watch, self._make, self._refused = watch, make, refused
        weakref.finalize(self, watch.stop)
        self._applied = watch.dynamic_configs.configs
        another = self._try_make(self._applied) if self._applied else None
        self._current = make({}) if another is None else another

    def __getattr__(self, name: str) -> Any:
        """Every other method is that of the library's client that there is."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._current, name)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    @property
    def dynamic_configs(self) -> DynamicConfigs:
        """What of the dynamic configs is accepted and ignored."""
        return self._watch.dynamic_configs

    @property
    def counts(self) -> Mapping[str, int]:
        """How many ``answers`` and ``failures`` of the service and ``changes`` there were."""
        return dict(self._watch.counts)

    def close(self, *args: Any, **kwargs: Any) -> Any:
        """End it; see the original."""
        self._watch.stop()
        return self._current.close(*args, **kwargs)

    def _postpone(self) -> None:
        self._due = time.monotonic() + _PAUSE_SECONDS

    def _try_make(self, configs: Mapping[str, str]) -> Any:
        """Return another with these configs; None where the library refuses them, which is logged."""
        try:
            return self._make(configs)
        except self._refused as error:
            _LOG.warning("client configs are refused, what was in force stays: %s", error)
            return None


class ReplaceableProducer(ReplaceableClient, ABC):
    """A producer: another takes its place once every record of the one before is delivered, and only then."""

    def __init__(self, watch: ConfigWatch, make: Callable[[Mapping[str, str]], Any], refused: type[Exception]) -> None:
        self._switching, self._lock = False, threading.RLock()
        super().__init__(watch, make, refused)

    @abstractmethod
    def _drain(self) -> bool:
        """Wait a moment, and return whether every record is delivered or has failed, with its callback called."""

    def _retire(self, before: Any) -> None:
        """End the one before."""

    def _apply(self) -> None:
        """Put another producer in place where the configs are others; what callbacks send meanwhile goes first."""
        wanted = self._watch.dynamic_configs.configs
        if wanted == self._applied or self._switching or time.monotonic() < self._due:
            return
        self._switching = True
        try:
            if self._drain():
                another, before = self._try_make(wanted), self._current
                self._applied = wanted
                if another is not None:
                    self._retire(before)
                    self._current = another
            else:
                self._postpone()
        except self.unreachable_errors:
            self._postpone()
        finally:
            self._switching = False
