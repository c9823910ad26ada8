"""Probes under clients that never finish: those that ask are answered, and nothing is kept for those that do not."""

import asyncio
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from urllib.request import urlopen

import pytest
from aiohttp import web

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import ConfigurationError
from warden.base.http import server as http_server
from warden.base.http.app import serve_application
from warden.base.http.probes import ProbeServer
from warden.base.http.server import SilentHandler

_MOST = 100


@pytest.fixture
def probes() -> Iterator[ProbeServer]:
    """Those of a program that is well."""
    server = ProbeServer("127.0.0.1", 0, ready=lambda: {"ready": True}, metrics=lambda: b"a 1\n", alive=lambda: True)
    yield server
    server.stop()


def _is_alive(port: int) -> bool:
    with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE) as answer:
        return bool(json.load(answer)["alive"])


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HT", b"GET /readyz HTTP/1.1\r\nHost: a\r\nX: "])
def test_many_that_never_finish(probes: ProbeServer, sent: bytes) -> None:
    """However many there are: a probe is answered, and no more than a hundred of them have a thread."""
    before = threading.active_count()
    with ExitStack() as opened:
        for number in range(5 * _MOST):
            client = opened.enter_context(closing(socket.create_connection(("127.0.0.1", probes.port), PATIENCE)))
            client.sendall(sent)
            if number % _MOST == 0:
                assert _is_alive(probes.port)
        assert _is_alive(probes.port)
        eventually(lambda: threading.active_count() <= before + _MOST, "the oldest have ended")
    eventually(lambda: threading.active_count() <= before, "all have ended")


def test_one_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its connection ends after a time."""
    assert SilentHandler.timeout == http_server._IDLE_SECONDS
    monkeypatch.setattr(SilentHandler, "timeout", 0.2)
    server = ProbeServer("127.0.0.1", 0, ready=lambda: {"ready": True}, metrics=bytes, alive=lambda: True)
    with closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE)) as client:
        assert b"" == client.recv(1)
    server.stop()


@pytest.mark.parametrize("address", [("a..b", 0), ("192.0.2.1", 0), ("127.0.0.1", 70_000)])
def test_an_address_that_cannot_be_had(address: tuple[str, int]) -> None:
    """It is named, whether threads serve there or an event loop."""

    async def serve() -> None:
        async with serve_application(web.Application(), address):
            pass

    said = rf"^--listen {re.escape(address[0])}:{address[1]}: .*: give another address$"
    with pytest.raises(ConfigurationError, match=said):
        ProbeServer(*address, ready=dict, metrics=bytes, alive=lambda: True)
    with pytest.raises(ConfigurationError, match=said):
        asyncio.run(serve())
