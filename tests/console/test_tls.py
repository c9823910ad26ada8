"""The console with TLS: a certificate opens it for the caller whose principal it is."""

from pathlib import Path

import pytest
import requests

from tests.console.running import RunningConsole, write_config
from tests.fixtures.certificates import Authority
from tests.fixtures.patience import PATIENCE

pytestmark = pytest.mark.process  # openssl


def test_a_certificate_opens_it(tmp_path: Path) -> None:
    """Of a listed principal alone; who has none, or another's, is refused."""
    authority = Authority(tmp_path)
    authority.issue("server", "/CN=console", "subjectAltName=IP:127.0.0.1")
    alice, mallory = (
        authority.issue(name, f"/CN={name}", "extendedKeyUsage=clientAuth") for name in ("alice", "mallory")
    )
    files = {"certificateFile": "server.crt", "keyFile": "server.key", "clientCaFile": "ca.crt"}
    rules, callers = "RULE:^CN=(.*?)$/$1/", [{"principal": "User:alice", "owners": ["payments"]}]
    config = write_config(tmp_path, tls=files, callers=callers, principalMappingRules=rules)
    with RunningConsole(config) as console:
        url = f"{console.url}/decisions"
        trusted = str(authority.certificate)

        def status(certificate: tuple[Path, Path] | None) -> int:
            shown = None if certificate is None else (str(certificate[0]), str(certificate[1]))
            return requests.get(url, cert=shown, verify=trusted, timeout=PATIENCE).status_code

        assert [status(each) for each in (alice, mallory, None)] == [200, 401, 401]
