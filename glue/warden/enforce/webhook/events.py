"""Warning events about objects that are refused (events.k8s.io/v1), sent in the background."""

import logging
import queue
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from warden.base.errors import WardenError
from warden.base.process.backoff import Backoff
from warden.enforce.webhook.review import Review
from warden.state.sources.kubernetes.access import Access
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.events import build_event, send_event

__all__ = ["AdmissionEvents", "build_refusal_event"]

_LOG: Final = logging.getLogger("warden.enforce.webhook")
_WAITING: Final = 1000
_AGAIN: Final = 60.0  # seconds after which the same is sent again
_MAX_KEPT: Final = 10_000  # of the last minute: of more the oldest may be sent again sooner


class AdmissionEvents:
    """Sends events, the same one once a minute; what cannot be sent is left out.

    Args:
        access: Finds the API server.
    """

    def __init__(self, access: Callable[[], Access]) -> None:
        self._access = access
        self._queue: queue.Queue[dict[str, Any] | None] = queue.Queue(_WAITING)
        self._sent: OrderedDict[tuple[str, ...], float] = OrderedDict()  # the oldest first
        self._thread = threading.Thread(target=self._run, name="events", daemon=True)

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def stop(self) -> None:
        """End after what waits."""
        try:
            self._queue.put_nowait(None)
        except queue.Full:
            return

    def report_refusal(self, review: Review, why: str) -> None:
        """Tell of an object that is refused, unless nothing would have been stored; never waits."""
        if review.dry_run or not isinstance(review.obj, dict):
            return
        document = build_refusal_event(review.obj, why)
        key = (document["metadata"]["namespace"], *map(str, document["regarding"].values()), document["note"])
        now = time.monotonic()
        while self._sent and now - next(iter(self._sent.values())) >= _AGAIN:
            self._sent.popitem(last=False)
        if key in self._sent:
            return
        self._sent[key] = now
        if len(self._sent) > _MAX_KEPT:
            self._sent.popitem(last=False)
        try:
            self._queue.put_nowait(document)
        except queue.Full:
            _LOG.warning("an event is left out: too many wait")

    def _run(self) -> None:
        api: ApiServer | None = None
        backoff = Backoff(0.5, 10.0)
        while (document := self._queue.get()) is not None:
            try:
                api = api or ApiServer(self._access(), connections=1)
                send_event(api, document)
                backoff.reset()
            except WardenError as error:
                _LOG.warning("an event is left out", extra={"error": str(error)})
                if api is not None:
                    api.close()
                api = None  # a kubeconfig is read again: its token may be another one
                time.sleep(backoff.compute_delay())
        if api is not None:
            api.close()


def build_refusal_event(obj: dict[str, Any], why: str) -> dict[str, Any]:
    """Return a Warning event as the API server takes it.

    Args:
        obj: The object that was refused; it may have a generateName in place of a name.
        why: What its sender was answered; it is cut where it is too long, or holds a secret.
    """
    metadata = obj.get("metadata") if isinstance(obj.get("metadata"), dict) else {}
    own = metadata.get("namespace") if isinstance(metadata, dict) else None
    name = (metadata.get("name") or metadata.get("generateName") or "") if isinstance(metadata, dict) else ""
    regarding = {"apiVersion": str(obj.get("apiVersion", "")), "kind": str(obj.get("kind", "")), "name": str(name)}
    regarding |= {"namespace": str(own)} if own else {}
    whose = {"component": "webhook", "instance": socket.gethostname() or "webhook", "action": "Admit"}
    return build_event(regarding, **whose, type="Warning", reason="PlacementRefused", note=why)
