"""Configurations of brokers, of Connect and of clients: whose file one is, its lines, and what Kafka makes of it."""

import json
from pathlib import Path

import pytest
from click.testing import Result

from tests.analyse.check.conftest import Check, Read
from warden.analyse.check.files import read_paths
from warden.analyse.check.readers.config_files import ConfigReading
from warden.base.errors import ConfigurationError
from warden.policy.opa.local import LocalOpa

SERVER = """\
# a broker
process.roles=broker
node.id=7
controller.listener.names=CONTROLLER
controller.quorum.bootstrap.servers=c1:9093
num.partitions=x
log.dirs=/a,\\
  /b,/a
ssl.key.password=hunter2
listener.name.client.ssl.cipher.suites=,x
"""
CLEAN = SERVER.replace("=x\n", "=3\n", 1).replace(",/a", "").replace("=,x", "=x")
DROPPED = (
    'Configuration key "log.dirs" contains duplicate values. Duplicates will be removed. '
    "The original value is: [/a, /b, /a], the updated value is: [/a, /b]"
)
CONNECTOR = """\
{"name": "s",
 "config": {
  "connector.class": "x.Sink",
  "topics": "a,a",
  "transforms": "m",
  "transforms.m.type": "org.apache.kafka.connect.transforms.MaskField$Value",
  "transforms.m.fields": ""}}
"""


def _findings(result: Result) -> list[tuple[str, int, str]]:
    """Level, line and message of each annotation, without the rules' own."""
    found = []
    for line in result.output.splitlines():
        where, _, message = line.removeprefix("::").partition("::")
        level, _, fields = where.partition(" ")
        named = dict(each.split("=", 1) for each in fields.split(","))
        if named["title"] == "kafka":
            found.append((level, int(named["line"]), message.partition(": ")[2]))
    return found


@pytest.mark.parametrize(
    ("name", "text", "component"),
    [
        ("server.properties", SERVER, "broker 7"),
        ("broker.conf", SERVER, "broker 7"),
        ("connect.properties", "bootstrap.servers=a:1\nplugin.path=/x\ngroup.id=c\n", "connect"),
        ("sink.properties", "connector.class=x.Sink\ntopics=a\n", "connector"),
        ("sink.json", CONNECTOR, "connector"),
        ("flat.json", '{"connector.class": "x.Sink", "topics": "a"}', "connector"),
        ("mm2.properties", "clusters=a,b\na->b.enabled=true\n", "mirror-maker"),
        ("app.properties", "application.id=a\nbootstrap.servers=a:1\n", "streams"),
        ("p.properties", "bootstrap.servers=a:1\nacks=all\n", "producer"),
        ("c.properties", "bootstrap.servers: a:1\ngroup.id: g\n", "consumer"),
        ("client.properties", "bootstrap.servers=a:1\nsecurity.protocol=SSL\n", "admin"),
    ],
)
def test_whose_file_it_is(read: Read, name: str, text: str, component: str) -> None:
    """The keys say it, whatever the file is called."""
    contents = read(text, name)

    assert ([component], []) == ([one.name for one in contents.declared], contents.faults)


@pytest.mark.parametrize("text", ["log4j.rootLogger=INFO\n", "security.protocol=SSL\n", "", "# nothing\n"])
def test_properties_of_nobody(read: Read, text: str) -> None:
    """They are passed over and counted."""
    contents = read(text, "log4j.properties")

    assert (0, 0, 1) == (len(contents.declared), len(contents.faults), len(contents.skipped))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("bootstrap.servers=a:1\nacks=1\ngroup.id=g\n", 1, "these may be producer or consumer properties"),
        ("process.roles=broker\n", 1, "neither node.id nor broker.id"),
        ("node.id=1\nbroker.rack=\\u00zz\n", 2, "not properties (an escape \\u lacks its four"),
        ("<a/>", 1, "it begins as XML"),
        ("node.id=1\n\0", 2, "this is not text"),
    ],
)
def test_what_is_no_configuration(read: Read, text: str, line: int, said: str) -> None:
    """An error with file and line."""
    (fault,) = read(text, "f.properties").faults

    assert ("f.properties", line, True) == (fault.file, fault.line, said in fault.message), fault


