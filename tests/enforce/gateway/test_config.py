"""The configuration file: what it gives, and how each mistake is reported."""

import socket

import pytest

from tests.enforce.gateway.running import RunningGateway
from tests.fixtures.patience import PATIENCE
from warden.base.errors import ConfigurationError
from warden.base.http.ports import find_free_port
from warden.commands import EXIT_ERROR, main
from warden.enforce.gateway.config import read_config
from warden.enforce.gateway.route import Route

CLUSTER = """\
  - name: {name}
    advertisedHost: gw
    authentication: none
    brokers:
      - {{id: 1, address: "kafka-1:9092", port: {port}}}
"""
SNI = "    sni: {port: 9, brokerHost: 'b{id}.gw'}\n"
TLS = "    tls: {certificateFile: c, keyFile: k}\n"
ONE = CLUSTER.format(name="a", port=1)


def read(directory, text):
    """Read a file."""
    path = directory / "gateway.yaml"
    path.write_text(text)
    return read_config(path)


def test_a_whole_file(tmp_path):
    """What is not written has its default; a broker that is not in the file has an address that says so."""
    config = read(tmp_path, "clusters:\n" + CLUSTER.format(name="a", port=1001) + CLUSTER.format(name="b", port=1002))
    cluster = config.clusters[0]

    assert (2.0, "http://127.0.0.1:8181", None) == (config.opa.timeout, config.opa.url, config.opa.token)
    assert ("gw", 1001) == cluster.find_advertised_address(1)
    assert ("broker-7-is-not-in-the-gateway-configuration.invalid", 1) == cluster.find_advertised_address(7)
    assert ("kafka-1", 9092) == cluster.brokers[0].host_and_port


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("clusters: []\n", ":1: clusters is empty: write a list of clusters"),
        ("opa: {}\n", "clusters is missing: write a list of clusters"),
        ("clusters:\n" + 2 * CLUSTER.format(name="a", port=1), "port 1 is taken twice"),
        ("clusters:\n" + CLUSTER.format(name="a", port=1) + CLUSTER.format(name="a", port=2), "a is named twice"),
        ("clusters:\n" + CLUSTER.format(name="a", port=70000), ":6: clusters.0.brokers.0.port: 70000 is not valid"),
        ("clusters:\n" + CLUSTER.format(name="a", port=1).replace("none", "kerberos"), "write sasl, tls or none"),
        ("clusters:\n" + CLUSTER.format(name="a", port=1).replace("kafka-1:9092", "kafka-1"), "write host:port"),
        ("clusters:\n" + ONE.replace("9092", "99092"), ":6: clusters.0.brokers.0.address: 99092 is no port: write"),
        ("clusters:\n" + ONE.replace("9092", "0"), ":6: clusters.0.brokers.0.address: 0 is no port: write host:port"),
        ("clusters:\n" + ONE.replace("kafka-1", "kafka..a"), ":6: clusters.0.brokers.0.address: kafka..a is no host"),
        ("clusters:\n" + ONE.replace("kafka-1", "k" * 64), f"{'k' * 64} is no host: write its name or its"),
        ("clusters:\n" + ONE + "    localAddress: a..b\n", ":7: clusters.0.localAddress: a..b is no host: write its"),
        (
            "clusters:\n" + CLUSTER.format(name="a", port=1) + "      - {id: 1, address: 'k:1', port: 2}\n",
            "broker 1 is",
        ),
        (
            "clusters:\n"
            + CLUSTER.format(name="a", port=1)
            + "    tls: {certificateFile: c, keyFile: k, clientCaFile: d}\n",
            "tls.clientCaFile is for authentication: tls",
        ),
        (
            "clusters:\n" + CLUSTER.format(name="a", port=1) + "    account: {username: g, password: {env: P}}\n",
            "account is for authentication: tls or sasl",
        ),
        (
            "clusters:\n" + CLUSTER.format(name="a", port=1).replace("authentication: none", "authentication: tls"),
            "which takes tls.clientCaFile, and an account",
        ),
        (
            "clusters:\n" + CLUSTER.format(name="a", port=1) + "    principalMappingRules: CN=(.*)\n",
            ":7: clusters.0.principalMappingRules: 'CN=(.*)' is not a rule",
        ),
        ("clusters:\n" + CLUSTER.format(name="a", port=1).replace(", port: 1", ""), "broker 1 has no port"),
        ("clusters:\n" + CLUSTER.format(name="a", port=1) + SNI, "sni is of TLS"),
        ("clusters:\n" + CLUSTER.format(name="a", port=1) + SNI + TLS, "broker 1 has a port beside sni"),
        (
            "clusters:\n" + CLUSTER.format(name="a", port=1) + SNI.replace("{id}", "x") + TLS,
            "write a host name with {id} in it",
        ),
        ("opa: {token: secret}\nclusters:\n" + CLUSTER.format(name="a", port=1), "a secret is never in this file"),
    ],
)
def test_mistakes(tmp_path, text, message):
    """Each is a line with file, line, place and what to write."""
    with pytest.raises(ConfigurationError) as error:
        read(tmp_path, text)

    assert f"{tmp_path / 'gateway.yaml'}:" in str(error.value)
    assert message in str(error.value)
    assert "secret\n" not in str(error.value)


def test_a_client_does_not_wait_for_a_connection_that_fails_by_a_defect(tmp_path, monkeypatch, caplog):
    """Whatever goes wrong on the way to the broker, it is reported, and the client's connection ends."""
    monkeypatch.setattr(Route, "connect", lambda *_: 1 / 0)
    with RunningGateway(read(tmp_path, "clusters:\n" + CLUSTER.format(name="a", port=find_free_port()))) as gateway:
        host, port = gateway.address().split(":")
        with socket.create_connection((host, int(port)), timeout=PATIENCE) as client:
            assert b"" == client.recv(1)

    assert ["ZeroDivisionError"] == [line.exc_info[0].__name__ for line in caplog.records if line.exc_info]


def test_one_port_for_all_brokers(tmp_path):
    """Clients reach each by its name."""
    text = CLUSTER.format(name="a", port=1).replace(", port: 1", "") + SNI + TLS
    cluster = read(tmp_path, "clusters:\n" + text).clusters[0]

    assert ([9], ("b1.gw", 9)) == (cluster.ports, cluster.find_advertised_address(1))


def test_a_certificate_that_is_not_there(tmp_path):
    """The gateway does not start without TLS where TLS is wanted."""
    tls = "    tls: {certificateFile: c.pem, keyFile: k.pem}\n"
    gateway = RunningGateway(read(tmp_path, "clusters:\n" + CLUSTER.format(name="a", port=1) + tls))

    with pytest.raises(ConfigurationError, match=r"a: tls: .* cannot be loaded"):
        gateway.start()
    gateway.stop()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing option '--config'"),
        (["--config", "gateway.yaml", "--listen", "here"], "--listen here is not host:port"),
    ],
)
def test_the_command(tmp_path, monkeypatch, capsys, arguments, message):
    """Mistakes on the command line are one sentence."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gateway.yaml").write_text("clusters:\n" + CLUSTER.format(name="a", port=1))

    with pytest.raises(SystemExit) as end:
        main(["gateway", *arguments])
    assert EXIT_ERROR == end.value.code
    assert message in capsys.readouterr().err
