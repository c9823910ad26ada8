"""Events about objects, as an API server takes them (events.k8s.io/v1)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from warden.base.files.redact import redact_line
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["build_event", "send_event"]


def build_event(
    regarding: Mapping[str, Any], *, component: str, instance: str, action: str, reason: str, type: str, note: str
) -> dict[str, Any]:
    """Return an event, in the namespace of its object.

    Args:
        regarding: The object.
        component, instance: The part of Warden that reports it, and which of several.
        action, reason: In one word.
        type: ``Normal`` or ``Warning``.
        note: For a person; it is cut where it is too long, or holds a secret.
    """
    return {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": {"generateName": f"warden-{component}-", "namespace": regarding.get("namespace", "default")},
        "eventTime": datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "reportingController": f"warden.io/{component}",
        "reportingInstance": instance[:128],
        "action": action,
        "reason": reason,
        "type": type,
        "regarding": regarding,
        "note": redact_line(note).encode()[:1024].decode(errors="ignore"),  # bytes, as the API server has it
    }


def send_event(api: ApiServer, event: Mapping[str, Any]) -> None:
    """Send an event to its namespace."""
    namespace = quote(event["metadata"]["namespace"], safe="")
    api.send("POST", f"/apis/events.k8s.io/v1/namespaces/{namespace}/events", event)
