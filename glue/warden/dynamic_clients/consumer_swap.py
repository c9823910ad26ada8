"""A consumer in whose place another is put, as the same static member of its group (KIP-345)."""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from warden.dynamic_clients.client_swap import ReplaceableClient
from warden.dynamic_clients.config_watch import ConfigWatch

__all__ = ["SUPPORTED", "PartitionKey", "ReplaceableConsumer"]

_LOG = logging.getLogger("warden.dynamic_clients")

SUPPORTED = ("heartbeat.interval.ms", "session.timeout.ms")
"""The keys that these consumers can change."""

PartitionKey = tuple[str, int]
"""A topic and one of its partitions."""


class ReplaceableConsumer(ReplaceableClient, ABC):
    """A consumer: another takes its place without a rebalance, and goes on at the positions of the one before.

    Args:
        watch: What the service says of it.
        make: Makes the library's consumer with some configs over its own.
        refused: What the library raises where it takes no such configs.
        static: Whether it is a static member of its group.
    """

    def __init__(
        self, watch: ConfigWatch, make: Callable[[Mapping[str, str]], Any], refused: type[Exception], *, static: bool
    ) -> None:
        self._static, self._subscribed = static, False
        self._before: dict[PartitionKey, int] | None = None  # positions of the one before, until it is assigned
        self._paused: set[PartitionKey] = set()
        self._closing = False
        super().__init__(watch, make, refused)

    def unsubscribe(self) -> None:
        """End the subscription; see the original."""
        self._subscribed, self._before = False, None
        self._current.unsubscribe()

    @abstractmethod
    def _read_positions(self) -> dict[PartitionKey, int]:
        """Return the position in each partition that is assigned."""

    @abstractmethod
    def _subscribe_again(self) -> None:
        """Subscribe the one that there is now as the one before was."""

    def _prepare_join(self) -> None:
        """Do what has to be done before the one that there is now joins the group."""

    def _apply(self) -> None:
        """Put another consumer in place where the configs are others."""
        wanted = self._watch.dynamic_configs.configs
        if wanted == self._applied or time.monotonic() < self._due:
            return
        if not self._static or not self._subscribed:
            self._applied = wanted
            _LOG.warning("client configs wait for the next start: without group.instance.id they cost a rebalance")
            return
        try:
            before = self._read_positions() if self._before is None else self._before  # else it was assigned nothing
            another = self._try_make(wanted)
        except self.unreachable_errors:
            self._postpone()
            return
        self._applied = wanted
        if another is None:
            return
        self._before, self._closing = before, True
        try:
            self._current.close()  # without LeaveGroup: the member is static
        finally:
            self._closing = False
            self._current = another
            self._subscribe_again()
            self._prepare_join()

    def _forget(self, places: set[PartitionKey]) -> None:
        if not self._closing:
            self._paused -= places
