"""What a port is listened with: each connection has the authorities of now, also where it resumes a session."""

import logging
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.fixtures.certificates import Authority
from tests.fixtures.patience import PATIENCE
from warden.base.tls import listener as tls_listener
from warden.base.tls.listener import ListenerTls, build_optional_login_context

pytestmark = pytest.mark.process

_V2, _V3 = ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3


class Listener:
    """A port that says to each client whether it has resumed a session; in a thread, or through memory as a loop does.

    Args:
        directory: Where its files go.
        in_memory: Whether it is served through memory.
    """

    def __init__(self, directory: Path, *, in_memory: bool) -> None:
        self.ca = directory / "clients.crt"
        self.before, self.after = (Authority(_make(directory / name)) for name in ("before", "after"))
        self._server_pair = self.after.issue("server", "/CN=server", "subjectAltName=IP:127.0.0.1")
        self._client_pair = self.before.issue("mallory", "/CN=mallory", "extendedKeyUsage=clientAuth")
        self.trust(self.before)
        files = ListenerTls(
            certificate_file=self._server_pair[0], key_file=self._server_pair[1], client_ca_file=self.ca
        )
        context = build_optional_login_context(files, logging.getLogger("test"))
        assert context is not None
        self._context, self._answer = context, _answer_in_memory if in_memory else _answer_in_thread
        self._socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()

    def trust(self, authority: Authority) -> None:
        """Replace the authorities of clients, as one renames a file into its place."""
        new = self.ca.with_name("new.crt")
        new.write_bytes(authority.certificate.read_bytes())
        new.rename(self.ca)

    def connect(self, context: ssl.SSLContext, session: ssl.SSLSession | None) -> tuple[bytes, ssl.SSLSession | None]:
        """Return what a client with these hears, and its session; nothing where it is refused."""
        with (
            suppress(ssl.SSLError, ConnectionError),
            closing(self._connect()) as plain,
            context.wrap_socket(plain, server_hostname="127.0.0.1", session=session) as connection,
        ):
            heard, kept = connection.recv(9), connection.session
            connection.unwrap()
            return heard, kept
        return b"", None

    def build_client_context(self, version: ssl.TLSVersion) -> ssl.SSLContext:
        """Return what a client of a version of TLS connects with."""
        context = ssl.create_default_context(cafile=self.after.certificate)
        context.maximum_version = version
        context.load_cert_chain(*self._client_pair)
        return context

    def close(self) -> None:
        """Close the port."""
        self._socket.close()

    def _connect(self) -> socket.socket:
        return socket.create_connection(self._socket.getsockname(), PATIENCE)

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                with suppress(ssl.SSLError, ConnectionError), closing(client):
                    self._answer(self._context, client)


def _make(directory: Path) -> Path:
    directory.mkdir()
    return directory


def _answer_in_thread(context: ssl.SSLContext, client: socket.socket) -> None:
    with context.wrap_socket(client, server_side=True) as connection:
        connection.sendall(b"resumed" if connection.session_reused else b"new")
        connection.unwrap()  # without which OpenSSL forgets the session


def _answer_in_memory(context: ssl.SSLContext, client: socket.socket) -> None:
    received, sent = ssl.MemoryBIO(), ssl.MemoryBIO()
    connection = context.wrap_bio(received, sent, server_side=True)
    while True:
        try:
            connection.do_handshake()
            break
        except ssl.SSLWantReadError:
            client.sendall(sent.read())
            received.write(client.recv(65536))
    connection.write(b"resumed" if connection.session_reused else b"new")
    with suppress(ssl.SSLWantReadError):
        connection.unwrap()
    client.sendall(sent.read())


@pytest.fixture(params=[False, True], ids=["thread", "memory"])
def listener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Listener]:
    """A port whose clients log in with certificates."""
    opened = Listener(tmp_path, in_memory=request.param)
    yield opened
    opened.close()


@pytest.mark.parametrize("version", [_V2, _V3])
def test_an_authority_is_taken_out(listener: Listener, version: ssl.TLSVersion) -> None:
    """Its clients come in no longer, not with the session of an earlier connection either."""
    client = listener.build_client_context(version)
    first, session = listener.connect(client, None)
    again, _ = listener.connect(client, session)
    assert (b"new", b"resumed" if version == _V2 else b"new") == (first, again)

    listener.trust(listener.after)
    assert [b"", b""] == [listener.connect(client, one)[0] for one in (None, session)]

    listener.trust(listener.before)
    assert b"new" == listener.connect(client, session)[0]  # which is not refused for its session


def test_a_session_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a time, so that a certificate that has expired meanwhile is seen; the client shows it again."""
    monkeypatch.setattr(tls_listener, "_SESSION_SECONDS", 0.0)
    with closing(Listener(tmp_path, in_memory=True)) as listener:
        client = listener.build_client_context(_V2)
        _, session = listener.connect(client, None)
        assert b"new" == listener.connect(client, session)[0]
