"""TLS on both sides of a gateway: from its clients, and to what stands behind it."""

import socket
import ssl

import pytest

from tests.fixtures.certificates import Authority
from tests.gateway.frames import raw_request
from tests.gateway.running import RunningGateway, write_config
from tests.gateway.test_faults import receive
from warden.gateway.frames import LENGTH

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

LIST_GROUPS = raw_request("ListGroups", 3, b"\0", 2)


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """An authority, with a certificate for 127.0.0.1."""
    one = Authority(tmp_path_factory.mktemp("tls"))
    one.issue("gateway", "/CN=gateway", "subjectAltName=IP:127.0.0.1")
    return one


def listens_with_tls(authority, **cluster):
    """A cluster whose clients come by TLS."""
    files = {
        "certificateFile": str(authority.directory / "gateway.crt"),
        "keyFile": str(authority.directory / "gateway.key"),
    }
    return {"name": "gate", "tls": files} | cluster


def group_list(address, context):
    """The response to ListGroups over TLS; the error where there is none."""
    host, port = address.split(":")
    try:
        with (
            socket.create_connection((host, int(port)), timeout=30) as plain,
            context.wrap_socket(plain, server_hostname=host) as connected,
        ):
            connected.sendall(LIST_GROUPS)
            return receive(connected)
    except ssl.SSLError as error:
        return str(error)


def test_tls_on_both_sides(tmp_path, authority, gateway_opa, broker):
    """One gateway behind another: the first speaks TLS to the second as it would to a broker."""
    inner = write_config(
        tmp_path / "inner.yaml", gateway_opa, [listens_with_tls(authority, brokers={1: broker.bootstrap_servers})]
    )
    context = ssl.create_default_context(cafile=str(authority.certificate))
    with RunningGateway(inner) as behind:
        upstream = {"upstreamTls": {"caFile": str(authority.certificate)}, "brokers": {1: behind.address()}}
        outer = write_config(tmp_path / "outer.yaml", gateway_opa, [listens_with_tls(authority, **upstream)])
        with RunningGateway(outer) as before:
            assert LIST_GROUPS[8:12] == group_list(before.address(), context)[LENGTH : LENGTH + 4]
            assert "CERTIFICATE_VERIFY_FAILED" in group_list(before.address(), ssl.create_default_context())


def test_an_upstream_that_is_not_trusted_gets_nothing(tmp_path, authority, gateway_opa, broker):
    """A broker whose certificate is not of a trusted authority sees no byte of a client's."""
    inner = write_config(
        tmp_path / "inner.yaml", gateway_opa, [listens_with_tls(authority, brokers={1: broker.bootstrap_servers})]
    )
    with RunningGateway(inner) as behind:
        upstream = {"upstreamTls": {}, "brokers": {1: behind.address()}}
        outer = write_config(tmp_path / "outer.yaml", gateway_opa, [{"name": "gate"} | upstream])
        with RunningGateway(outer) as before:
            host, port = before.address().split(":")
            with socket.create_connection((host, int(port)), timeout=30) as connected:
                connected.sendall(LIST_GROUPS)
                assert b"" == receive(connected)
