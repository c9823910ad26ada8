"""What servers on aiohttp do with bytes that are no HTTP request: one line of the log, and an answer without them."""

import logging
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

__all__ = ["UNREADABLE", "Runner"]

UNREADABLE = "the request cannot be read: send HTTP/1.1, and a body that is as Content-Encoding says"
"""What the sender of such bytes gets."""

_LOG = logging.getLogger(__name__)
_BROKEN = (HttpProcessingError, web.RequestPayloadError)


class Runner(web.AppRunner):
    """Runs an application as aiohttp's own runner does, but for requests that cannot be read.

    Anybody can send these, before anything says who it is: aiohttp logs a trace of each and answers with what it got.
    """

    __slots__ = ()

    async def _make_server(self) -> web.Server:
        made = await super()._make_server()
        return _Server(made.request_handler, request_factory=made.request_factory, **self._kwargs)


class _Server(web.Server):
    def __call__(self) -> web.RequestHandler:
        return _Handler(self, loop=self._loop, **self._kwargs)


class _Handler(web.RequestHandler):
    __slots__ = ()

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
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
