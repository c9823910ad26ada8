"""The common part of servers on aiohttp: the probes, and the port that they are at."""

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, closing
from typing import TYPE_CHECKING, Any, Final, cast

from warden.base.files.redact import redact
from warden.base.http.probes import LISTEN_ERRORS, build_listen_error
from warden.base.process.closing import AsyncManagedProgram
from warden.base.process.open_files import allow_open_files
from warden.base.process.signals import Stopped

if TYPE_CHECKING:
    from aiohttp import web

__all__ = ["AsyncHttpServer", "build_probe_routes", "read_body", "serve_application"]

_BACKLOG: Final = 2048
_IDLE_SECONDS: Final = 120.0  # without a whole request; an API server keeps its connections for 90 s
_HANDSHAKE_SECONDS: Final = 10.0  # for TLS to begin
_BODY_SECONDS: Final = 60.0  # for a body to arrive


class AsyncHttpServer(AsyncManagedProgram):
    """A server at a port.

    Attributes:
        log: Where it says that it listens.
        port: The port; 0 for a free one, until it listens.
    """

    log: logging.Logger
    port: int

    async def serve(self, stopped: Stopped) -> None:
        """Serve until ``stopped`` returns, then let requests under way end."""
        async with self:
            self.log.info("listening", extra={"port": self.port, "openFiles": allow_open_files()})
            await stopped()


def build_probe_routes(
    ready: Callable[[], Awaitable[Mapping[str, Any]]], metrics: Callable[[str], tuple[bytes, str]]
) -> "list[web.RouteDef]":
    """Return ``/healthz``, ``/readyz`` and ``/metrics``, as `warden.base.http.probes.ProbeServer` has them.

    Args:
        ready: Returns what ``/readyz`` shows, secrets masked, with whether all is well under ``ready``.
        metrics: Returns the metrics and their media type, for what the reader takes (``Accept``).
    """
    from aiohttp import web

    async def show_alive(_request: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def show_ready(_request: web.Request) -> web.Response:
        document = redact(await ready())
        return web.json_response(document, status=200 if document["ready"] else 503)

    async def show_metrics(request: web.Request) -> web.Response:
        content, media_type = metrics(request.headers.get("Accept", ""))
        return web.Response(body=content, headers={"Content-Type": media_type})

    return [web.get("/healthz", show_alive), web.get("/readyz", show_ready), web.get("/metrics", show_metrics)]


async def read_body(request: "web.Request") -> bytes:
    """Return a request's body.

    Raises:
        HTTPRequestTimeout: It has not arrived within a minute.
        aiohttp.web.HTTPRequestEntityTooLarge: It is above the application's limit.
        HTTPBadRequest: Whoever sends it has gone.
    """
    from aiohttp import web

    try:
        async with asyncio.timeout(_BODY_SECONDS):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout(reason=f"the body has not arrived within {_BODY_SECONDS:g} s") from None
    except ConnectionError:
        raise web.HTTPBadRequest(reason="the body was not sent to its end") from None


@asynccontextmanager
async def serve_application(
    app: "web.Application",
    address: tuple[str, int],
    *,
    tls: ssl.SSLContext | None = None,
    shared: bool = False,
    shutdown_seconds: float = 60.0,
    most: int | None = None,
) -> AsyncIterator[int]:
    """Serve an application, yield its port, and end what it answers when the block is left.

    A connection without a request for two minutes is closed.

    Args:
        app: The application.
        address: Host and port to listen on; port 0 takes a free one.
        tls: What is served with; None for plain HTTP.
        shared: Whether other processes listen on the same port.
        shutdown_seconds: How long requests under way may take at the end.
        most: How many connections there may be; None for as many as the process may have.

    Raises:
        ConfigurationError: The address cannot be had.
    """
    from warden.base.http.handler import Runner

    runner = Runner(
        app,
        most=most,
        access_log=None,
        shutdown_timeout=shutdown_seconds,
        keepalive_timeout=_IDLE_SECONDS,
    )
    await runner.setup()
    handshake: dict[str, Any] = {} if tls is None else {"ssl": tls, "ssl_handshake_timeout": _HANDSHAKE_SECONDS}
    try:
        try:
            # None where the system has no such option. Not aiohttp's own site, which gives a handshake a minute.
            listener = await asyncio.get_running_loop().create_server(
                cast("web.Server", runner.server), *address, backlog=_BACKLOG, reuse_port=shared or None, **handshake
            )
        except LISTEN_ERRORS as error:
            raise build_listen_error(address, error) from error
        with closing(listener):
            yield int(listener.sockets[0].getsockname()[1])
    finally:
        await asyncio.shield(runner.cleanup())
