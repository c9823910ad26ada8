"""``warden configs``, with a real broker, a real OPA and Kafka's own command beside it."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.commands.conftest import Run
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from warden.base.http.ports import find_free_port
from warden.commands.configs.arguments import parse_key_values
from warden.commands.configs.describe import format_java_double
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

ALICE = ["--entity-type", "users", "--entity-name", "kip-alice"]
CLIENT = ["--entity-type", "clients", "--entity-name", "clientid-override"]

Lines = Callable[..., tuple[int, list[str]]]


@pytest.fixture
def configs(
    warden: Run, broker: LocalBroker, opa: LocalOpa, config_admin: str, request: pytest.FixtureRequest
) -> Lines:
    """Runs `warden configs` with a store of the test's own; the lines are without those of rules that only warn."""
    store = f"topic:{re.sub('[^a-z]', '-', request.node.name)}"

    def run(*arguments: str, principal: str = config_admin) -> tuple[int, list[str]]:
        where = ["--bootstrap-server", broker.bootstrap_servers, "--opa-url", opa.url, "--opa-token", opa.tokens.query]
        status, out, err = warden("configs", *where, "--store", store, "--principal", principal, *arguments)
        return status, [line for line in (out + err).splitlines() if not re.match(" +(dryrun|warn|fix:) ?", line)]

    return run


def _wait_for(configs: Lines, lines: list[str], *arguments: str) -> None:
    """Until a description has these lines: a broker knows quotas some time after the controller has answered."""
    eventually(lambda: configs("--describe", *arguments) == (0, lines), f"--describe {arguments} shows {lines}")


def test_the_examples_of_the_kip(configs: Lines, broker: LocalBroker) -> None:
    """KIP-649's transcript, line by line; the quotas are the broker's, as its own command has them."""
    clients = ["--entity-type", "clients"]
    done = (0, ["Completed updating config for user kip-alice."])
    general = "acks=-1,session.timeout.ms=11000,producer_byte_rate=50000"
    special = "acks=0,heartbeat.interval.ms=2000,producer_byte_rate=60000"
    assert done == configs("--alter", *ALICE, "--add-config", general)
    assert done == configs("--alter", *ALICE, *CLIENT, "--add-config", special)
    assert done == configs("--alter", *ALICE, *clients, "--entity-default", "--add-config", "acks=-1")

    of_alice = [
        "Quota configs for user-principal 'kip-alice' are producer_byte_rate=50000.0",
        "Dynamic configs for user-principal 'kip-alice' are session.timeout.ms=11000, acks=-1",
    ]
    of_client = [
        "Quota configs for user-principal 'kip-alice', client-id 'clientid-override' are producer_byte_rate=60000.0",
        (
            "Dynamic configs for user-principal 'kip-alice', client-id 'clientid-override' are "
            "heartbeat.interval.ms=2000, acks=0"
        ),
    ]
    of_default = ["Dynamic configs for user-principal 'kip-alice', client-id '' are acks=-1"]
    _wait_for(configs, of_alice, *ALICE)
    _wait_for(configs, of_client, *ALICE, *CLIENT)
    _wait_for(configs, [*of_client, *of_default], *ALICE, *clients)

    theirs = run_tool(broker, "kafka.admin.ConfigCommand", "--describe", *ALICE, *clients)
    assert of_client[:1] == theirs.splitlines()

    assert done == configs("--alter", *ALICE, "--delete-config", "acks,producer_byte_rate")
    _wait_for(configs, ["Dynamic configs for user-principal 'kip-alice' are session.timeout.ms=11000"], *ALICE)


def test_what_is_denied_is_not_done_in_part(configs: Lines) -> None:
    """A bad client config, a bad quota, or no right: nothing of the change is carried out."""
    assert 0 == configs("--alter", *ALICE, "--add-config", "consumer_byte_rate=1000")[0]
    before = ["Quota configs for user-principal 'kip-alice' are consumer_byte_rate=1000.0"]
    _wait_for(configs, before, *ALICE)
    for added, said in [
        ("acks=2,consumer_byte_rate=2000", "Invalid value 2 for configuration acks"),
        ("acks=1,consumer_byte_rate=-1", "consumer_byte_rate"),
        ("acks=1,foo=1", "Unknown client config foo"),
    ]:
        status, lines = configs("--alter", *ALICE, "--add-config", added)
        assert (1, "Not updated config for user kip-alice.", True) == (status, lines[0], said in "\n".join(lines))
    status, lines = configs("--alter", *ALICE, "--add-config", "acks=1,consumer_byte_rate=2000", principal="User:eve")
    assert (1, True) == (status, "User:eve has no ALTER_CONFIGS on the cluster." in "\n".join(lines))
    status, lines = configs("--describe", *ALICE, principal="User:eve")
    assert (1, True) == (status, "User:eve has no DESCRIBE_CONFIGS on the cluster." in "\n".join(lines))

    assert (1, True) == (
        (ended := configs("--alter", *ALICE, "--delete-config", "acks"))[0],
        "Invalid config(s): acks" in ended[1][-1],
    )
    assert (0, before) == configs("--describe", *ALICE)


