"""TLS: certificates that log in, and that are replaced."""

import socket
import ssl
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.enforce.service.running import RunningService, Serve
from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import ConfigurationError

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """An authority, with certificates for the service and for two clients."""
    one = Authority(tmp_path_factory.mktemp("authority"))
    one.issue("service", "/CN=service", "subjectAltName=IP:127.0.0.1")
    one.issue("alice", "/O=example/CN=alice", "extendedKeyUsage=clientAuth")
    one.issue("carol", "/O=example/CN=carol", "extendedKeyUsage=clientAuth")
    return one


@pytest.fixture(scope="module")
def service(serve: Serve, authority: Authority) -> RunningService:
    """A service that takes certificates, and tokens beside."""
    files = {"certificateFile": "service.crt", "keyFile": "service.key", "clientCaFile": "ca.crt"}
    tls = {key: str(authority.directory / file) for key, file in files.items()}
    service = serve(ready=False, tls=tls, principalMappingRules="RULE:^CN=([a-z]+).*$/$1/")
    eventually(lambda: _resolve(service, authority, "alice").ok, "the service answers")
    return service


def _resolve(service: RunningService, authority: Authority, client: str | None, token: str = "") -> requests.Response:
    pair = tuple(str(authority.directory / f"{client}.{end}") for end in ("crt", "key")) if client else None
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    where = f"{service.url}/v1/client-configs/resolve"
    ca = str(authority.certificate)
    return requests.post(where, json={}, headers=headers, cert=pair, verify=ca, timeout=PATIENCE)  # type: ignore[arg-type]  # stubs


@pytest.mark.parametrize(
    ("client", "token", "status", "said"),
    [
        ("alice", "", 200, None),
        (None, "token-of-alice", 200, None),
        ("alice", "token-of-alice", 200, None),
        (None, "", 401, "send a token"),
        ("alice", "token-of-bob", 401, "the token and the certificate are of two principals"),
        ("alice", "token-of-nobody", 401, "nobody has this token"),
    ],
)
def test_who_asks(
    service: RunningService, authority: Authority, client: str | None, token: str, status: int, said: str | None
) -> None:
    """A certificate, a token, or both where they agree."""
    answer = _resolve(service, authority, client, token)
    assert (status, True) == (answer.status_code, (said or "") in (answer.json()["errorMessage"] or ""))


@pytest.mark.parametrize("expired", [False, True], ids=["of another authority", "expired"])
def test_a_certificate_that_is_none(
    service: RunningService, authority: Authority, tmp_path_factory: pytest.TempPathFactory, expired: bool
) -> None:
    """It ends the connection: nobody is taken for nobody's certificate."""
    issuer = authority if expired else Authority(tmp_path_factory.mktemp("other"))
    pair = issuer.issue("old", "/O=example/CN=alice", "extendedKeyUsage=clientAuth", -1 if expired else 2)
    with pytest.raises(requests.ConnectionError):
        requests.post(
            f"{service.url}/v1/client-configs/resolve",
            json={},
            cert=(str(pair[0]), str(pair[1])),
            verify=str(authority.certificate),
            timeout=PATIENCE,
        )


def _served(service: RunningService, authority: Authority) -> Any:
    context = ssl.create_default_context(cafile=str(authority.certificate))
    port = int(service.url.rpartition(":")[2])
    with (
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as plain,
        context.wrap_socket(plain, server_hostname="127.0.0.1") as connected,
    ):
        return (connected.getpeercert() or {})["serialNumber"]


def test_a_certificate_is_replaced(serve: Serve, authority: Authority, tmp_path: Path) -> None:
    """Without a restart; a certificate with another's key is never served."""
    for end in ("crt", "key"):
        (tmp_path / f"tls.{end}").write_bytes((authority.directory / f"service.{end}").read_bytes())
    renewed = authority.issue("renewed", "/CN=service", "subjectAltName=IP:127.0.0.1")
    service = serve(
        ready=False, tls={"certificateFile": str(tmp_path / "tls.crt"), "keyFile": str(tmp_path / "tls.key")}
    )
    before = _served(service, authority)
    (tmp_path / "tls.crt").write_bytes(renewed[0].read_bytes())
    assert before == _served(service, authority)
    (tmp_path / "tls.key").write_bytes(renewed[1].read_bytes())
    assert before != _served(service, authority)


def test_nobody_may_ask(serve: Serve, authority: Authority) -> None:
    """A configuration without callers and without authorities of theirs."""
    with pytest.raises(ConfigurationError, match="nobody may ask: list callers"):
        serve(ready=False, callers=[])


def test_files_that_are_not_there(serve: Serve) -> None:
    """The service does not start without TLS where TLS is wanted."""
    with pytest.raises(ConfigurationError, match=r"tls: .* cannot be loaded"):
        serve(ready=False, tls={"certificateFile": "c.pem", "keyFile": "k.pem"})
