"""`warden lint-config`: findings with their lines, in every form."""

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result

from warden.errors import ConfigurationError

pytestmark = pytest.mark.opa

Lint = Callable[..., Result]

SERVER = """\
process.roles=broker,controler
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://:9092,
log.dirs=/a,\\
  /b,/a
num.partitions=3
ssl.keystore.password=secret
controller.quorum.voters=1@a:9093
listener.name.client.ssl.cipher.suites=,x
"""
DROPPED = (
    'Configuration key "log.dirs" contains duplicate values. Duplicates will be removed. '
    "The original value is: [/a, /b, /a], the updated value is: [/a, /b]"
)


@pytest.fixture
def server(tmp_path: Path) -> Path:
    """A broker's file with four faults."""
    file = tmp_path / "server.properties"
    file.write_text(SERVER, encoding="utf-8")
    return file


def test_text(lint: Lint, server: Path) -> None:
    """One line for each finding, in the order of the file; behind a prefix the whole key is named too."""
    result = lint("--component", "broker", server)

    unknown = "Invalid value controler for configuration process.roles: String must be one of: broker, controller"
    empty = "listener.name.client.ssl.cipher.suites: Configuration 'ssl.cipher.suites' values must not be empty."
    assert [
        f"{server}:1: error: {unknown}",
        f"{server}:3: error: Configuration 'listeners' values must not be empty.",
        f"{server}:4: warning: {DROPPED}",
        f"{server}:9: error: {empty}",
        "1 file: 3 errors, 1 warning",
    ] == result.output.splitlines()
    assert 1 == result.return_value


def test_clean(lint: Lint, tmp_path: Path) -> None:
    """A file without faults ends with 0, and so does one with warnings only."""
    good, doubled = tmp_path / "good.properties", tmp_path / "doubled.properties"
    good.write_text("bootstrap.servers=a:1", encoding="utf-8")
    doubled.write_text("bootstrap.servers=a:1,a:1", encoding="utf-8")
    result = lint("--component", "producer", good)
    warned = lint("--component", "producer", good, doubled)

    assert ("1 file: 0 errors, 0 warnings\n", 0) == (result.output, result.return_value)
    assert ("2 files: 0 errors, 1 warning", 0) == (warned.output.splitlines()[-1], warned.return_value)


def test_what_is_missing_has_no_line(lint: Lint, tmp_path: Path) -> None:
    """A required key that the file lacks is a fault of the file."""
    file = tmp_path / "consumer.properties"
    file.write_text("group.id=g", encoding="utf-8")
    result = lint("--component", "consumer", file)

    missing = 'Missing required configuration "bootstrap.servers" which has no default value.'
    assert [f"{file}: error: {missing}", "1 file: 1 error, 0 warnings"] == result.output.splitlines()


@pytest.mark.parametrize(("mode", "level"), [((), "error"), (("--mode", "parse"), "warning")])
def test_a_connector_is_validated_as_connect_does(
    lint: Lint, tmp_path: Path, mode: tuple[str, ...], level: str
) -> None:
    """Connect's REST API refuses what a start would only warn about; a transform's keys count."""
    file = tmp_path / "sink.json"
    config = {
        "topics": "a,a",
        "transforms": "m",
        "transforms.m.type": "org.apache.kafka.connect.transforms.MaskField$Value",
        "transforms.m.fields": "",
    }
    file.write_text(json.dumps({"name": "s", "config": config}, indent=1), encoding="utf-8")
    result = lint("--component", "connector", "--output", "json", *mode, file)

    found = [(one["line"], one["name"], one["level"]) for one in json.loads(result.output)["findings"]]
    assert [(4, "topics", level), (7, "transforms.m.fields", "error")] == found


def test_json(lint: Lint, server: Path) -> None:
    """For scripts."""
    result = lint("--component", "broker", "--output", "json", server)
    document = json.loads(result.output)

    assert [str(server)] == document["files"]
    assert {
        "file": str(server),
        "line": 3,
        "name": "listeners",
        "level": "error",
        "message": "Configuration 'listeners' values must not be empty.",
    } == document["findings"][1]


def test_sarif(lint: Lint, server: Path) -> None:
    """For code scanning: version 2.1.0, a rule, a location."""
    document = json.loads(lint("--component", "broker", "--output", "sarif", server).output)
    (run,) = document["runs"]

    assert ("2.1.0", ["kafka-list"]) == (document["version"], [rule["id"] for rule in run["tool"]["driver"]["rules"]])
    assert {
        "ruleId": "kafka-list",
        "level": "warning",
        "message": {"text": DROPPED},
        "locations": [
            {"physicalLocation": {"artifactLocation": {"uri": server.as_posix()}, "region": {"startLine": 4}}}
        ],
    } == run["results"][2]


def test_junit(lint: Lint, server: Path, tmp_path: Path) -> None:
    """For test reports: a case for each file, which fails by its errors; control characters do no harm."""
    good = tmp_path / "good.properties"
    good.write_text("process.roles=broker\ncontroller.listener.names=C\n", encoding="utf-8")
    server.write_text(SERVER.replace("controler", "\\u0001"), encoding="utf-8")
    suite = ET.fromstring(lint("--component", "broker", "--output", "junit", server, good).output)
    cases = {case.get("name"): [child.tag for child in case] for case in suite}

    assert ("2", "1") == (suite.get("tests"), suite.get("failures"))
    assert {str(server): ["failure", "system-out"], str(good): []} == cases


def test_github(lint: Lint, server: Path) -> None:
    """For pull requests: workflow commands with what is special escaped."""
    server.write_text("process.roles=50%,broker\ncontroller.listener.names=C\n", encoding="utf-8")
    result = lint("--component", "broker", "--output", "github", server)

    message = "Invalid value 50%25 for configuration process.roles: String must be one of: broker, controller"
    assert f"::error file={server},line=1,title=process.roles::{message}\n" == result.output


def test_unknown_component(lint: Lint, server: Path) -> None:
    """The flag is named, and what it could be."""
    result = lint("--component", "brokr", server)

    assert isinstance(result.exception, ConfigurationError)
    assert str(result.exception).startswith(
        '--component brokr: component: "brokr" is not known; known are admin, broker, '
    )
