"""Properties of clients in a configuration file."""

from warden.policy.bundle.catalog import read_catalog
from warden.state.sources.kafka.login.login_properties import SECRET_PROPERTIES, SUPPORTED_PROPERTIES

_CERTIFICATES = {"ssl.keystore.certificate.chain", "ssl.truststore.certificates"}


def test_what_is_secret() -> None:
    """Each that is obeyed and that Kafka keeps to itself, but for certificates, has to be a reference."""
    kinds = {name: row["type"] for name, row in read_catalog("broker")["configs"].items()}

    assert len(SECRET_PROPERTIES) > 5
    assert {name for name in SUPPORTED_PROPERTIES if kinds.get(name) == "password"} == SECRET_PROPERTIES | _CERTIFICATES
