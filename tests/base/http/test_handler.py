"""Bytes that are no HTTP request, sent to a server by nobody in particular."""

import asyncio
import gzip
import logging
import ssl

import pytest
from aiohttp import web

from tests.fixtures.certificates import Authority
from tests.fixtures.patience import PATIENCE
from warden.base.http import app as http_app
from warden.base.http.app import serve_application
from warden.base.http.handler import UNREADABLE
from warden.enforce.service.failures import answer_failures

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


def _answer(handler, sent: bytes, *, is_whole: bool = True) -> bytes:
    async def send() -> bytes:
        app = web.Application()
        app.add_routes([web.post("/", handler)])
        async with serve_application(app, ("127.0.0.1", 0)) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            answer = await asyncio.wait_for(reader.read() if is_whole else reader.readline(), PATIENCE)
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


@pytest.mark.parametrize(
    ("limit", "sent", "status"),
    [
        ("_BODY_SECONDS", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nshort", b"408"),
        ("_IDLE_SECONDS", b"POST / HTTP/1.1\r\nHost: x\r\nX: ", b""),
        ("_IDLE_SECONDS", b"", b""),
    ],
)
def test_a_client_that_never_finishes(monkeypatch, caplog, limit, sent, status):
    """A body that does not arrive is answered, and a connection without a whole request ends; nothing is logged."""
    monkeypatch.setattr(http_app, limit, 0.2)
    answer = _answer(_read_in_time, sent, is_whole=False)

    assert status == answer[9:12]
    assert [] == caplog.records


@pytest.mark.parametrize("header", [b"Expect: 100-continue", b"Content-Type: application/json"])
def test_a_client_that_goes_away_in_the_midst(caplog, header):
    """Before the answer 100, or before its body is there: that is no defect, and nothing is logged."""
    head = b"POST / HTTP/1.1\r\nHost: x\r\n" + header + b"\r\nContent-Length: 9\r\n\r\n"

    async def send() -> None:
        app = web.Application(middlewares=[answer_failures])
        app.add_routes([web.post("/", _read_in_time)])
        async with http_app.serve_application(app, ("127.0.0.1", 0)) as port:
            for _ in range(20):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(head)
                await asyncio.sleep(0)
                writer.transport.abort()

    with caplog.at_level(logging.INFO):
        asyncio.run(send())
    assert [] == caplog.records


async def _read_in_time(request: web.Request) -> web.Response:
    return web.Response(body=await http_app.read_body(request))


def test_more_connections_than_there_may_be():
    """Those end that have been without a request for longest; one with requests stays, however old it is."""

    async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
        return await reader.readuntil(b"\r\n\r\n")

    async def send() -> list[bool]:
        app = web.Application()
        app.add_routes([web.post("/", _read)])
        async with http_app.serve_application(app, ("127.0.0.1", 0), most=3) as port:
            made = []
            for _ in range(9):
                made.append(await asyncio.open_connection("127.0.0.1", port))
                assert (await ask(*made[0])).startswith(b"HTTP/1.1 200")
            for reader, _ in made[1:7]:
                await asyncio.wait_for(reader.read(), PATIENCE)
            is_open = [not reader.at_eof() for reader, _ in made]
            for _, writer in made:
                writer.close()
            return is_open

    assert [True, *[False] * 6, True, True] == asyncio.run(send())


@pytest.mark.process
def test_a_client_that_begins_no_tls(monkeypatch, tmp_path):
    """Its connection ends after a time."""
    monkeypatch.setattr(http_app, "_HANDSHAKE_SECONDS", 0.2)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*Authority(tmp_path).issue("server", "/CN=server", "subjectAltName=IP:127.0.0.1"))

    async def send() -> bytes:
        async with http_app.serve_application(web.Application(), ("127.0.0.1", 0), tls=context) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            answer = await asyncio.wait_for(reader.read(), PATIENCE)
            writer.close()
            return answer

    assert b"" == asyncio.run(send())
