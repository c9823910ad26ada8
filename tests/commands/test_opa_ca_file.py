"""Commands and an OPA whose certificate is of an authority that the system does not trust."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.conftest import Run
from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.tls_opa import tls_opa
from warden.base.http.ports import find_free_port
from warden.base.tls.reloading_context import load_client_context
from warden.commands.shared.impact_options import ImpactOptions
from warden.commands.shared.scan_options import ScanOptions
from warden.policy.opa.client import OpaClient
from warden.policy.opa.endpoints import RemoteOpa
from warden.policy.opa.session import OpaOptions

_DECISION = {"allowed": True, "errors": [], "error": None, "violations": []}


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def address(opa_binary: Path, authority: Authority) -> Iterator[str]:
    """The address of an OPA that allows everything."""
    port = find_free_port()
    tls = load_client_context(authority.certificate, None, "opa", logging.getLogger(__name__))
    url = f"https://127.0.0.1:{port}"
    with tls_opa(opa_binary, port, authority), OpaClient(url, tls=tls) as client:
        eventually(lambda: client.is_healthy(bundles=False), "OPA")
        client.put_data(["kafka"], {"decision": _DECISION})
        yield url


@pytest.fixture
def request_file(tmp_path: Path) -> str:
    path = tmp_path / "request.json"
    path.write_text(json.dumps({"operation": "DeleteTopic", "cluster": "a", "request": {"topic": "t"}}))
    return str(path)


@pytest.mark.opa
@pytest.mark.parametrize("way", ["option", "variable"])
def test_decide(
    way: str, warden: Run, address: str, authority: Authority, request_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option and the variable say whom to trust; without them nothing is decided."""
    ask = ["decide", "--opa-url", address, "--output", "json", request_file]
    status, printed, said = warden(*ask)
    assert (2, "", True) == (status, printed, "cannot be trusted" in said)

    if way == "option":
        ask += ["--opa-ca-file", str(authority.certificate)]
    else:
        monkeypatch.setenv("WARDEN_OPA_CA_FILE", str(authority.certificate))
    status, printed, said = warden(*ask)
    assert (0, _DECISION, "") == (status, json.loads(printed), said)


def test_a_file_that_is_wrong(warden: Run, request_file: str, tmp_path: Path) -> None:
    """One that is missing, and one without a certificate, are said with the option's name."""
    path = tmp_path / "ca.pem"
    ask = ["decide", "--opa-url", "https://127.0.0.1:1", "--opa-ca-file", str(path), request_file]
    missing = warden(*ask)
    path.write_text("no certificate")
    empty = warden(*ask)

    assert (2, 2) == (missing[0], empty[0])
    assert "Invalid value for '--opa-ca-file' (env var: 'WARDEN_OPA_CA_FILE')" in missing[2]
    assert empty[2].startswith(f"warden: --opa-ca-file (WARDEN_OPA_CA_FILE): {path} cannot be loaded (")


def test_impact(authority: Authority) -> None:
    """What the file holds goes to both OPAs, and from there to Spark's tasks."""
    urls, path = ("https://127.0.0.1:1", "https://127.0.0.1:2"), authority.certificate
    options = ImpactOptions(baseline_url=urls[0], candidate_url=urls[1], opa_ca_file=path)

    assert tuple(RemoteOpa(url, authorities=path.read_text()) for url in urls) == options.endpoints


def test_a_scan(tmp_path: Path) -> None:
    """The file of a scan goes to its OPAs."""
    url, path = "https://127.0.0.1:1", tmp_path / "ca.pem"
    options = ScanOptions(snapshot=tmp_path, opa_url=(url,), opa_ca_file=path)

    assert OpaOptions((url,), ca_file=path) == options.build_opa_options()


@pytest.mark.opa
def test_status_of_an_opa(warden: Run, address: str, authority: Authority) -> None:
    """The OPA is reached with the option alone; that it has no status is its own answer."""
    ask = ["opa", "status", "--opa-url", address]
    unknown, known = warden(*ask), warden(*ask, "--opa-ca-file", str(authority.certificate))

    assert (2, True) == (unknown[0], "cannot be trusted" in unknown[2])
    assert "cannot be trusted" not in known[2] + known[1]
