"""A watch of one collection that survives time-outs, broken connections and restarts of the API server."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Event, Thread
from typing import Any

from warden.base.errors import KubernetesError
from warden.base.process.backoff import Backoff
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.stream import Stream

__all__ = ["Watch", "WatchTimings"]

_LASTING = 1.0  # seconds after which a stream without an event counts as one that worked


@dataclass(frozen=True)
class WatchTimings:
    """How long and how often, in seconds.

    Args:
        watch: After which the API server ends a watch, and it is opened anew; at random up to a fifth less.
        pause: First pause before a watch is opened anew; it doubles with each failure, and is up to a half shorter.
        longest: Longest pause.
        patience: How long a watch that cannot be opened is tried again, before that is reported.
        probe: Between two looks whether the API server still answers.
    """

    watch: float = 300.0
    pause: float = 0.5
    longest: float = 10.0
    patience: float = 20.0
    probe: float = 5.0


class Watch(Thread):
    """Hands on every event after a resourceVersion, in order and once, until it fails for good or is stopped.

    A stream that ends or breaks is opened again from the last resourceVersion that came, be it of an object or of a
    bookmark; after a pause where it broke, or ended at once.

    Args:
        api: The API server.
        path: The collection.
        params: Selectors.
        version: The resourceVersion of the list that this goes on from.
        event: Is given the type (ADDED, MODIFIED, DELETED) and object of each event, in this thread.
        failed: Is given what ended the watch: status 410 where only a new list helps. The thread ends then.
        timings: How long and how often.
    """

    def __init__(
        self,
        api: ApiServer,
        path: str,
        params: Mapping[str, str],
        version: str,
        *,
        event: Callable[[str, dict[str, Any]], None],
        failed: Callable[[Exception], None],
        timings: WatchTimings = WatchTimings(),
    ) -> None:
        super().__init__(name=f"watch {path}", daemon=True)
        self.open_since: datetime | None = None
        self._api, self._path, self._params, self._version = api, path, dict(params), version
        self._event, self._failed, self._timings = event, failed, timings
        self._backoff = Backoff(timings.pause, timings.longest)
        self._well = time.monotonic()
        self._stopped = Event()
        self._stream: Stream | None = None

    def stop(self) -> None:
        """Let the thread end; it calls nobody from now on, but for an event that it is just handing on."""
        self._stopped.set()
        if self._stream is not None:
            self._stream.end()

    def run(self) -> None:
        """Watch until it fails for good or is stopped."""
        while not self._stopped.is_set():
            try:
                self._watch_once()
            except Exception as error:  # a defect, too, must not end the thread in silence
                if self._stopped.is_set():
                    return
                if _is_final(error) or time.monotonic() - self._well > self._timings.patience:
                    self._failed(error)
                    return
            self._stopped.wait(self._backoff.compute_delay())

    def _watch_once(self) -> None:
        """Open one stream, and follow it until it ends or breaks."""
        seconds = self._timings.watch * random.uniform(0.8, 1.0)  # noqa: S311 - no secret
        position = {
            "watch": "true",
            "allowWatchBookmarks": "true",
            "resourceVersion": self._version,
            "timeoutSeconds": str(max(1, round(seconds))),
        }
        self._stream = self._api.open_stream(self._path, self._params | position, seconds + 30.0)
        if self._stopped.is_set():
            self._stream.end()
        begun, came = time.monotonic(), False
        self.open_since = datetime.now(UTC)
        try:
            for event in self._stream:
                if self._stopped.is_set():
                    break
                self._handle(event)
                came = True
        except KubernetesError as error:
            if error.status is not None:  # else the connection broke, and the watch is opened again
                raise
        finally:
            self.open_since = None
            if came or time.monotonic() - begun > _LASTING:
                self._well = time.monotonic()
                self._backoff.reset()

    def _handle(self, event: dict[str, Any]) -> None:
        type, obj = event.get("type"), event.get("object") or {}
        if type == "ERROR":
            code = obj.get("code")
            raise KubernetesError(f"the watch of {self._path} ended: {obj.get('message')}", status=code)
        version = (obj.get("metadata") or {}).get("resourceVersion")
        if type in ("ADDED", "MODIFIED", "DELETED"):
            self._event(type, obj)
        if version:
            self._version = str(version)


def _is_final(error: Exception) -> bool:
    """Whether another attempt is no use: 4xx other than 429 stays as it is; 429, 5xx and no answer may pass."""
    if not isinstance(error, KubernetesError):
        return True
    return error.status is not None and 400 <= error.status < 500 and error.status != 429
