"""Kafka's client properties, from the file to kafka-python's options."""

from pathlib import Path

import pytest

from warden.errors import ConfigurationError
from warden.sources.kafka.security import client_options, read_properties

JAAS = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="al ice" password="a=b;\\"c\\\\";'


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


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """It is named, and its line."""
    malformed = tmp_path / "client.properties"
    malformed.write_text("security.protocol=SSL\nssl.key.password=\\u00zz\n", "utf-8")
    sentences = []
    for path in (tmp_path / "none.properties", malformed):
        with pytest.raises(ConfigurationError) as raised:
            read_properties(path)
        sentences.append(str(raised.value).removeprefix(f"{tmp_path}/"))

    doubled = "write them, or double the backslash"
    assert [
        "none.properties: cannot be read (No such file or directory): name a file with Kafka's client properties",
        "client.properties:2: not properties (an escape \\u lacks its four hexadecimal digits): " + doubled,
    ] == sentences
