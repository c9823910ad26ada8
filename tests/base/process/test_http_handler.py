"""Bytes that are no HTTP request, sent to a server by nobody in particular."""

import asyncio
import gzip
import logging

import pytest
from aiohttp import web

from tests.fixtures.patience import PATIENCE
from warden.base.process.http_app import serve_application
from warden.base.process.http_handler import UNREADABLE

_PACKED = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\nConnection: close\r\n\r\n"
_BROKEN = {
    "header": b"GET / HTTP/1.1\r\nsecret sent: a\r\n\r\n",
    "method": b"s@cret / HTTP/1.1\r\nHost: x\r\n\r\n",
    "TLS": b"\x16\x03\x01secret",
    "gzip": _PACKED + b"secret-secret-secret",
}


async def _read(request: web.Request) -> web.Response:
    return web.Response(body=await request.read())


async def _refuse(_request: web.Request) -> web.Response:
    raise web.HTTPUnauthorized


async def _fail(_request: web.Request) -> web.Response:
    raise RuntimeError("a defect")


def _answer(handler, sent: bytes) -> bytes:
    async def send() -> bytes:
        app = web.Application()
        app.add_routes([web.post("/", handler)])
        async with serve_application(app, ("127.0.0.1", 0)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
            writer.close()
            return answer

    return asyncio.run(send())


@pytest.mark.parametrize("sent", _BROKEN.values(), ids=_BROKEN)
def test_a_request_that_cannot_be_read_is_one_line_and_is_not_repeated(caplog, sent):
    """A line without a trace; the answer has nothing of what was sent."""
    with caplog.at_level(logging.INFO):
        answer = _answer(_read, sent)

    assert b" 400 " in answer.splitlines()[0]
    assert answer.endswith(UNREADABLE.encode())
    assert [None] == [record.exc_info for record in caplog.records]
    assert "cret" not in caplog.text


def test_a_body_that_nobody_reads_is_one_line(caplog):
    """Of a caller who is not admitted."""
    with caplog.at_level(logging.INFO):
        answer = _answer(_refuse, _BROKEN["gzip"])

    assert b" 401 " in answer.splitlines()[0]
    assert [None] == [record.exc_info for record in caplog.records]


def test_what_can_be_read_is(caplog):
    """A packed body as another; and a defect is logged with its trace."""
    packed = gzip.compress(b"a" * 9000)
    answer = _answer(_read, _PACKED.replace(b"20", str(len(packed)).encode()) + packed)
    assert answer.endswith(b"\r\n\r\n" + b"a" * 9000)
    assert [] == caplog.records

    assert b" 500 " in _answer(_fail, b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").splitlines()[0]
    (record,) = caplog.records
    assert record.exc_info
