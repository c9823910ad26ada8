"""Handling of bytes that are not an HTTP request, and of unused connections, for servers on aiohttp."""

import asyncio
import logging
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from warden.base.process.open_files import has_open_files_left

__all__ = ["UNREADABLE", "Runner"]

UNREADABLE = "the request cannot be read: send HTTP/1.1, and a body that is as Content-Encoding says"
"""What the sender of such bytes gets."""

_LOG = logging.getLogger(__name__)
_BROKEN = (HttpProcessingError, web.RequestPayloadError)


class Runner(web.AppRunner):
    """Runs an application as aiohttp's own runner does, but for what anybody can send before it is known who that is.

    Of a request that cannot be read aiohttp logs a trace, and answers with what it got; here it is one line, and a
    sentence. Of connections there are so many at the most, and fewer where the process may not have more open files:
    for another one that is closed which has been without a request for longest.

    Args:
        app: The application.
        most: How many connections; None for as many as the process may have.
        options: As of aiohttp's.
    """

    __slots__ = ("_most",)

    def __init__(self, app: web.Application, *, most: int | None = None, **options: Any) -> None:
        super().__init__(app, **options)
        self._most = most

    async def _make_server(self) -> web.Server:
        made = await super()._make_server()
        server = _Server(made.request_handler, request_factory=made.request_factory, **self._kwargs)
        server.most = self._most
        return server


class _Server(web.Server):
    most: int | None = None

    def __call__(self) -> web.RequestHandler:
        return _Handler(self, loop=self._loop, **self._kwargs)

    def move_to_end(self, handler: web.RequestHandler) -> None:
        """Note that somebody asks on a connection, if it is still there."""
        if (transport := self._connections.pop(handler, None)) is not None:
            self._connections[handler] = transport

    def make_room(self) -> None:
        """Close the connection that has been without a request for longest, where there are too many."""
        if (self.most is not None and len(self._connections) > self.most) or not has_open_files_left(
            len(self._connections)
        ):
            handler = next(iter(self._connections))
            self._connections.pop(handler).abort()


class _Handler(web.RequestHandler):
    __slots__ = ()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if isinstance(self._manager, _Server):
            self._manager.make_room()

    async def _handle_request(self, *arguments: Any) -> tuple[web.StreamResponse, bool]:
        if isinstance(self._manager, _Server):
            self._manager.move_to_end(self)
        return await super()._handle_request(*arguments)

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        if isinstance(exc, ConnectionError) and (request.transport is None or request.transport.is_closing()):
            raise ConnectionError("the client is gone") from exc  # which aiohttp passes over
        if not isinstance(exc, _BROKEN):
            return super().handle_error(request, status, exc, message)
        if isinstance(exc, HttpProcessingError):  # of a body `log_exception` is called too
            _LOG.warning("a request that cannot be read", extra={"remote": request.remote})
        if request.writer.output_size > 0:
            raise ConnectionError("the answer has begun")
        answer = web.Response(status=400, text=UNREADABLE)
        answer.force_close()
        return answer

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """Log a failure: one line of a body that cannot be read."""
        error = kw.get("exc_info")
        if isinstance(error, _BROKEN):
            _LOG.warning("a request whose body cannot be read")
        else:
            super().log_exception(*args, **kw)
