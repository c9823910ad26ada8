"""``warden configs``, with a real broker, a real OPA and Kafka's own command beside it."""

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.cli.conftest import Run
from warden.cli.configs.describe import java_double
from warden.cli.configs.entities import key_values
from warden.demo.local_broker import LocalBroker
from warden.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

ALICE = ["--entity-type", "users", "--entity-name", "alice"]
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


def test_the_examples_of_the_kip(configs: Lines, broker: LocalBroker) -> None:
    """KIP-649's transcript, line by line; the quotas are the broker's, as its own command has them."""
    clients = ["--entity-type", "clients"]
    done = (0, ["Completed updating config for user alice."])
    general = "acks=-1,session.timeout.ms=11000,producer_byte_rate=50000"
    special = "acks=0,heartbeat.interval.ms=2000,producer_byte_rate=60000"
    assert done == configs("--alter", *ALICE, "--add-config", general)
    assert done == configs("--alter", *ALICE, *CLIENT, "--add-config", special)
    assert done == configs("--alter", *ALICE, *clients, "--entity-default", "--add-config", "acks=-1")

    of_alice = [
        "Quota configs for user-principal 'alice' are producer_byte_rate=50000.0",
        "Dynamic configs for user-principal 'alice' are session.timeout.ms=11000, acks=-1",
    ]
    of_client = [
        "Quota configs for user-principal 'alice', client-id 'clientid-override' are producer_byte_rate=60000.0",
        (
            "Dynamic configs for user-principal 'alice', client-id 'clientid-override' are "
            "heartbeat.interval.ms=2000, acks=0"
        ),
    ]
    of_default = ["Dynamic configs for user-principal 'alice', client-id '' are acks=-1"]
    assert (0, of_alice) == configs("--describe", *ALICE)
    assert (0, of_client) == configs("--describe", *ALICE, *CLIENT)
    assert (0, [*of_client, *of_default]) == configs("--describe", *ALICE, *clients)

    theirs = broker.tool("kafka.admin.ConfigCommand", "--describe", *ALICE, *clients)
    assert of_client[:1] == theirs.splitlines()

    assert done == configs("--alter", *ALICE, "--delete-config", "acks,producer_byte_rate")
    assert (0, ["Dynamic configs for user-principal 'alice' are session.timeout.ms=11000"]) == configs(
        "--describe", *ALICE
    )


def test_what_is_denied_is_not_done_in_part(configs: Lines) -> None:
    """A bad client config, a bad quota, or no right: nothing of the change is carried out."""
    assert 0 == configs("--alter", *ALICE, "--add-config", "consumer_byte_rate=1000")[0]
    before = configs("--describe", *ALICE)
    for added, said in [
        ("acks=2,consumer_byte_rate=2000", "Invalid value 2 for configuration acks"),
        ("acks=1,consumer_byte_rate=-1", "consumer_byte_rate"),
        ("acks=1,foo=1", "Unknown client config foo"),
    ]:
        status, lines = configs("--alter", *ALICE, "--add-config", added)
        assert (1, "Not updated config for user alice.", True) == (status, lines[0], said in "\n".join(lines))
    status, lines = configs("--alter", *ALICE, "--add-config", "acks=1,consumer_byte_rate=2000", principal="User:eve")
    assert (1, True) == (status, "User:eve has no ALTER_CONFIGS on the cluster." in "\n".join(lines))
    status, lines = configs("--describe", *ALICE, principal="User:eve")
    assert (1, True) == (status, "User:eve has no DESCRIBE_CONFIGS on the cluster." in "\n".join(lines))

    assert (2, True) == (
        (ended := configs("--alter", *ALICE, "--delete-config", "acks"))[0],
        "Invalid config(s): acks" in ended[1][-1],
    )
    assert before == configs("--describe", *ALICE)


def test_validate_only_and_json(configs: Lines) -> None:
    """What is only tried is not done; a program reads it all."""
    tried = configs("--alter", *ALICE, "--add-config", "acks=1,request_percentage=50", "--validate-only")
    assert (0, ["Allowed updating config for user alice, nothing was done."]) == tried
    status, lines = configs("--alter", *ALICE, *CLIENT, "--add-config", "acks=1", "--output", "json")
    answer = json.loads("\n".join(lines))
    assert (0, True, True) == (status, answer["allowed"], answer["done"])
    status, lines = configs("--describe", *ALICE, *CLIENT, "--output", "json")
    (only,) = json.loads("\n".join(lines))
    assert {"entity": {"user": "alice", "client-id": "clientid-override"}, "configs": {"acks": "1"}} == {
        name: only[name] for name in ("entity", "configs")
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--describe"], "Missing option '--entity-type'"),
        ([*ALICE], "Give one action: --describe or --alter."),
        (["--alter", *ALICE], "Give --add-config or --delete-config with --alter."),
        (["--alter", "--entity-type", "users", "--add-config", "acks=1"], "Give --entity-name or --entity-default"),
        (["--alter", *ALICE, "--add-config", "acks"], 'must be in the format "key=val"'),
        (["--describe", *ALICE, "--add-config", "acks=1"], "go with --alter"),
        (["--describe", *ALICE, *ALICE], "Give each --entity-type once."),
        (["--describe", *ALICE, "--entity-default"], "no more of --entity-name"),
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
    assert (2, True) == (status, said in "\n".join(lines)), lines


def test_lists_of_configs() -> None:
    """Commas within square brackets separate no configs."""
    assert {"a": "1,2", "b": "3"} == key_values("a=[1,2],b=3")


@given(some.floats(min_value=-1e300, max_value=1e300))
def test_doubles_read_back(value: float) -> None:
    """What is printed is the number, in Java's form."""
    assert value == float(java_double(value))
    assert re.fullmatch(r"-?\d+\.\d+(E-?\d+)?", java_double(value))


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
    assert text == java_double(value)
