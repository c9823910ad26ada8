"""TLS on both sides of a gateway: from its clients, and to what stands behind it."""

import contextlib
import logging
import socket
import ssl

import pytest

from tests.enforce.gateway.frames import raw_request
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.test_faults import receive
from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.http.ports import find_free_port
from warden.enforce.gateway.wire.frames import LENGTH

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
            socket.create_connection((host, int(port)), timeout=PATIENCE) as plain,
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
            with socket.create_connection((host, int(port)), timeout=PATIENCE) as connected:
                connected.sendall(LIST_GROUPS)
                assert b"" == receive(connected)


def served(gateway, authority):
    """The number of the certificate that a new connection gets, behind a request that was answered."""
    context = ssl.create_default_context(cafile=str(authority.certificate))
    host, port = gateway.address().split(":")
    with (
        socket.create_connection((host, int(port)), timeout=PATIENCE) as plain,
        context.wrap_socket(plain, server_hostname=host) as connected,
    ):
        connected.sendall(LIST_GROUPS)
        assert receive(connected)
        certificate = connected.getpeercert()
        assert certificate is not None
        return certificate["serialNumber"]


def test_a_certificate_is_replaced_under_load(tmp_path, authority, gateway_opa, broker, caplog):
    """Without a restart, and without a connection that fails: a pair that does not fit is never served."""
    files = {"certificateFile": str(tmp_path / "tls.crt"), "keyFile": str(tmp_path / "tls.key")}
    for end in ("crt", "key"):
        (tmp_path / f"tls.{end}").write_bytes((authority.directory / f"gateway.{end}").read_bytes())
    authority.issue("renewed", "/CN=gateway", "subjectAltName=IP:127.0.0.1")
    cluster = {"name": "gate", "tls": files, "brokers": {1: broker.bootstrap_servers}}
    config = write_config(tmp_path / "gateway.yaml", gateway_opa, [cluster])
    with RunningGateway(config) as gateway, caplog.at_level(logging.INFO, "warden.enforce.gateway"):
        before = served(gateway, authority)
        with open_connection(gateway, authority) as old:
            (tmp_path / "tls.crt").write_bytes((authority.directory / "renewed.crt").read_bytes())
            eventually(
                lambda: served(gateway, authority) == before and "certificates refused" in caplog.text,
                "the new certificate with the old key is refused",
            )
            (tmp_path / "tls.key").write_bytes((authority.directory / "renewed.key").read_bytes())
            eventually(lambda: served(gateway, authority) != before, "the new pair is served")
            old.sendall(LIST_GROUPS)
            assert receive(old)


@contextlib.contextmanager
def open_connection(gateway, authority, name="127.0.0.1", port=None):
    """A connection that stays open."""
    context = ssl.create_default_context(cafile=str(authority.certificate))
    own = port or int(gateway.address().rpartition(":")[2])
    with (
        socket.create_connection(("127.0.0.1", own), timeout=PATIENCE) as plain,
        context.wrap_socket(plain, server_hostname=name) as connected,
    ):
        yield connected


def test_one_port_for_all_brokers(tmp_path, authority, gateway_opa, broker):
    """The name that a client calls says which broker it means; one that nobody has is refused in the handshake."""
    names = ("kafka.test", "b1.kafka.test", "b2.kafka.test", "b3.kafka.test")
    authority.issue("names", "/CN=gateway", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names))
    files = {end: str(authority.directory / f"names.{end}") for end in ("crt", "key")}
    nobody, port = f"127.0.0.1:{find_free_port()}", find_free_port()
    cluster = {
        "name": "gate",
        "advertisedHost": names[0],
        "sni": {"port": port, "brokerHost": "b{id}.kafka.test"},
        "tls": {"certificateFile": files["crt"], "keyFile": files["key"]},
        "brokers": {1: broker.bootstrap_servers, 2: nobody},
    }
    with RunningGateway(write_config(tmp_path / "gateway.yaml", gateway_opa, [cluster])) as gateway:
        with open_connection(gateway, authority, "b1.kafka.test", port) as connected:
            connected.sendall(raw_request("Metadata", 9, {"topics": []}, 3))
            answer = receive(connected)
        assert b"b1.kafka.test" + port.to_bytes(4, "big") in answer
        with open_connection(gateway, authority, "b2.kafka.test", port) as connected:
            assert b"" == receive(connected)
        with pytest.raises(ssl.SSLError), open_connection(gateway, authority, "b3.kafka.test", port) as connected:
            connected.recv(1)
