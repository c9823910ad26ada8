"""Kafka's client properties, from the file to kafka-python's options."""

from pathlib import Path

import pytest

from warden.errors import ConfigurationError
from warden.kafka.security import client_options, read_properties

JAAS = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="al ice" password="a=b;\\"c\\\\";'


def test_a_properties_file_is_read_as_java_reads_it(tmp_path: Path) -> None:
    """Comments, both separators, continued lines, escapes and empty values."""
    path = tmp_path / "client.properties"
    path.write_text("# no\n! no\n\na=1\n b : two words \nc.d=x,\\\n    y\ne\\=f=g\\\\h\nempty=\nu=\\u00e9\n", "utf-8")

    assert {"a": "1", "b": "two words ", "c.d": "x,y", "e=f": "g\\h", "empty": "", "u": "é"} == read_properties(path)


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({}, {"security_protocol": "PLAINTEXT"}),
        ({"sasl.mechanism": "nonsense that PLAINTEXT ignores"}, {"security_protocol": "PLAINTEXT"}),
        (
            {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "SCRAM-SHA-512", "sasl.jaas.config": JAAS},
            {
                "security_protocol": "SASL_PLAINTEXT",
                "sasl_mechanism": "SCRAM-SHA-512",
                "sasl_plain_username": "al ice",
                "sasl_plain_password": 'a=b;"c\\',
            },
        ),
        (
            {"security.protocol": "SSL", "ssl.endpoint.identification.algorithm": "", "ssl.key.password": "k"},
            {"security_protocol": "SSL", "ssl_check_hostname": False, "ssl_password": "k"},
        ),
    ],
)
def test_options(properties: dict[str, str], expected: dict[str, object]) -> None:
    """What is given is passed on, and nothing that the protocol has no use for."""
    assert expected == client_options(properties)


def test_pem_stores_are_passed_on(tmp_path: Path) -> None:
    """Trusted certificates, and one file with our own key and certificate."""
    trusted, own = tmp_path / "ca.pem", tmp_path / "me.pem"
    trusted.touch()
    own.touch()
    stores = {"ssl.truststore.location": str(trusted), "ssl.keystore.location": str(own)}
    kinds = {"ssl.truststore.type": "PEM", "ssl.keystore.type": "PEM"}

    assert {
        "security_protocol": "SSL",
        "ssl_check_hostname": True,
        "ssl_cafile": str(trusted),
        "ssl_certfile": str(own),
        "ssl_keyfile": str(own),
    } == client_options({"security.protocol": "SSL", **stores, **kinds})


@pytest.mark.parametrize(
    ("properties", "text"),
    [
        ({"security.protocol": "SASL"}, "security.protocol is SASL: it must be one of PLAINTEXT, SSL, "),
        ({"security.protocol": "SASL_SSL"}, "sasl.mechanism is GSSAPI: it must be one of PLAIN, SCRAM-SHA-256, "),
        (
            {
                "security.protocol": "SASL_SSL",
                "sasl.mechanism": "PLAIN",
                "sasl.jaas.config": 'x required username="a";',
            },
            'sasl.jaas.config has no password="…"',
        ),
        ({"security.protocol": "SSL", "ssl.truststore.location": "x.jks"}, "ssl.truststore.type is JKS: only PEM"),
        (
            {"security.protocol": "SSL", "ssl.keystore.location": "/no/such.pem", "ssl.keystore.type": "PEM"},
            "ssl.keystore.location: no such file: /no/such.pem",
        ),
    ],
)
def test_a_wrong_property_is_named(properties: dict[str, str], text: str) -> None:
    """The error says which property it is and what it may be."""
    with pytest.raises(ConfigurationError) as error:
        client_options(properties)

    assert str(error.value).startswith(text)


def test_a_password_does_not_show_itself() -> None:
    """Whoever prints the options, as kafka-python does at DEBUG, prints no password."""
    options = client_options({"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN", "sasl.jaas.config": JAAS})

    assert "a=b" not in repr(options)


def test_a_missing_file_is_a_configuration_error(tmp_path: Path) -> None:
    """The text names the file."""
    with pytest.raises(ConfigurationError, match=r"none\.properties: cannot be read as a properties file"):
        read_properties(tmp_path / "none.properties")
