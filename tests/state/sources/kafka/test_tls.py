"""A real broker behind TLS: with and without a login, and with a certificate that nobody vouches for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.certificates import Authority
from tests.fixtures.conditions import eventually
from warden.base.errors import KafkaUnreachable, WardenError
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.entry import KafkaEntry
from warden.state.sources.kafka.read.collect import collect
from warden.state.sources.kafka.source import KafkaSource

pytestmark = [pytest.mark.kafka, pytest.mark.slow]

LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required "


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Who vouches for the broker."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module", params=["SSL", "SASL_SSL"])
def running(request: pytest.FixtureRequest, authority: Authority) -> Iterator[tuple[str, LocalBroker]]:
    """Protocol of a listener behind TLS, and its broker."""
    whole = _keystore(authority, request.param)
    prefix = "listener.name.sasl_plaintext.ssl.keystore"
    properties = {
        "listener.security.protocol.map": f"PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:{request.param}",
        f"{prefix}.type": "PEM",
        f"{prefix}.location": str(whole),
    }
    with LocalBroker(properties=properties, sasl_users={"alice": "secret"}) as broker:
        yield request.param, broker


@pytest.fixture
def server(running: tuple[str, LocalBroker]) -> tuple[str, str]:
    """Protocol and address of a listener behind TLS."""
    protocol, broker = running
    return protocol, broker.sasl_bootstrap_servers


def _keystore(authority: Authority, name: str) -> Path:
    """A new certificate of the broker with its key."""
    certificate, key = authority.issue(f"broker-{name}", "/CN=broker", "subjectAltName=IP:127.0.0.1")
    whole = certificate.with_suffix(".pem")
    whole.write_text(key.read_text() + certificate.read_text())
    return whole


def security(protocol: str, authority: Authority, password: str = "secret") -> dict[str, str]:
    """A client's properties."""
    return {
        "security.protocol": protocol,
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(authority.certificate),
        **(
            {"sasl.mechanism": "PLAIN", "sasl.jaas.config": f'{LOGIN}username="alice" password="{password}";'}
            if protocol == "SASL_SSL"
            else {}
        ),
    }


def test_a_cluster_behind_tls(server: tuple[str, str], authority: Authority) -> None:
    """The state is read whole."""
    protocol, address = server
    assert 1 == collect(address, security=security(protocol, authority))["clusterSize"]


def test_who_may_not_be_trusted(server: tuple[str, str], authority: Authority, tmp_path: Path) -> None:
    """A certificate that nobody vouches for, and where there is a login a wrong password, are errors."""
    protocol, address = server
    refused = [security(protocol, Authority(tmp_path))]
    refused += [security(protocol, authority, "wrong")] if protocol == "SASL_SSL" else []
    for properties in refused:
        with pytest.raises(WardenError):
            collect(address, security=properties, timeout=8)


@pytest.mark.parametrize("running", ["SSL"], indirect=True)
def test_the_authority_is_another(running: tuple[str, LocalBroker], authority: Authority, tmp_path: Path) -> None:
    """The file of certificates to trust is read at each load, so a source goes on once it has the new one."""
    protocol, broker = running
    trusted = tmp_path / "ca.pem"
    trusted.write_text(authority.certificate.read_text())
    properties = {**security(protocol, authority), "ssl.truststore.location": str(trusted)}
    entry = KafkaEntry(
        name="tls", bootstrap_servers=broker.sasl_bootstrap_servers, properties=properties, interval=1, timeout=5
    )
    source = entry.build_source()
    other = Authority(tmp_path)
    eventually(lambda: not _is_refused(source), "a load within its time")
    try:
        _set_keystore(broker, _keystore(other, "other"))
        eventually(lambda: _is_refused(source), "the broker's new certificate")
        trusted.write_text(other.certificate.read_text())
        eventually(lambda: not _is_refused(source), "a load by the new certificate")
    finally:
        source.close()
        _set_keystore(broker, authority.directory / "broker-SSL.pem")


def _is_refused(source: KafkaSource) -> bool:
    try:
        return "topics" not in source.load()
    except KafkaUnreachable:
        return True


def _set_keystore(broker: LocalBroker, keystore: Path) -> None:
    name = "listener.name.sasl_plaintext.ssl.keystore.location"
    change = ["--alter", "--entity-type", "brokers", "--entity-name", "1", "--add-config", f"{name}={keystore}"]
    run_tool(broker, "kafka.admin.ConfigCommand", *change)
