"""Events about objects (events.k8s.io/v1), sent in the background: what cannot be sent is counted and left out."""

import queue
import threading
from typing import Any, Final

from warden.base.errors import WardenError
from warden.enforce.remediate.remediation import Remediation
from warden.enforce.remediate.status import RemediatorStatus
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.events import build_event, send_event

__all__ = ["RemediationEvents"]

_WAITING: Final = 1000


class RemediationEvents:
    """Sends events until it is closed.

    Args:
        api: The API server; None where none are to be sent.
        instance: Which of several remediators this is.
        status: Counts what is sent and what is not.
    """

    def __init__(self, api: ApiServer | None, instance: str, status: RemediatorStatus) -> None:
        self._api, self._instance, self._status = api, instance, status
        self._queue: queue.Queue[dict[str, Any] | None] = queue.Queue(_WAITING)
        self._thread = threading.Thread(target=self._run, name="events", daemon=True)
        if api is not None:
            self._thread.start()

    def report_patch(self, remediation: Remediation) -> None:
        """Tell of an object that was patched."""
        self._put(remediation, "Normal", "Remediated", f"policy has changed {', '.join(remediation.after)}")

    def report_refusal(self, remediation: Remediation) -> None:
        """Tell of an object that is left as it is."""
        self._put(remediation, "Warning", "RemediationRefused", "; ".join(remediation.errors))

    def close(self, patience: float = 5.0) -> None:
        """Send what waits, for so many seconds, and end."""
        if self._thread.is_alive():
            try:
                self._queue.put_nowait(None)
            except queue.Full:
                return
            self._thread.join(patience)

    def _put(self, remediation: Remediation, type: str, reason: str, note: str) -> None:
        if self._api is None:
            return
        whose = {"component": "remediator", "instance": self._instance, "action": "Remediate"}
        try:
            self._queue.put_nowait(
                build_event(_build_reference(remediation.obj), **whose, type=type, reason=reason, note=note)
            )
        except queue.Full:
            self._status.count_event("events", "dropped")

    def _run(self) -> None:
        while (document := self._queue.get()) is not None:
            try:
                if self._api is not None:
                    send_event(self._api, document)
                self._status.count_event("events", "sent")
            except WardenError:
                self._status.count_event("events", "failed")


def _build_reference(obj: dict[str, Any]) -> dict[str, Any]:
    metadata = obj["metadata"]
    named = {"apiVersion": obj["apiVersion"], "kind": obj["kind"], "name": metadata["name"]}
    place = {"namespace": metadata["namespace"]} if metadata.get("namespace") else {}
    return {**named, **place, "uid": metadata.get("uid"), "resourceVersion": metadata.get("resourceVersion")}
