"""TLS from Kafka's properties: real handshakes with a server that wants a certificate."""

import socket
import ssl
from collections.abc import Mapping
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.fixtures.certificates import Authority
from warden.base.errors import ConfigurationError
from warden.state.sources.kafka.login.tls_stores import build_client_tls

pytestmark = pytest.mark.process


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """An authority that has issued a server's certificate and a client's; one file has the client's with its key."""
    made = Authority(tmp_path_factory.mktemp("tls"))
    made.issue("server", "/CN=server", "subjectAltName=DNS:localhost")
    certificate, key = made.issue("client", "/CN=alice", "basicConstraints=CA:FALSE")
    (made.directory / "client.pem").write_text(key.read_text() + certificate.read_text())
    return made


def shaken(authority: Authority, properties: Mapping[str, str], name: str) -> str:
    """The subject of the client's certificate as the server sees it, and TLS's version."""
    ours, theirs = socket.socketpair()
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(authority.directory / "server.crt", authority.directory / "server.key")
    server.load_verify_locations(authority.certificate)
    server.verify_mode = ssl.CERT_REQUIRED
    seen: list[str] = []

    def serve() -> None:
        try:
            with server.wrap_socket(theirs, server_side=True) as connected:
                subject: Any = (connected.getpeercert() or {})["subject"]
                seen.append(f"{subject[0][0][1]} {connected.version()}")
                connected.sendall(b"x")
        except OSError:
            theirs.close()

    thread = Thread(target=serve)
    thread.start()
    try:
        with build_client_tls(properties).wrap_socket(ours, server_hostname=name) as connected:
            connected.recv(1)
    finally:
        ours.close()
        thread.join()
    return seen[0]


def _in_files(authority: Authority) -> dict[str, str]:
    directory = authority.directory
    stores = {
        "ssl.truststore.location": str(directory / "ca.crt"),
        "ssl.keystore.location": str(directory / "client.pem"),
    }
    return {**stores, "ssl.truststore.type": "PEM", "ssl.keystore.type": "PEM"}


def _inline(authority: Authority) -> dict[str, str]:
    """As one line each, without line ends."""
    directory = authority.directory
    names = {
        "truststore.certificates": "ca.crt",
        "keystore.certificate.chain": "client.crt",
        "keystore.key": "client.key",
    }
    texts = {f"ssl.{name}": " ".join((directory / file).read_text().split("\n")) for name, file in names.items()}
    return {**texts, "ssl.truststore.type": "PEM", "ssl.keystore.type": "pem"}


def test_stores(authority: Authority) -> None:
    """From files and from the properties themselves; the versions that are enabled are used."""
    assert "alice TLSv1.3" == shaken(authority, _in_files(authority), "localhost")
    assert "alice TLSv1.3" == shaken(authority, _inline(authority), "localhost")
    older = {**_inline(authority), "ssl.enabled.protocols": "TLSv1.2"}
    assert "alice TLSv1.2" == shaken(authority, older, "localhost")


def test_names_are_checked(authority: Authority) -> None:
    """A server by another name is refused, unless the algorithm is empty; one of another authority always."""
    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        shaken(authority, _in_files(authority), "elsewhere")
    unchecked = {**_in_files(authority), "ssl.endpoint.identification.algorithm": ""}
    assert "alice TLSv1.3" == shaken(authority, unchecked, "elsewhere")
    untrusted = {name: text for name, text in unchecked.items() if "truststore" not in name}
    with pytest.raises(ssl.SSLCertVerificationError):
        shaken(authority, untrusted, "localhost")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"ssl.truststore.type": "JKS"}, "ssl.truststore.location {ca}: it is PEM: set ssl.truststore.type=PEM"),
        ({"ssl.truststore.location": "/no/such.pem"}, "ssl.truststore.location: no such file: /no/such.pem"),
        ({"ssl.truststore.location": "{key}"}, "ssl.truststore.location {key}: not PEM"),
        ({"ssl.truststore.certificates": "x"}, "ssl.truststore.location and ssl.truststore.certificates are both"),
        ({"ssl.truststore.password": "x"}, "ssl.truststore.password: a store of type PEM has none"),
        ({"ssl.keystore.location": "{ca}"}, "ssl.keystore.location {ca}: no certificate with its key in PEM"),
        ({"ssl.keystore.key": "x"}, "ssl.keystore.certificate.chain and ssl.keystore.key go together"),
        ({"ssl.enabled.protocols": "TLSv1.1"}, "ssl.enabled.protocols has TLSv1.1: it may have TLSv1.2 and TLSv1.3"),
        ({"ssl.endpoint.identification.algorithm": "no"}, "ssl.endpoint.identification.algorithm is no: it must be"),
    ],
)
def test_what_is_wrong_is_named(authority: Authority, changes: dict[str, str], problem: str) -> None:
    """Before anything is connected to."""
    files = {"{ca}": str(authority.certificate), "{key}": str(authority.directory / "client.key")}
    for name, path in files.items():
        changes = {field: text.replace(name, path) for field, text in changes.items()}
        problem = problem.replace(name, path)
    with pytest.raises(ConfigurationError) as raised:
        build_client_tls({**_in_files(authority), **changes})

    assert str(raised.value).startswith(problem)


@pytest.mark.parametrize("store", ["ssl.truststore", "ssl.keystore"])
def test_a_file_that_may_not_be_read(authority: Authority, monkeypatch: pytest.MonkeyPatch, store: str) -> None:
    """It is named; this process may be root, so the right is taken away by hand."""
    files = _in_files(authority)

    def refuse(_path: Path, *_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(ConfigurationError) as raised:
        build_client_tls({name: text for name, text in files.items() if name.startswith(store)})

    location = f"{store}.location"
    assert (
        f"{location} {files[location]}: cannot be read (Permission denied)" == str(raised.value).partition(": write")[0]
    )


def test_inline_stores_that_are_wrong(authority: Authority, tmp_path: Path) -> None:
    """No PEM, and a key that is encrypted where no password is given."""
    with pytest.raises(ConfigurationError, match=r"ssl\.truststore\.certificates has no -----BEGIN"):
        build_client_tls({"ssl.truststore.type": "PEM", "ssl.truststore.certificates": "x"})
    with pytest.raises(ConfigurationError, match=r"ssl.keystore.key: no certificate with its key"):
        build_client_tls({**_inline(authority), "ssl.keystore.certificate.chain": authority.certificate.read_text()})
