"""Spans of calls of OPA, of whatever client: OPA goes on with the trace (its ``distributed_tracing``)."""

from urllib.parse import urlsplit

from warden.base.telemetry.traces import NO_SPAN, Span, begin_span, find_trace_id

__all__ = ["DECISION_ID", "begin_call"]

DECISION_ID = "warden.decision_id"
"""The attribute with OPA's id of a decision, as its decision log has it."""


def begin_call(method: str, url: str) -> Span:
    """Begin the span of a call; outside of a trace there is none: what a program looks up by itself is no trace.

    Args:
        method: Of HTTP.
        url: Of a document in OPA. A query names its path; what is read or written may be named by a cluster or a
            resource, of which there are too many for names of spans.
    """
    if find_trace_id() is None:
        return NO_SPAN
    parts = urlsplit(url)
    name = parts.path if method == "POST" else "/".join(parts.path.split("/")[:3])
    attributes = {
        "http.request.method": method,
        "server.address": parts.hostname,
        "server.port": parts.port,
        "url.path": parts.path,
    }
    return begin_span(f"{method} {name}", "client", attributes=attributes)
