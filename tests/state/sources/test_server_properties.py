"""A broker's file as the broker reads it: variables, overrides, its id, and what is secret in it."""

from pathlib import Path

import pytest

from warden.base.errors import InputError
from warden.state.sources.kafka.read.server_properties import HIDDEN, read_broker_id, resolve, without_secrets

_PROVIDERS = {
    "config.providers": "env,file,dir,vault",
    "config.providers.env.class": "org.apache.kafka.common.config.provider.EnvVarConfigProvider",
    "config.providers.file.class": "org.apache.kafka.common.config.provider.FileConfigProvider",
    "config.providers.dir.class": "org.apache.kafka.common.config.provider.DirectoryConfigProvider",
    "config.providers.vault.class": "example.VaultProvider",
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", "plain"),
        ("${env:RACK}", "a"),
        ("zone-${env:RACK}-${env:RACK}", "zone-a-a"),
        ("${env:NONE}", "${env:NONE}"),
        ("${file:FILE:rack}", "b=c"),
        ("${file:FILE:zone}", "Zürich"),
        ("${file:FILE:none}", "${file:FILE:none}"),
        ("${dir:DIR:rack.txt}", "d"),
        ("${dir:DIR:none.txt}", "${dir:DIR:none.txt}"),
        ("${vault:path:key}", "${vault:path:key}"),
        ("${other:key}", "${other:key}"),
        ("${env}", "${env}"),
    ],
)
def test_variables(text: str, value: str, tmp_path: Path) -> None:
    """Variables are filled in by Kafka's own providers; what they do not know stays, as Kafka leaves it."""
    (tmp_path / "more.properties").write_text("rack=b=c\nzone=Zürich\n", encoding="utf-8")
    (tmp_path / "rack.txt").write_text("d", encoding="utf-8")

    def placed(written: str) -> str:
        return written.replace("FILE", str(tmp_path / "more.properties")).replace("DIR", str(tmp_path))

    resolved = resolve({**_PROVIDERS, "broker.rack": placed(text)}, environ={"RACK": "a"})

    assert placed(value) == resolved["broker.rack"]


def test_overrides_win() -> None:
    """What kafka-server-start.sh is given with --override stands over the file."""
    assert {"a": "2", "b": "1", "c": "3"} == resolve({"a": "1", "b": "1"}, {"a": "2", "c": "3"})


@pytest.mark.parametrize(
    ("properties", "expected"),
    [({"node.id": " 3 "}, "3"), ({"broker.id": "2"}, "2"), ({"node.id": "3", "broker.id": "2"}, "3")],
)
def test_broker_id(properties: dict[str, str], expected: str) -> None:
    """A node has its id by its new name, or by its old one."""
    assert expected == read_broker_id(properties)


def test_no_broker_id() -> None:
    """A broker without an id could not start."""
    with pytest.raises(InputError, match=r"neither node\.id nor broker\.id"):
        read_broker_id({"node.id": ""})


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("ssl.keystore.password", True),
        ("ssl.key.password", True),
        ("ssl.keystore.key", True),
        ("sasl.jaas.config", True),
        ("listener.name.internal.ssl.key.password", True),
        ("listener.name.internal.scram-sha-256.sasl.jaas.config", True),
        ("my.vault.TOKEN", True),
        ("ssl.keystore.location", False),
        ("ssl.keystore.type", False),
        ("delegation.token.max.lifetime.ms", False),
        ("sasl.oauthbearer.token.endpoint.url", False),
        ("listener.name.internal.sasl.oauthbearer.token.endpoint.url", False),
        ("num.partitions", False),
    ],
)
def test_secrets_are_not_sent(name: str, hidden: bool) -> None:
    """Every password is hidden, of whatever listener; what is no secret is reported."""
    assert {name: HIDDEN if hidden else "x"} == without_secrets({name: "x"})
