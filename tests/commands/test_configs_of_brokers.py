"""``warden configs --entity-type brokers``, by a broker and by its controller, with Kafka's own command beside it."""

import json
import random
import re
from collections.abc import Callable, Iterator

import pytest

from tests.commands.conftest import Run
from tests.fixtures.conditions import eventually
from warden.demo.java import run_java
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

BROKERS = ["--entity-type", "brokers"]
ONE, ALL = [*BROKERS, "--entity-name", "1"], [*BROKERS, "--entity-default"]
VALUES = {  # dynamic configs, with what each may be; one is a secret
    "compression.type": ("gzip", "producer"),
    "log.cleaner.threads": ("1", "2"),
    "log.cleanup.policy": ("compact", "[compact,delete]"),
    "log.retention.ms": ("-1", "86400000"),
    "log.segment.bytes": ("1073741824", "536870912"),
    "max.connections.per.ip.overrides": ("[127.0.0.2:7,127.0.0.3:8]", "127.0.0.2:9"),
    "message.max.bytes": ("2000000", "3000000"),
    "ssl.key.password": ("hidden1", "hidden2"),
}

Lines = Callable[..., tuple[int, list[str]]]


@pytest.fixture(scope="module")
def own() -> Iterator[LocalBroker]:
    """A broker whose configs are this module's."""
    properties = {"auto.create.topics.enable": "false", "default.replication.factor": "3", "min.insync.replicas": "2"}
    with LocalBroker(properties=properties) as running:
        yield running


def addresses(broker: LocalBroker) -> list[list[str]]:
    """Both ways to reach it."""
    controllers = broker.bootstrap_controllers
    return [["--bootstrap-server", broker.bootstrap_servers], ["--bootstrap-controller", controllers]]


@pytest.fixture
def configs(warden: Run, opa: LocalOpa) -> Lines:
    """Runs `warden configs`; the lines are without those of rules that only warn."""

    def run(*arguments: str) -> tuple[int, list[str]]:
        status, out, err = warden("configs", "--opa-url", opa.url, "--opa-token", opa.tokens.query, *arguments)
        return status, [line for line in (out + err).splitlines() if not re.match(" +(dryrun|warn|fix:) ?", line)]

    return run


def kafkas(broker: LocalBroker, *arguments: str) -> list[str]:
    """What Kafka's own command prints."""
    return run_java("kafka.admin.ConfigCommand", list(arguments), class_path=broker._class_path).splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_set_is_shown_as_kafka_shows_it(own: LocalBroker, configs: Lines, seed: int) -> None:
    """Dynamic configs of the node and of all nodes, and all configs with what lies beneath, the same by both ways."""
    chosen = random.Random(seed)
    for entity in (ONE, ALL):
        keys = chosen.sample(sorted(VALUES), 5)
        added = ",".join(f"{key}={chosen.choice(VALUES[key])}" for key in keys)
        kafkas(own, *addresses(own)[1], "--alter", *entity, "--add-config", added)
    for where in addresses(own):
        for wanted in (BROKERS, [*ONE, "--all"], [*ALL, "--all"]):
            shown = lambda: kafkas(own, *where, "--describe", *wanted)  # noqa: B023, E731 - called at once
            same = lambda: (0, shown()) == configs(*where, "--describe", *wanted)  # noqa: B023, E731 - called at once
            eventually(same, f"the same by {where} of {wanted}")
            assert len(shown()) >= 6


@pytest.mark.parametrize("way", [0, 1])
def test_what_is_allowed_is_altered(own: LocalBroker, configs: Lines, way: int) -> None:
    """By the broker and by the active controller, of one node and of all; Kafka's command shows it done."""
    where = addresses(own)[way]
    added = ["--add-config", "log.cleaner.io.buffer.load.factor=0.8,log.cleaner.io.max.bytes.per.second=4.0E9"]
    tried = configs(*where, "--alter", *ONE, *added, "--validate-only")
    assert (0, ["Allowed updating config for broker 1, nothing was done."]) == tried
    assert not any("log.cleaner.io.max.bytes.per.second=" in line for line in configs(*where, "--describe", *ONE)[1])
    assert (0, ["Completed updating config for broker 1."]) == configs(*where, "--alter", *ONE, *added)
    status, lines = configs(*where, "--alter", *ALL, "--add-config", "log.cleaner.backoff.ms=20000")
    assert (0, ["Completed updating default config for brokers in the cluster."]) == (status, lines)
    texts = (
        "log.cleaner.io.buffer.load.factor=0.8 ",
        "log.cleaner.io.max.bytes.per.second=4.0E9 ",
        "log.cleaner.backoff.ms=20000 ",
    )

    def shows(lines: list[str]) -> bool:
        return all(text in "\n".join(lines) for text in texts)

    eventually(lambda: shows(kafkas(own, *addresses(own)[1 - way], "--describe", *BROKERS)), "Kafka's command shows it")
    eventually(lambda: shows(configs(*where, "--describe", *BROKERS)[1]), "what is to be deleted is known")

    for entity, gone in (
        (ONE, "log.cleaner.io.buffer.load.factor,log.cleaner.io.max.bytes.per.second"),
        (ALL, "log.cleaner.backoff.ms"),
    ):
        assert 0 == configs(*where, "--alter", *entity, "--delete-config", gone)[0]

    def have_gone() -> bool:
        _, lines = configs(*where, "--describe", *BROKERS, "--output", "json")
        by_name = {one["entity"]["broker"]: one["configs"] for one in json.loads("\n".join(lines))}
        assert {"1", None} == by_name.keys()
        return not {"log.cleaner.io.max.bytes.per.second", "log.cleaner.backoff.ms"} & {
            key for each in by_name.values() for key in each
        }

    eventually(have_gone, "what was deleted is gone")


