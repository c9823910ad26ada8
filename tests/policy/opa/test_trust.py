"""A real OPA behind TLS whose certificates are from another authority after a restart."""

import asyncio
import logging
from pathlib import Path

import pytest

from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.tls_opa import tls_opa
from warden.base.errors import OpaUnreachable
from warden.base.http.ports import find_free_port, is_listening
from warden.base.tls.reloading_context import load_client_context
from warden.enforce.gateway.config import GatewayOpa
from warden.enforce.gateway.decisions.decider import Decider
from warden.enforce.gateway.readiness import ReadinessProbe
from warden.policy.opa.client import OpaClient, RetryPolicy

_LOG = logging.getLogger(__name__)


@pytest.mark.opa
def test_the_authority_is_another(opa_binary, tmp_path):
    """A client that is refused trust reads the file again with the next request, and goes on."""
    first, second = Authority(_made(tmp_path / "first")), Authority(_made(tmp_path / "second"))
    port, trusted = find_free_port(), tmp_path / "ca.pem"
    trusted.write_text(first.certificate.read_text())
    tls = load_client_context(trusted, None, "opa", _LOG)
    with OpaClient(f"https://127.0.0.1:{port}", retries=RetryPolicy(1), tls=tls) as client:
        with tls_opa(opa_binary, port, first):
            eventually(lambda: client.is_healthy(bundles=False), "the first OPA")
            client.put_data(["a"], 1)
        with tls_opa(opa_binary, port, second):
            refusal = eventually(lambda: _refusal(client), "no trust in the second")
            trusted.write_text(second.certificate.read_text())
            client.put_data(["a"], 2)
            kept = client.get_data(["a"])

    assert "cannot be trusted" in refusal
    assert 2 == kept


@pytest.mark.opa
def test_the_authority_is_another_for_a_gateway(opa_binary, tmp_path):
    """A gateway trusts the second OPA once the file has who signed it, and not before."""
    first, second = Authority(_made(tmp_path / "first")), Authority(_made(tmp_path / "second"))
    port, trusted = find_free_port(), tmp_path / "ca.pem"
    trusted.write_text(first.certificate.read_text())

    async def ask() -> list[str]:
        reasons = []
        async with Decider(GatewayOpa(url=f"https://127.0.0.1:{port}", ca_file=trusted, timeout=30)) as decider:
            for authority in (first, second):
                with tls_opa(opa_binary, port, authority):
                    eventually(lambda: is_listening(port), "OPA")
                    reasons.append(await _reason(decider))
                    trusted.write_text(authority.certificate.read_text())
                    reasons.append(await _reason(decider))
        return reasons

    undefined = f"https://127.0.0.1:{port}/v1/data/kafka/decisions is undefined"
    reasons = asyncio.run(ask())
    assert [0, 0, -1, 0] == [reason.find(undefined) for reason in reasons]
    assert "cannot be trusted" in reasons[2]


async def _reason(decider: Decider) -> str:
    """Why nothing is decided; connections that the OPA before has left are no reason."""
    for _ in range(100):
        reason = await ReadinessProbe(decider, []).find_problem() or ""
        if "cannot be reached: the connection ended" not in reason:
            break
    return reason


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
