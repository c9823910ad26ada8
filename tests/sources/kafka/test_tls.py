"""A real broker behind TLS: with and without a login, and with a certificate that nobody vouches for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.certificates import Authority
from warden.demo.local_broker import LocalBroker
from warden.errors import WardenError
from warden.sources.kafka.collect import collect

pytestmark = pytest.mark.kafka

LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required "


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Who vouches for the broker."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module", params=["SSL", "SASL_SSL"])
def server(request: pytest.FixtureRequest, authority: Authority) -> Iterator[tuple[str, str]]:
    """Protocol and address of a listener behind TLS."""
    certificate, key = authority.issue(f"broker-{request.param}", "/CN=broker", "subjectAltName=IP:127.0.0.1")
    whole = certificate.with_suffix(".pem")
    whole.write_text(key.read_text() + certificate.read_text())
    prefix = "listener.name.sasl_plaintext.ssl.keystore"
    properties = {
        "listener.security.protocol.map": f"PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:{request.param}",
        f"{prefix}.type": "PEM",
        f"{prefix}.location": str(whole),
    }
    with LocalBroker(properties=properties, sasl_users={"alice": "secret"}) as broker:
        yield request.param, broker.sasl_bootstrap_servers


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
