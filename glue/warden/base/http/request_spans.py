"""Spans of the requests that a server on aiohttp answers: children of the caller's, where it says so."""

from aiohttp import web
from aiohttp.typedefs import Handler

from warden.base.telemetry.traces import begin_span, extract_context

__all__ = ["trace_requests"]

_FAILED = 500


@web.middleware
async def trace_requests(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a request to a path that takes POST within a span; whoever looks at a probe or a page begins no trace."""
    resource = request.match_info.route.resource
    if request.method != "POST" or resource is None:
        return await handler(request)
    attributes = {
        "http.request.method": request.method,
        "http.route": resource.canonical,
        "client.address": request.remote,
    }
    parent = extract_context(request.headers)
    with begin_span(f"POST {resource.canonical}", "server", parent=parent, attributes=attributes) as span:
        try:
            answer = await handler(request)
        except web.HTTPException as error:
            span.set_attributes({"http.response.status_code": error.status})
            refusal = error
        else:
            span.set_attributes({"http.response.status_code": answer.status})
            if answer.status >= _FAILED:
                span.fail(str(answer.status))
            return answer
    raise refusal
