"""A real OPA behind TLS whose certificates are from another authority after a restart."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from warden.errors import OpaUnreachable
from warden.opa.client import OpaClient, Retries
from warden.process.ports import free_port


@contextmanager
def _opa(program: Path, port: int, authority: Authority) -> Iterator[None]:
    certificate, key = authority.issue("opa", "/CN=opa", "subjectAltName=IP:127.0.0.1")
    options = [f"--addr=127.0.0.1:{port}", f"--tls-cert-file={certificate}", f"--tls-private-key-file={key}"]
    command = [str(program), "run", "--server", "--skip-version-check", "--log-level=error", *options]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.opa
def test_the_authority_is_another(opa_binary, tmp_path):
    """A client that is refused trust reads the file again with the next request, and goes on."""
    first, second = Authority(_made(tmp_path / "first")), Authority(_made(tmp_path / "second"))
    port, trusted = free_port(), tmp_path / "ca.pem"
    trusted.write_text(first.certificate.read_text())
    with OpaClient(f"https://127.0.0.1:{port}", retries=Retries(1), ca_file=trusted) as client:
        with _opa(opa_binary, port, first):
            eventually(lambda: client.health(bundles=False), "the first OPA")
            client.put_data(["a"], 1)
        with _opa(opa_binary, port, second):
            refusal = eventually(lambda: _refusal(client), "no trust in the second")
            trusted.write_text(second.certificate.read_text())
            client.put_data(["a"], 2)
            kept = client.get_data(["a"])

    assert "cannot be trusted" in refusal
    assert 2 == kept


def _made(directory: Path) -> Path:
    directory.mkdir()
    return directory


def _refusal(client: OpaClient) -> str:
    """Why the client does not trust OPA; empty while none listens."""
    try:
        client.get_data(["a"])
    except OpaUnreachable as error:
        return str(error) if "trusted" in str(error) else ""
    raise AssertionError("a certificate of an unknown authority was trusted")
