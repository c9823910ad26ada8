"""Kafka's client properties, from the file to kafka-python's options."""

from pathlib import Path

import pytest

from warden.base.errors import ConfigurationError
from warden.state.sources.kafka.login.security import build_client_options, read_properties

JAAS = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="al ice" password="a=b;\\"c\\\\";'

_SCRAM = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "SCRAM-SHA-512", "sasl.jaas.config": JAAS}


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
            {"security.protocol": "plaintext", "client.dns.lookup": "use_all_dns_ips", "request.timeout.ms": "5"},
            {"security_protocol": "PLAINTEXT", "client_dns_lookup": "use_all_dns_ips"},
        ),
    ],
)
def test_options(properties: dict[str, str], expected: dict[str, object]) -> None:
    """What is given is passed on, and nothing that the protocol has no use for."""
    assert expected == build_client_options(properties)


@pytest.mark.parametrize(
    ("properties", "text"),
    [
        ({"security.protocol": "SASL"}, "unknown security.protocol SASL: write "),
        ({"security.protocol": "SASL_SSL"}, "sasl.jaas.config is missing: write a login module with its options"),
        (
            {"security.protocol": "SASL_SSL", "sasl.mechanism": "KERBEROS"},
            "unknown sasl.mechanism KERBEROS: write one of GSSAPI, PLAIN, SCRAM-SHA-256, ",
        ),
        (
            {
                "security.protocol": "SASL_SSL",
                "sasl.mechanism": "PLAIN",
                "sasl.jaas.config": 'x required username="a";',
            },
            'sasl.jaas.config has no password="…"',
        ),
        (
            {
                "security.protocol": "SASL_SSL",
                "sasl.mechanism": "PLAIN",
                "sasl.jaas.config": 'x required username="a" password="b" tokenauth=true;',
            },
            "sasl.jaas.config has tokenauth: set sasl.mechanism to SCRAM-SHA-256 or SCRAM-SHA-512, not PLAIN",
        ),
        ({"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN"}, "sasl.jaas.config is missing"),
        (
            {"security.protocol": "SASL_SSL", "sasl.mechanism": "OAUTHBEARER", "sasl.jaas.config": "a.B required;"},
            "sasl.jaas.config has B: OAUTHBEARER needs OAuthBearerLoginModule",
        ),
        ({"client.dns.lookup": "default"}, "unknown client.dns.lookup default: write one of use_all_dns_ips, "),
        (
            {"sasl.mechansim": "PLAIN"},
            "unknown property sasl.mechansim of Kafka's clients: did you mean sasl.mechanism?",
        ),
        (
            {"sasl_jaas_config": "x"},
            "unknown property sasl_jaas_config of Kafka's clients: did you mean sasl.jaas.conf",
        ),
        ({"ssl.magic": "x"}, "unknown property ssl.magic of Kafka's clients, or not supported: leave it out"),
        ({"ssl.cipher.suites": "x"}, "ssl.cipher.suites is not supported: suites cannot be chosen"),
        ({"sasl.oauthbearer.assertion.file": "x"}, "sasl.oauthbearer.assertion.file is not supported: only a client's"),
        (
            {"bootstrap.controllers": "a:1"},
            "bootstrap.controllers is not supported: name brokers with --bootstrap-server",
        ),
        (
            {"warden.token.comand": "x"},
            "unknown property warden.token.comand of Kafka's clients: did you mean warden.token",
        ),
        ({"warden.other": "x"}, "unknown property warden.other of Kafka's clients, or not supported: leave it out"),
        (
            {"sasl.client.callback.handler.class": "x.Y"},
            "sasl.client.callback.handler.class x.Y is not supported: it is a class of Java",
        ),
        (
            {
                "security.protocol": "SASL_SSL",
                "sasl.mechanism": "AWS_MSK_IAM",
                "sasl.jaas.config": "a.PlainLoginModule required;",
            },
            "sasl.jaas.config has PlainLoginModule: AWS_MSK_IAM needs IAMLoginModule",
        ),
        ({"config.providers": "file"}, "config.providers is not supported: values are not looked up elsewhere"),
    ],
)
def test_a_wrong_property_is_named(properties: dict[str, str], text: str) -> None:
    """The error says which property it is and what it may be."""
    with pytest.raises(ConfigurationError) as error:
        build_client_options(properties)

    assert str(error.value).startswith(text)


def test_blanks_around_values() -> None:
    """Java's are taken off, as Kafka's clients do with texts and passwords; a space of another kind is a character."""
    blank = {name: f" \t{text} \x01\n" for name, text in _SCRAM.items()}

    assert build_client_options(_SCRAM) == build_client_options(blank)
    with pytest.raises(ConfigurationError, match=r"unknown security\.protocol"):
        build_client_options({"security.protocol": "PLAINTEXT\u00a0"})


@pytest.mark.parametrize("name", ["ssl.truststore.password", "ssl.key.password", "sasl.jaas.config"])
def test_half_a_character(name: str) -> None:
    """No encoding has it; neither it nor what stands around it is quoted."""
    with pytest.raises(ConfigurationError) as raised:
        build_client_options({"security.protocol": "SSL", name: "geheim\ud83d"})

    assert f"{name} has half a character (\\uD800 to \\uDFFF): write both of its halves" == str(raised.value)


def test_a_password_does_not_show_itself() -> None:
    """Whoever prints the options, as kafka-python does at DEBUG, prints no password."""
    protocol = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN"}
    options = build_client_options({**protocol, "sasl.jaas.config": JAAS})

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


def test_properties_of_others_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file may hold a producer's properties too; a login that is not understood is an error with the file."""
    path = tmp_path / "client.properties"
    path.write_text("security.protocol=SSL\nacks=all\nlinger.ms=5\nclient.id=x\n", "utf-8")
    assert {"security.protocol", "acks", "linger.ms", "client.id"} == read_properties(path).keys()
    assert f"warden: {path}: without effect here: acks, linger.ms\n" == capsys.readouterr().err

    path.write_text("sasl.login.class=x.Y\n", "utf-8")
    with pytest.raises(ConfigurationError, match=r"client\.properties: sasl\.login\.class is not supported"):
        read_properties(path)
