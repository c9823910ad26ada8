"""A real OPA whose certificate is of an authority that the system does not trust: every client learns of it."""

import logging
import pickle
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.tls_opa import tls_opa
from tests.policy.opa.faults import GOOD
from warden import Warden
from warden.base.errors import ConfigurationError, OpaUnreachable
from warden.base.http.ports import find_free_port
from warden.base.tls.reloading_context import load_client_context
from warden.policy.failover.settings import FailoverSettings
from warden.policy.opa.client import OpaClient, RetryPolicy
from warden.policy.opa.connection_config import OpaConnectionConfig
from warden.policy.opa.endpoints import RemoteOpa
from warden.policy.opa.health import Health, HealthCheck
from warden.policy.opa.session import OpaOptions, open_session

_LOG = logging.getLogger(__name__)
_DECISION = {"allowed": True, "errors": [], "error": None, "violations": []}


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Who signed OPA's certificate; its file has a comment in UTF-8, as bundles of authorities have."""
    made = Authority(tmp_path_factory.mktemp("authority"))
    made.certificate.write_text(f"# Főtanúsítvány\n{made.certificate.read_text()}", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Who signed nothing."""
    return Authority(tmp_path_factory.mktemp("stranger"))


@pytest.fixture(scope="module")
def address(opa_binary: Path, authority: Authority) -> Iterator[str]:
    """The address of an OPA that allows everything."""
    port = find_free_port()
    url, tls = f"https://127.0.0.1:{port}", load_client_context(authority.certificate, None, "opa", _LOG)
    with tls_opa(opa_binary, port, authority), OpaClient(url, tls=tls) as client:
        eventually(lambda: client.is_healthy(bundles=False), "OPA")
        client.put_data(["kafka"], {"decision": _DECISION})
        yield url


def _ask_warden(url: str, ca_file: Path | None) -> object:
    with Warden(url, cluster="prod", ca_file=ca_file) as warden:
        return warden.decide_document({})


def _ask_config(url: str, ca_file: Path | None) -> object:
    with OpaConnectionConfig(url=url, ca_file=ca_file).build_client() as client:
        return client.decide({})


def _ask_several(url: str, ca_file: Path | None) -> object:
    with FailoverSettings(urls=(url,), ca_file=ca_file).build_client() as client:
        return client.decide({})


def _ask_session(url: str, ca_file: Path | None) -> object:
    with open_session(OpaOptions((url,), ca_file=ca_file)) as session, session.build_client() as client:
        return client.decide({})


def _ask_from_task(url: str, ca_file: Path | None) -> object:
    authorities = OpaOptions((url,), ca_file=ca_file).read_authorities()
    endpoint = pickle.loads(pickle.dumps(RemoteOpa(url, authorities=authorities, retries=RetryPolicy(1))))
    with endpoint.open(1, 0) as post:
        return _DECISION if post("kafka/decision", GOOD).startswith(b'{"result":{') else None


_CLIENTS = pytest.mark.parametrize("ask", [_ask_warden, _ask_config, _ask_several, _ask_session, _ask_from_task])
_Ask = Callable[[str, Path | None], object]


@pytest.mark.opa
@_CLIENTS
def test_the_ca_file(ask: _Ask, address: str, authority: Authority) -> None:
    """With the authority's file every client is answered, and a task that has not the file too."""
    assert _DECISION == ask(address, authority.certificate)


@pytest.mark.opa
@_CLIENTS
def test_the_system(ask: _Ask, address: str, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a file those count whom the system trusts, as OpenSSL finds them, and not those of a library."""
    with pytest.raises(OpaUnreachable, match="cannot be trusted"):
        ask(address, None)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.certificate))

    assert _DECISION == ask(address, None)


@pytest.mark.opa
@_CLIENTS
def test_the_file_alone(
    ask: _Ask, address: str, authority: Authority, stranger: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a file nobody else is trusted: neither whom the system trusts, nor whom the libraries do."""
    for variable in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        monkeypatch.setenv(variable, str(authority.certificate))
    monkeypatch.setattr("requests.adapters.DEFAULT_CA_BUNDLE_PATH", str(authority.certificate))

    with pytest.raises(OpaUnreachable, match="cannot be trusted"):
        ask(address, stranger.certificate)


@pytest.mark.opa
def test_a_certificate_to_log_in_with(opa_binary: Path, authority: Authority) -> None:
    """A context with a certificate and a key logs in, at an OPA that takes nobody without."""
    port, issued = find_free_port(), authority.issue("client", "/CN=client", "extendedKeyUsage=clientAuth")
    url, trusted = f"https://127.0.0.1:{port}", authority.certificate
    known, unknown = (load_client_context(trusted, pair, "opa", _LOG) for pair in (issued, None))
    options = ("--authentication=tls", f"--tls-ca-cert-file={trusted}")
    with tls_opa(opa_binary, port, authority, *options), OpaClient(url, tls=known) as client:
        eventually(lambda: client.is_healthy(bundles=False), "OPA")
        with OpaClient(url, tls=unknown, retries=RetryPolicy(1)) as other, pytest.raises(OpaUnreachable):
            other.read_revisions()


@pytest.mark.parametrize(
    ("ask", "place"),
    [
        (_ask_warden, "ca_file"),
        (_ask_config, "opa.caFile"),
        (_ask_several, "opa.caFile"),
        (_ask_session, "--opa-ca-file (WARDEN_OPA_CA_FILE)"),
        (lambda url, ca_file: HealthCheck(url, ca_file=ca_file)(), "--ca-file"),
    ],
)
@pytest.mark.parametrize("content", [None, "", "no certificate"])
def test_a_file_that_cannot_be_loaded(ask: Any, place: str, content: str | None, tmp_path: Path) -> None:
    """One that is missing or has no certificate is named, with where it was given, before OPA is called."""
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)

    with pytest.raises(ConfigurationError, match=f"^{re.escape(f'{place}: {path} cannot be loaded (')}.*: give PEM"):
        ask("https://127.0.0.1:1", path)


@pytest.mark.opa
def test_a_check_while_the_file_is_replaced(address: str, authority: Authority, tmp_path: Path) -> None:
    """A file that is half written is no reason to start an OPA again that answers."""
    path = tmp_path / "ca.pem"
    path.write_bytes(authority.certificate.read_bytes())
    check = HealthCheck(address, ca_file=path, deadline=60)
    assert Health(True) == check()
    path.write_text("-----BEGIN")
    assert Health(True) == check()
    path.unlink()
    assert Health(True) == check()