def test_what_topics_inherit(own: LocalBroker, configs: Lines) -> None:
    """Controllers tell no topics, so that what a default does to them is not known there."""
    change = ["--alter", *ONE, "--add-config", "log.retention.bytes=4000000000", "--validate-only"]
    by_brokers, by_controllers = (configs(*where, *change) for where in addresses(own))
    assert (0, ["Allowed updating config for broker 1, nothing was done."]) == by_brokers
    assert 1 == by_controllers[0]
    assert "defaults, topics, which AlterBroker needs" in by_controllers[1][-1]


@pytest.mark.parametrize("way", [0, 1])
def test_what_is_denied_is_not_altered(own: LocalBroker, configs: Lines, replicated_opa: LocalOpa, way: int) -> None:
    """By a rule under the settings that ship, and by what a broker would refuse, though a controller would not."""
    where = [*addresses(own)[way], "--opa-url", replicated_opa.url, "--opa-token", replicated_opa.tokens.query]
    before = configs(*where, "--describe", *BROKERS)
    assert 0 == before[0]
    status, lines = configs(*where, "--alter", *ALL, "--add-config", "min.insync.replicas=1")
    assert (1, "Not updated default config for brokers in the cluster.", "denied: POLICY_VIOLATION") == (
        status,
        *lines[:2],
    )
    assert any("deny KFK-DUR-003" in line for line in lines), lines
    for refused in ("broker.rack=b", "log.cleaner.threads=x"):
        status, lines = configs(*where, "--alter", *ONE, "--add-config", refused)
        assert (1, "denied: INVALID_REQUEST") == (status, lines[1])
    assert before == configs(*where, "--describe", *BROKERS)


@pytest.mark.parametrize(
    ("way", "arguments", "said"),
    [
        (0, ["--describe", *BROKERS, "--entity-name", "7", "--all"], "warden: unknown broker 7: write one of 1"),
        (
            1,
            ["--describe", *BROKERS, "--entity-name", "7", "--all"],
            "unknown controller 7: write one of 1; brokers",
        ),
        (1, ["--alter", *BROKERS, "--entity-name", "x", "--add-config", "a=1"], "must be a valid integer broker id"),
        (
            1,
            ["--describe", "--entity-type", "users"],
            "Controllers tell configs and loggers of nodes: give --boot",
        ),
        (
            1,
            ["--describe", *BROKERS, "--bootstrap-server", "a:1"],
            "Only one of --bootstrap-server or --bootstrap-controller",
        ),
        (0, ["--describe", *BROKERS, "--entity-type", "users"], "Only 'users' and 'clients' entity types may be"),
        (0, ["--describe", *BROKERS, "--service", "https://a"], "--service has client configs alone"),
        (1, ["--alter", *BROKERS, "--add-config", "a=1"], "An entity-name or default entity must be specified"),
    ],
)
def test_mistakes(own: LocalBroker, configs: Lines, way: int, arguments: list[str], said: str) -> None:
    """One sentence, with what to do."""
    status, lines = configs(*addresses(own)[way], *arguments)
    assert (1, True) == (status, said in "\n".join(lines)), lines


def test_one_in_the_place_of_the_other(own: LocalBroker, configs: Lines, warden: Run) -> None:
    """A controller named as a broker, to any command, and a broker as a controller: what it is, and what to write."""
    server, controller = own.bootstrap_servers, own.bootstrap_controllers
    assert (1, [f"warden: {server} is a broker, not a controller: use --bootstrap-server"]) == configs(
        "--bootstrap-controller", server, "--describe", *BROKERS
    )
    said = (
        f"warden: {controller} is a controller, which knows no topics, groups and offsets: name brokers; "
        "brokers' configs are shown by warden configs --bootstrap-controller"
    )
    assert (1, [said]) == configs("--bootstrap-server", controller, "--describe", *BROKERS)
    status, _, err = warden("snapshot", "--bootstrap-server", controller, "--out", "nowhere")
    assert (2, said) == (status, err.splitlines()[-1])
