"""What goes into server.properties is what the plugin takes, and what it refuses is found before a broker starts."""

import re

import pytest
from click.testing import CliRunner

from tools.broker_plugin import SOURCES
from warden.base.errors import InputError
from warden.commands.broker_plugin import command
from warden.enforce.broker_plugin_properties import (
    CLASSES,
    PREFIX,
    SETTINGS,
    PluginSettings,
    format_properties,
    list_problems,
)

_SETTINGS = PluginSettings(cluster="prod-eu", token_file="/etc/kafka/opa.token", mode="dryrun")
_LINES = [
    "authorizer.class.name=warden.broker.Authorizer",
    "create.topic.policy.class.name=warden.broker.CreateTopicPolicy",
    "alter.config.policy.class.name=warden.broker.AlterConfigPolicy",
    "warden.broker.cluster=prod-eu",
    "warden.broker.opa.url=http://127.0.0.1:8181",
    "warden.broker.opa.token.file=/etc/kafka/opa.token",
    "warden.broker.mode=dryrun",
]
_SOUND = {"process.roles": "broker,controller", **dict(line.split("=", 1) for line in _LINES)}


def test_the_lines_are_what_is_checked() -> None:
    """What is printed has no problem."""
    assert _LINES == format_properties(_SETTINGS)
    assert [] == list_problems(_SOUND)


def test_a_node_without_controller_needs_nothing() -> None:
    """Brokers send creations, changes and deletions on to controllers, which decide."""
    assert [] == list_problems({"process.roles": "broker", "authorizer.class.name": "of.another"})


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"authorizer.class.name": "of.another"}, "authorizer.class.name: of.another has the place of"),
        (
            {"warden.broker.opa.url": "http://opa.example:8181"},
            "warden.broker.opa.url: 'http://opa.example:8181': give",
        ),
        ({"warden.broker.opa.url": "http://[::1"}, "warden.broker.opa.url: 'http://[::1': give"),
        (
            {"warden.broker.buget.ms": "1"},
            "unknown property warden.broker.buget.ms: write warden.broker.budget.ms, the nearest",
        ),
        ({"warden.broker.budget.ms": "0"}, "warden.broker.budget.ms: '0': give a number"),
        ({"warden.broker.mode": "dry"}, "warden.broker.mode: 'dry': give enforce or dryrun"),
    ],
)
def test_what_is_wrong_is_said(changed: dict[str, str], sentence: str) -> None:
    """One sentence for each problem."""
    (problem,) = list_problems({**_SOUND, **changed})

    assert problem.startswith(sentence)


@pytest.mark.parametrize("name", [*CLASSES, "warden.broker.cluster"])
def test_what_is_missing_is_said(name: str) -> None:
    """The three classes and the cluster's name have to be there."""
    (problem,) = list_problems({key: value for key, value in _SOUND.items() if key != name})

    assert problem.startswith(f"{name} is missing: ")


def test_the_names_are_those_of_the_plugin() -> None:
    """The plugin takes these settings and no others."""
    source = (SOURCES / "warden" / "broker" / "Settings.java").read_text(encoding="utf-8")
    (names,) = re.findall(r"NAMES = Set\.of\((.*?)\);", source, re.DOTALL)

    assert set(SETTINGS) == set(re.findall(r'"([a-z.]+)"', names))
    assert f'PREFIX = "{PREFIX}"' in source


def test_the_command_prints_and_checks(tmp_path) -> None:
    """What one prints the other finds sound; a problem is a line and status 1."""
    run = CliRunner().invoke
    printed = run(command, ["properties", "--cluster", "prod-eu"], standalone_mode=False)
    file = tmp_path / "server.properties"
    file.write_text(f"process.roles=controller\n{printed.stdout}", encoding="utf-8")
    sound = run(command, ["check", str(file)], standalone_mode=False)
    file.write_text(f"process.roles=controller\n{printed.stdout}warden.broker.mode=dry\n", encoding="utf-8")
    unsound = run(command, ["check", str(file)], standalone_mode=False)

    assert (0, 0, "") == (printed.return_value, sound.return_value, sound.stdout)
    assert (1, f"{file}: warden.broker.mode: 'dry': give enforce or dryrun\n") == (unsound.return_value, unsound.stdout)


def test_a_file_that_is_of_no_node(tmp_path) -> None:
    """That nothing is wrong with it would be said of any file: every byte is a character of properties."""
    file = tmp_path / "server.properties"
    for content in (b"", b"\x00\xff", b"bootstrap.servers=a:9092\n"):
        file.write_bytes(content)
        with pytest.raises(
            InputError, match=r"server\.properties: neither process\.roles nor zookeeper\.connect is in it"
        ):
            CliRunner().invoke(command, ["check", str(file)], standalone_mode=False, catch_exceptions=False)
