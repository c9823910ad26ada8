"""The console as an application: its pages, who may look at them, and what fails."""

import logging
import math
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from aiohttp import web

from warden.base.errors import InputError, WardenError
from warden.base.http.app import build_probe_routes
from warden.base.http.handler import UNREADABLE
from warden.base.http.request_spans import trace_requests
from warden.console.gate import Gate, with_viewer
from warden.console.pages.context import NAVIGATION, Console, Page
from warden.console.pages.decisions import DECISIONS
from warden.console.pages.estate import ESTATE
from warden.console.pages.policy import PLAYGROUND, RULES
from warden.console.pages.render import CONTENT_SECURITY_POLICY, respond, show_asset
from warden.console.pages.uploads import upload_routes
from warden.enforce.service.callers import Throttled, Unauthorized

__all__ = ["PAGES", "build_app"]

PAGES: Final[tuple[Page, ...]] = (DECISIONS, ESTATE, RULES, PLAYGROUND)
"""The pages, as the navigation has them; the first is where the console begins."""

_LOG = logging.getLogger(__name__)
_BODY_BYTES: Final = 4 * 1024 * 1024
_OPEN: Final = frozenset({"/healthz", "/readyz", "/metrics", "/logs"})  # /logs has a token of its own
_HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def build_app(
    console: Console,
    gate: Gate,
    ready: Callable[[], Awaitable[Mapping[str, Any]]],
    metrics: Callable[[str], tuple[bytes, str]],
) -> web.Application:
    """Return the application.

    Args:
        console: What its pages have at hand.
        gate: Who may look.
        ready, metrics: As of `warden.base.http.app.build_probe_routes`.
    """
    app = web.Application(client_max_size=_BODY_BYTES, middlewares=[trace_requests, _add_headers, _answer_failures])
    app.middlewares.append(_build_gate_middleware(gate))
    app[NAVIGATION] = PAGES
    app.add_routes([web.get("/", _show_first), web.get("/static/{name}", show_asset)])
    for page in PAGES:
        app.add_routes(page.routes(console))
    app.add_routes(upload_routes(console))
    app.add_routes(build_probe_routes(ready, metrics))
    return app


async def _show_first(_request: web.Request) -> web.Response:
    raise web.HTTPFound(PAGES[0].path)


def _build_gate_middleware(gate: Gate) -> Any:
    """What lets nobody past who may not look."""

    @web.middleware
    async def admit(request: web.Request, handler: _Handler) -> web.StreamResponse:
        if request.path in _OPEN or request.path.startswith("/static/"):
            return await handler(request)
        with with_viewer(gate.authenticate(request)):
            return await handler(request)

    return admit


@web.middleware
async def _add_headers(request: web.Request, handler: _Handler) -> web.StreamResponse:
    try:
        response = await handler(request)
    except web.HTTPException as error:
        error.headers.update(_HEADERS)
        raise
    if not response.prepared:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
    return response


@web.middleware
async def _answer_failures(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Answer failures as a page, or as JSON."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        return _respond_error(request, error.status, error.reason)
    except ConnectionError:
        raise  # nobody is there
    except Exception as error:
        return _respond_failure(request, error)


def _respond_failure(request: web.Request, error: Exception) -> web.Response:
    if isinstance(error, Unauthorized):
        challenge = {"WWW-Authenticate": 'Basic realm="Warden: any name, and your token as the password"'}
        return _respond_error(request, 401, str(error), challenge)
    if isinstance(error, Throttled):
        return _respond_error(request, 429, str(error), {"Retry-After": str(math.ceil(error.seconds))})
    if isinstance(error, InputError):
        return _respond_error(request, 400, str(error))
    if isinstance(error, web.RequestPayloadError):
        return _respond_error(request, 400, UNREADABLE)
    if isinstance(error, WardenError):
        _LOG.warning("not answered", extra={"error": str(error)})
        return _respond_error(request, 503, "this cannot be shown at the moment: the console's log says why")
    _LOG.error("a defect", exc_info=error)
    return _respond_error(request, 500, "the page failed: the console's log says why")


def _respond_error(
    request: web.Request, status: int, sentence: str, headers: Mapping[str, str] | None = None
) -> web.Response:
    answer = respond(request, "error.html.j2", {"error": sentence, "status": status}, status=status)
    answer.headers.update(headers or {})
    return answer
