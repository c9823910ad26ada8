"""``warden broker-check``: the file of a broker that is about to start."""

import json
from pathlib import Path

import pytest

from warden.errors import InputError
from warden.sources.kafka.server_properties import HIDDEN, broker_id, resolve, without_secrets

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
    assert expected == broker_id(properties)


def test_no_broker_id() -> None:
    """A broker without an id could not start."""
    with pytest.raises(InputError, match=r"neither node\.id nor broker\.id"):
        broker_id({"node.id": ""})


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
        ("password.encoder.iterations", False),
        ("num.partitions", False),
    ],
)
def test_secrets_are_not_sent(name: str, hidden: bool) -> None:
    """Every password is hidden, of whatever listener; what is no secret is reported."""
    assert {name: HIDDEN if hidden else "x"} == without_secrets({name: "x"})


_SERVER = """\
process.roles=broker
node.id=7
controller.listener.names=CONTROLLER
controller.quorum.bootstrap.servers=c1:9093
num.partitions={partitions}
ssl.key.password=hunter2
"""
_NOT_BETWEEN_BROKERS = (
    "  requirement failed: inter.broker.listener.name must be a listener name defined in advertised.listeners. "
    "The valid options based on currently configured listeners are X"
)


@pytest.mark.opa
@pytest.mark.parametrize(
    ("partitions", "overrides", "status", "said"),
    [
        ("3", [], 0, ["broker 7: allowed"]),
        (
            "x",
            ["--override", "log.retention.ms=y"],
            1,
            [
                "broker 7: denied: INVALID_CONFIG",
                "  Invalid value x for configuration num.partitions: Not a number of type INT",
                "  Invalid value y for configuration log.retention.ms: Not a number of type LONG",
            ],
        ),
        ("x", ["--override", "num.partitions=4"], 0, ["broker 7: allowed"]),
        (
            "3",
            ["--override", "listeners=X://:1"],
            1,
            [
                "broker 7: denied: INVALID_CONFIG",
                "  Error creating broker listeners from '[X://:1]': No security protocol defined for listener X",
                _NOT_BETWEEN_BROKERS,
            ],
        ),
    ],
)
def test_start(partitions, overrides, status, said, warden, opa, tmp_path) -> None:
    """All that is wrong at once, by the exit status too; the password is in nothing that OPA receives."""
    path = tmp_path / "server.properties"
    path.write_text(_SERVER.format(partitions=partitions), encoding="utf-8")
    where = ["--opa-url", opa.url, "--opa-token", opa.tokens.query]
    ended, out, _ = warden("broker-check", *where, *overrides, str(path))
    lines = out.splitlines()
    notes = {index for index, line in enumerate(lines) if line.startswith("  dryrun ")}

    assert status == ended
    assert said == [line for index, line in enumerate(lines) if index not in notes and index - 1 not in notes]
    assert "hunter2" not in opa.log.read_text(encoding="utf-8")


@pytest.mark.opa
def test_start_as_json(warden, opa, tmp_path) -> None:
    """A program gets the decision itself."""
    path = tmp_path / "server.properties"
    path.write_text(_SERVER.format(partitions="0"), encoding="utf-8")
    where = ["--opa-url", opa.url, "--opa-token", opa.tokens.query]
    status, out, _ = warden("broker-check", *where, "--output", "json", str(path))

    assert 1 == status
    assert {"code": 40, "name": "INVALID_CONFIG"}.items() <= json.loads(out)["error"].items()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "server.properties: cannot be read (No such file or directory): name a properties file"),
        ("node.id=1\nbroker.rack=\\u00zz\n", "server.properties:2: not properties (an escape \\u lacks its four"),
        (
            "config.providers=f\nconfig.providers.f.class=FileConfigProvider\nnode.id=${f:/none:id}\n",
            "/none: cannot be read (No such file or directory): name a properties file in the broker's variable",
        ),
        ("num.partitions=1\n", "neither node.id nor broker.id"),
    ],
)
def test_files_that_cannot_be_evaluated(text, said, warden, tmp_path) -> None:
    """A file that cannot be evaluated stops the start as well, with exit status 2."""
    path = tmp_path / "server.properties"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    status, _, err = warden("broker-check", str(path))

    assert 2 == status
    assert said in err


def test_an_override_without_a_value(warden, tmp_path) -> None:
    """The example is a broker's config, not a topic's."""
    path = tmp_path / "server.properties"
    path.write_text("node.id=1\n", encoding="utf-8")

    said = "warden: --override 'foo': write it as key=value, such as broker.rack=a\n"
    assert (2, "", said) == warden("broker-check", "--override", "foo", str(path))
