"""Spans of calls of OPA, of whatever client: OPA goes on with the trace (its ``distributed_tracing``)."""

from urllib.parse import urlsplit

from warden.base.process.traces import Span, begin_child

__all__ = ["DECISION_ID", "begin_call"]

DECISION_ID = "warden.decision_id"
"""The attribute with OPA's id of a decision, as its decision log has it."""


def begin_call(method: str, url: str) -> Span:
    """Begin the span of a call, where it is part of a trace.

    Args:
        method: Of HTTP.
        url: Of a document in OPA. A query names its path; what is read or written may be named by a cluster or a
            resource, of which there are too many for names of spans.
    """
    parts = urlsplit(url)
    name = parts.path if method == "POST" else "/".join(parts.path.split("/")[:3])
    attributes = {
        "http.request.method": method,
        "server.address": parts.hostname,
        "server.port": parts.port,
        "url.path": parts.path,
    }
    return begin_child(f"{method} {name}", "client", attributes)