def test_variables_are_not_filled_in_for_strangers(read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the environment nor a file goes into what is printed; a broker's own host asks for it."""
    monkeypatch.setenv("TOKEN", "s3cret")
    provider = "config.providers=e\nconfig.providers.e.class=x.EnvVarConfigProvider\n"
    text = f"{SERVER}{provider}broker.rack=${{e:TOKEN}}\nssl.keystore.password=${{e:TOKEN}}\n"
    (broker,) = read(text, "server.properties").declared
    (resolved,) = read_paths([Path("server.properties")], ConfigReading(resolves=True)).declared

    assert ("/request/configs/broker.rack",) == broker.unknown
    assert "s3cret" not in json.dumps(broker.request)
    assert ("s3cret", ()) == (resolved.request["configs"]["broker.rack"], resolved.unknown)


@pytest.mark.opa
def test_a_broker(check: Check, few_opa: LocalOpa) -> None:
    """All that Kafka would refuse or change at the start, at its line; no password goes anywhere."""
    Path("server.properties").write_text(SERVER)
    result = check("server.properties", "--output", "github")

    number = "Invalid value x for configuration num.partitions: Not a number of type INT"
    empty = "listener.name.client.ssl.cipher.suites: Configuration 'ssl.cipher.suites' values must not be empty."
    assert [("error", 6, number), ("error", 10, empty), ("warning", 7, DROPPED)] == _findings(result)
    assert 1 == result.return_value
    assert "hunter2" not in few_opa.log.read_text(encoding="utf-8")
    Path("server.properties").write_text(CLEAN)
    assert 0 == check("server.properties").return_value


@pytest.mark.opa
def test_overrides_of_a_broker(check: Check) -> None:
    """What kafka-server-start.sh is given stands over the file; what is no override is an error."""
    Path("server.properties").write_text(CLEAN)
    result = check("server.properties", "--override", "log.retention.ms=y")

    assert "Invalid value y for configuration log.retention.ms: Not a number of type LONG" in result.output
    assert 1 == result.return_value
    said = "--override 'foo': write it as key=value, such as broker.rack=a"
    assert said == str(check("server.properties", "--override", "foo").exception)


@pytest.mark.opa
def test_what_a_config_provider_fills_in_is_not_evaluated(check: Check) -> None:
    """It is a warning, or an error on request, and never taken for a value or for left out."""
    Path("server.properties").write_text(CLEAN.replace("node.id=7", "node.id=${env:NODE}"))
    result = check("server.properties")
    denied = check("server.properties", "--unknown", "deny")

    assert "not evaluated, known only where the broker runs (--resolve-variables): configs/node.id" in result.output
    assert "Missing" not in result.output
    assert (0, 1) == (result.return_value, denied.return_value)


@pytest.mark.opa
def test_a_connector_is_validated_as_connect_does(check: Check) -> None:
    """Connect's REST API refuses what a start would only warn about; a transform's keys count."""
    Path("sink.json").write_text(CONNECTOR)
    result = check("sink.json", "--output", "github")

    assert [("error", 4), ("error", 7)] == [(level, line) for level, line, _ in _findings(result)]
    (one,) = json.loads(check("sink.json", "--output", "json").output)["declarations"]
    assert ("connector", None, None) == (one["component"], one["operation"], one["decision"])
    assert ["a", "a"] != one["lists"]["topics"]["values"]


@pytest.mark.opa
def test_a_component_by_name(check: Check) -> None:
    """What the keys do not say an option does; a required key that the file lacks is a fault of the file."""
    Path("c.properties").write_text("group.id=g\n")
    result = check("c.properties", "--component", "consumer", "--output", "github")
    missing = 'Missing required configuration "bootstrap.servers" which has no default value.'

    assert [("error", 1, missing)] == _findings(result)
    error = check("c.properties", "--component", "brokr").exception
    assert isinstance(error, ConfigurationError)
    assert str(error).startswith('--component brokr: component: "brokr" is not known (did you mean broker?); ')


@pytest.mark.opa
@pytest.mark.parametrize("output", ["text", "json", "sarif", "junit", "github", "gitlab", "markdown"])
def test_every_output_has_the_finding(check: Check, output: str) -> None:
    """A file of properties beside one of topics, and what is unusual in it does no harm."""
    Path("p.properties").write_text("bootstrap.servers=a:1\nacks=all\ninterceptor.classes=,x\n")
    Path("x.properties").write_text("bootstrap.servers=a:1\nacks=all\nclient.id=\\u0001\n")
    result = check("p.properties", "x.properties", "good.yaml", "--output", output)

    assert "interceptor.classes" in result.output
    assert "values must not be empty" in result.output
    assert 1 == result.return_value


@pytest.mark.opa
def test_a_fix_of_properties_is_left_to_people(check: Check) -> None:
    """Nothing is written, and it is said."""
    Path("server.properties").write_text(f"{CLEAN}auto.create.topics.enable=true\n")
    before = Path("server.properties").read_bytes()
    check("server.properties", "--fix")

    assert before == Path("server.properties").read_bytes()
