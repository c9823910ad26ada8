"""What serves the bundle to a local OPA, when clients do not stay."""

import socket
import struct
import threading
from http.server import BaseHTTPRequestHandler

import pytest

from tests.fixtures.conditions import eventually
from warden.base.http.server import HttpServer
from warden.policy.opa.bundle_server import BundleServer


@pytest.fixture
def endpoint(tmp_path):
    """It serves more than the buffers of a connection hold."""
    bundle = tmp_path / "bundle.tar.gz"
    bundle.write_bytes(bytes(32 << 20))
    served = BundleServer(bundle)
    yield served
    served.stop()


def test_a_client_that_goes_away(endpoint, capsys):
    """An OPA that is stopped in the middle of a download is nothing that the user has to read about."""
    before = set(threading.enumerate())
    host, port = endpoint.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as client:
        client.sendall(f"GET /{endpoint.resource} HTTP/1.1\r\nAuthorization: Bearer {endpoint.token}\r\n\r\n".encode())
        client.recv(1)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closed by a reset
    eventually(lambda: set(threading.enumerate()) <= before, "the thread that served it has ended")

    assert ("", "") == capsys.readouterr()


def test_a_defect_is_reported(capsys):
    """Only what clients do is passed over."""
    server = HttpServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    try:
        raise ZeroDivisionError("made up")
    except ZeroDivisionError:
        server.handle_error(None, ("127.0.0.1", 1))
    finally:
        server.server_close()

    assert "ZeroDivisionError: made up" in capsys.readouterr().err
