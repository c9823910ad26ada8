"""A thread that watches one client's configs at the service: the last accepted ones stay while nobody answers."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from warden.base.errors import WardenError
from warden.base.process.backoff import Backoff
from warden.base.version import __version__
from warden.dynamic_clients.names import parse_interval, select_static_configs
from warden.dynamic_clients.service import ConfigService

__all__ = ["ConfigWatch", "DynamicConfigs"]

_LOG = logging.getLogger("warden.dynamic_clients")
_LONGEST_WAIT = 55.0  # seconds of one request: less than proxies and the service allow
_QUICK = 1.0  # seconds: who answers the same within them does not wait for changes


@dataclass(frozen=True, slots=True)
class DynamicConfigs:
    """What a client makes of its dynamic configs.

    Args:
        configs: What it sets over its own: what it accepts, and what follows from that.
        ignored: The reason for each key that it does not take.
        notes: What a key that it takes changes besides.
    """

    configs: Mapping[str, str] = field(default_factory=dict)
    ignored: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)


class ConfigWatch:
    """Asks before it returns, and then whenever something changes, in a thread, until it is stopped.

    Args:
        service: The service.
        kind: ``producer`` or ``consumer``.
        config: Its own configuration, by names with dots.
        supported: The keys that this software can change.
        on_change: Is called with each change.
        of_librdkafka: Whether the configuration is librdkafka's, whose defaults are not Java's.

    Attributes:
        counts: How many answers, failures and changes there were.
    """

    def __init__(
        self,
        service: ConfigService,
        kind: str,
        config: Mapping[str, Any],
        supported: tuple[str, ...],
        on_change: Callable[[DynamicConfigs], None] | None,
        *,
        of_librdkafka: bool = True,
    ) -> None:
        self.counts = {"answers": 0, "failures": 0, "changes": 0}
        self._service, self._on_change, self._interval = service, on_change, parse_interval(config)
        self._static = select_static_configs(kind, config, of_librdkafka=of_librdkafka)
        software = {"softwareName": "warden", "softwareVersion": __version__, "supportedConfigs": list(supported)}
        self._body = {"clientId": config.get("client.id"), "kind": kind, "static": self._static, **software}
        self._accepted, self._away = DynamicConfigs(), False
        self._tag: str | None = None
        self._stopped = threading.Event()
        self._ask(0.0)
        self._thread = threading.Thread(target=self._run, name=f"client configs of a {kind}", daemon=True)
        self._thread.start()

    @property
    def dynamic_configs(self) -> DynamicConfigs:
        """What was accepted last; nothing where nobody has answered yet."""
        return self._accepted

    def stop(self) -> None:
        """Ask no more; a request under way is left to end by itself."""
        self._stopped.set()

    def _run(self) -> None:
        """Ask again at once where it was waited; else, as of a service that stops or does not wait, later and later."""
        backoff, pause = Backoff(maximum=max(0.5, self._interval)), 0.0
        while not self._stopped.wait(pause):
            began, before = time.monotonic(), self._accepted
            answered = self._ask(min(self._interval, _LONGEST_WAIT))
            if answered and (time.monotonic() - began >= _QUICK or self._accepted is not before):
                backoff.reset()
                pause = 0.0
            else:
                pause = backoff.compute_delay()

    def _ask(self, wait: float) -> bool:
        """Ask once, and return whether there was an answer."""
        try:
            answer = self._service.resolve(self._body, self._tag, wait)
        except WardenError as error:
            self.counts["failures"] += 1
            if not self._away:
                _LOG.warning("client configs are not known, what was in force stays: %s", error)
            self._away = True
            return False
        self.counts["answers"] += 1
        self._away = False
        if answer is not None:
            document, self._tag = answer
            self._take(document["accepted"])
        return True

    def _take(self, accepted: Mapping[str, Any]) -> None:
        configs = {key: text for key, text in accepted.get("configs", {}).items() if self._static.get(key) != text}
        now = DynamicConfigs(configs, accepted.get("ignored", {}), accepted.get("notes", {}))
        if now == self._accepted or self._stopped.is_set():
            return
        before, self._accepted = self._accepted, now
        self.counts["changes"] += 1
        if configs != before.configs:
            listed = ", ".join(f"{key}={text}" for key, text in sorted(configs.items()))
            _LOG.info("client configs accepted: %s", listed or "none, the client's own are in force")
        for key, reason in sorted({**now.notes, **now.ignored}.items()):
            _LOG.warning("client config %s%s: %s", key, " is ignored" if key in now.ignored else "", reason)
        if self._on_change is not None:
            try:
                self._on_change(now)
            except Exception:
                _LOG.exception("on_change failed")
