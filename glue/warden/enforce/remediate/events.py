"""Events about objects (events.k8s.io/v1), sent in the background: what cannot be sent is counted and left out."""

import queue
import threading
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import quote

from warden.base.errors import WardenError
from warden.base.files.redact import redact_line
from warden.enforce.remediate.remediation import Remediation
from warden.enforce.remediate.status import RemediatorStatus
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["RemediationEvents", "event"]

_WAITING: Final = 1000
_LONGEST: Final = 1024  # bytes of a note, as the API server has it
_CONTROLLER: Final = "warden.io/remediator"


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

    def report_patch(self, one: Remediation) -> None:
        """Tell of an object that was patched."""
        self._put(one, "Normal", "Remediated", f"policy has changed {', '.join(one.after)}")

    def report_refusal(self, one: Remediation) -> None:
        """Tell of an object that is left as it is."""
        self._put(one, "Warning", "RemediationRefused", "; ".join(one.errors))

    def close(self, patience: float = 5.0) -> None:
        """Send what waits, for so many seconds, and end."""
        if self._thread.is_alive():
            try:
                self._queue.put_nowait(None)
            except queue.Full:
                return
            self._thread.join(patience)

    def _put(self, one: Remediation, type: str, reason: str, note: str) -> None:
        if self._api is None:
            return
        try:
            self._queue.put_nowait(event(one, type, reason, note, self._instance))
        except queue.Full:
            self._status.count("events", "dropped")

    def _run(self) -> None:
        while (document := self._queue.get()) is not None:
            namespace = quote(document["metadata"]["namespace"], safe="")
            try:
                if self._api is not None:
                    self._api.send("POST", f"/apis/events.k8s.io/v1/namespaces/{namespace}/events", document)
                self._status.count("events", "sent")
            except WardenError:
                self._status.count("events", "failed")


def event(one: Remediation, type: str, reason: str, note: str, instance: str) -> dict[str, Any]:
    """Return an event as the API server takes it.

    Args:
        one: Whose object it is about.
        type: ``Normal`` or ``Warning``.
        reason: In one word.
        note: For a person; it is cut where it is too long, or holds a secret.
        instance: Which of several remediators this is.
    """
    metadata = one.thing["metadata"]
    namespace = metadata.get("namespace") or "default"
    regarding = {
        "apiVersion": one.thing["apiVersion"],
        "kind": one.thing["kind"],
        "name": metadata["name"],
        **({"namespace": namespace} if metadata.get("namespace") else {}),
        "uid": metadata.get("uid"),
        "resourceVersion": metadata.get("resourceVersion"),
    }
    return {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": {"generateName": "warden-remediator-", "namespace": namespace},
        "eventTime": datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "reportingController": _CONTROLLER,
        "reportingInstance": instance[:128],
        "action": "Remediate",
        "reason": reason,
        "type": type,
        "regarding": regarding,
        "note": redact_line(note).encode()[:_LONGEST].decode(errors="ignore"),
    }