def test_validate_only_and_json(configs: Lines) -> None:
    """What is only tried is not done; a program reads it all."""
    tried = configs("--alter", *ALICE, "--add-config", "acks=1,request_percentage=50", "--validate-only")
    assert (0, ["Allowed updating config for user kip-alice, nothing was done."]) == tried
    status, lines = configs("--alter", *ALICE, *CLIENT, "--add-config", "acks=1", "--output", "json")
    answer = json.loads("\n".join(lines))
    assert (0, True, True) == (status, answer["allowed"], answer["done"])
    status, lines = configs("--describe", *ALICE, *CLIENT, "--output", "json")
    (only,) = json.loads("\n".join(lines))
    assert {"entity": {"user": "kip-alice", "client-id": "clientid-override"}, "configs": {"acks": "1"}} == {
        name: only[name] for name in ("entity", "configs")
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--describe"], "At least one entity type must be specified"),
        ([*ALICE], "Command must include exactly one action: --describe, --alter"),
        (["--alter", "--describe", *ALICE], "Command must include exactly one action: --describe, --alter"),
        (["--alter", *ALICE], "At least one of --add-config, --add-config-file, or --delete-config"),
        (["--alter", "--entity-type", "users", "--add-config", "acks=1"], "An entity-name or default entity must be"),
        (["--alter", *ALICE, "--add-config", "acks"], 'must be in the format "key=val"'),
        (["--alter", *ALICE, "--add-config-file", "nowhere"], "nowhere: cannot be read"),
        (["--alter", *ALICE, "--add-config", "acks=1,SCRAM-SHA-256=[password=x]"], "by a command each"),
        (["--describe", *ALICE, "--add-config", "acks=1"], 'be used with option "[add-config]"'),
        (["--describe", *ALICE, *ALICE], "Duplicate entity type(s) specified: users"),
        (["--describe", *ALICE, "--entity-default"], "More entity names specified than entity types"),
        (["--describe", "--ip", "::1", "--service", "https://a"], "--service has client configs alone: give --boot"),
        *(
            (
                ["--alter", *ALICE, "--add-config", f"producer_byte_rate={value}"],
                "Cannot parse quota configuration value",
            )
            for value in ("x", "nan", "1_0")
        ),
    ],
)
def test_mistakes(configs: Lines, arguments: list[str], said: str) -> None:
    """What cannot be meant is said in one line, and no cluster is reached."""
    status, lines = configs(*arguments)
    assert (1, True) == (status, said in "\n".join(lines)), lines


def test_standard_output_has_kafkas_lines_alone(
    warden: Run, broker: LocalBroker, replicated_opa: LocalOpa, config_admin: str, tmp_path: Path
) -> None:
    """What the policy says of a change, and what it denies, is for people: a script that compares goes on working."""
    (file := tmp_path / "quotas.properties").write_text("consumer_byte_rate: 1000000\nacks = 1\n", encoding="utf-8")
    opa = ["--opa-url", replicated_opa.url, "--opa-token", replicated_opa.tokens.query]
    where = ["--bootstrap-server", broker.bootstrap_servers, *opa]
    where += ["--principal", config_admin, "--store", f"sqlite:{tmp_path / 'configs.db'}", "--alter"]
    done = warden("configs", *where, "--user", "ada", "--client-defaults", "--add-config-file", str(file))
    assert (0, "Completed updating config for user ada.\n", True) == (*done[:2], "  warn KFK-" in done[2])
    denied = warden("configs", *where, "--user", "ada", "--add-config", "acks=2")
    assert (1, "", True) == (*denied[:2], denied[2].startswith("Not updated config for user ada.\ndenied: "))


def test_a_description_makes_no_store(warden: Run, broker: LocalBroker) -> None:
    """Nor does it need an OPA: in a topic that nobody has made there is nothing."""
    topics = run_tool(broker, "TopicCommand", "--list")
    where = ["--bootstrap-server", broker.bootstrap_servers, "--store", "topic:never-made"]
    nowhere = ["--opa-url", f"http://127.0.0.1:{find_free_port()}", "--opa-token", "x"]
    assert (0, "", "") == warden("configs", *where, *nowhere, "--describe", "--user", "no-user-of-any-test")
    assert topics == run_tool(broker, "TopicCommand", "--list")


def test_quotas_are_shown_without_the_store(warden: Run, configs: Lines, broker: LocalBroker, opa: LocalOpa) -> None:
    """A store that does not answer keeps nobody from seeing what the broker has; the error comes after it."""
    assert 0 == configs("--alter", "--user", "olga", "--add-config", "consumer_byte_rate=9000")[0]
    quota = "Quota configs for user-principal 'olga' are consumer_byte_rate=9000.0"
    _wait_for(configs, [quota], "--user", "olga")
    run_tool(broker, "TopicCommand", "--create", "--topic", "no-store", "--partitions", "2")
    where = ["--bootstrap-server", broker.bootstrap_servers, "--opa-url", opa.url, "--opa-token", opa.tokens.query]
    described = lambda: warden("configs", *where, "--store", "topic:no-store", "--describe", "--user", "olga")  # noqa: E731
    eventually(lambda: "topic no-store has 2 partitions" in described()[2], "the broker knows the topic")
    assert (1, f"{quota}\n") == described()[:2]


def test_lists_of_configs() -> None:
    """Commas within square brackets separate no configs."""
    assert {"a": "1,2", "b": "3"} == parse_key_values("a=[1,2],b=3")


@given(some.floats(min_value=-1e300, max_value=1e300))
def test_doubles_read_back(value: float) -> None:
    """What is printed is the number, in Java's form."""
    assert value == float(format_java_double(value))
    assert re.fullmatch(r"-?\d+\.\d+(E-?\d+)?", format_java_double(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (50000.0, "50000.0"),
        (1e7, "1.0E7"),
        (123456789.0, "1.23456789E8"),
        (0.001, "0.001"),
        (0.00012, "1.2E-4"),
        (0.0, "0.0"),
    ],
)
def test_doubles(value: float, text: str) -> None:
    """As ``Double.toString``."""
    assert text == format_java_double(value)
