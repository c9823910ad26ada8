"""Options of a login by Kerberos, and what is said where its library is not there; a KDC is in test_kerberos_login."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from warden.base.errors import ConfigurationError
from warden.state.sources.kafka.login.security import build_client_options, read_properties

MODULE = "com.sun.security.auth.module.Krb5LoginModule required"
KEYTAB = 'useKeyTab=true keyTab="/x.keytab" principal="warden@EXAMPLE.COM"'
PROTOCOL = {"security.protocol": "SASL_PLAINTEXT"}  # GSSAPI is what sasl.mechanism is by default
SERVICE = {"sasl.kerberos.service.name": "kafka"}


def given(options: str, module: str = MODULE) -> dict[str, str]:
    """The properties of a login with some options."""
    return {**PROTOCOL, **SERVICE, "sasl.jaas.config": f"{module} {options};"}


def test_options() -> None:
    """kafka-python is given the service's name; keytab and principal go to Kerberos."""
    options = build_client_options(given(KEYTAB + " storeKey=true doNotPrompt=true"))

    shown = {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "GSSAPI", "sasl_kerberos_service_name": "kafka"}
    assert shown == options


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("", "says not where tickets come from: write useKeyTab=true with keyTab, or useTicketCache=true"),
        (
            "useTicketCache=yes",
            "says not where tickets come from: write useKeyTab=true with keyTab, or useTicketCache=",
        ),
        ("useKeyTab=true keyTab=x", 'has useKeyTab and no principal: write principal="warden@EXAMPLE.COM"'),
        ("useKeyTab=true principal=x", 'has useKeyTab and no keyTab: write keyTab="/etc/warden/warden.keytab"'),
        ("useTicketCache=true keyTab=x", "has keyTab: it needs useKeyTab=true"),
        (f"{KEYTAB} ticketCache=x", "has ticketCache: it needs useTicketCache=true"),
        (f"{KEYTAB} renewTGT=true", "has renewTGT: it needs useTicketCache=true"),
        (f"{KEYTAB} isInitiator=false", "has isInitiator=false, as of a server: leave it out"),
        (f"{KEYTAB} keytab=x", "has an unknown option keytab: write keyTab, the nearest of doNotPrompt, "),
        (
            f"{KEYTAB} password=x",
            "has an unknown option password: write one of doNotPrompt, isInitiator, keyTab, principal, serviceName, ",
        ),
    ],
)
def test_a_wrong_option_is_named(options: str, said: str) -> None:
    """One sentence, with what to write."""
    with pytest.raises(ConfigurationError) as raised:
        build_client_options(given(options))

    assert str(raised.value).startswith(f"sasl.jaas.config {said}")


@pytest.mark.parametrize(
    ("properties", "said"),
    [
        (
            given(KEYTAB, "a.PlainLoginModule required"),
            "sasl.jaas.config has PlainLoginModule: GSSAPI needs Krb5LoginM",
        ),
        (given(KEYTAB) | {"sasl.kerberos.service.name": " "}, "sasl.kerberos.service.name is missing: write the first"),
        (
            given(f"{KEYTAB} serviceName=other"),
            "sasl.kerberos.service.name is kafka and serviceName in sasl.jaas.config is other: leave one out",
        ),
        (
            given(KEYTAB) | {"sasl.kerberos.service": "x"},
            "unknown property sasl.kerberos.service of Kafka's clients: did",
        ),
    ],
)
def test_a_wrong_property_is_named(properties: dict[str, str], said: str) -> None:
    """One sentence, with what to write."""
    with pytest.raises(ConfigurationError) as raised:
        build_client_options(properties)

    assert str(raised.value).startswith(said)


def test_options_without_effect_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that would change something in Java, where they are true."""
    path = tmp_path / "client.properties"
    properties = given(f"{KEYTAB} debug=true refreshKrb5Config=false useFirstPass=true storeKey=true")
    properties["sasl.kerberos.kinit.cmd"] = "/usr/bin/kinit"
    path.write_text("".join(f"{name}={text}\n" for name, text in properties.items()), encoding="ascii")

    assert properties == read_properties(path)
    without = "debug in sasl.jaas.config, useFirstPass in sasl.jaas.config"
    assert f"warden: {path}: without effect here: {without}\n" == capsys.readouterr().err


@pytest.mark.process
@pytest.mark.parametrize(
    ("package", "said"),
    [
        (
            None,
            (
                "gssapi is not installed: pip install 'kafka-warden[kerberos]', which compiles it: first install "
                "gcc and libkrb5-dev on Debian, gcc and krb5-devel on Red Hat"
            ),
        ),
        (
            'raise ImportError("libgssapi_krb5.so.2: cannot open shared object file")',
            (
                "Kerberos' library cannot be used (libgssapi_krb5.so.2: cannot open shared object file): install "
                "libgssapi-krb5-2 on Debian, krb5-libs on Red Hat"
            ),
        ),
    ],
)
def test_what_is_missing_is_one_sentence(tmp_path: Path, package: str | None, said: str) -> None:
    """The extra, or the library of the system, with the names of the packages."""
    path = tmp_path / "client.properties"
    path.write_text("".join(f"{name}={text}\n" for name, text in given(KEYTAB).items()), encoding="ascii")
    if package:
        (tmp_path / "gssapi.py").write_text(package, encoding="ascii")
    command = [sys.executable, "-m", "warden", "snapshot", "--bootstrap-server", "localhost:9", "--out", "out"]
    places = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    done = subprocess.run(
        [*command, "--command-config", str(path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": places},
    )

    assert (2, f"warden: {said}\n") == (done.returncode, done.stderr)
