"""``warden configs`` and kafka-configs.sh on the same broker: the same lines and the same exit status."""

import random
from collections.abc import Callable, Iterator, Mapping

import pytest

from tests.commands.conftest import Run
from tests.fixtures.brokers.kafka import AUTHORIZER, grant_configs
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from tests.fixtures.seed import SEED
from warden.base.errors import KafkaError
from warden.demo.java import run_java
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

Ended = tuple[int, list[str], str]
"""Exit status, lines of standard output, standard error."""
Lines = Callable[..., Ended]

LOGGER = "kafka.server.KafkaApis"
VALUES: Mapping[
    str, Mapping[str, tuple[str, ...]]
] = {  # by the option that names an entity: configs with the values that each may have
    "topic": {
        "cleanup.policy": ("compact", "[compact,delete]"),
        "compression.type": ("gzip", "producer"),
        "max.message.bytes": ("1000000", "2000000"),
        "min.insync.replicas": ("1",),
        "retention.ms": ("86400000", "172800000", "604800000"),
        "segment.bytes": ("536870912", "1073741824"),
    },
    "group": {
        "consumer.heartbeat.interval.ms": ("5000", "6000"),
        "consumer.session.timeout.ms": ("45000", "50000"),
        "share.auto.offset.reset": ("earliest", "latest"),
        "share.isolation.level": ("read_committed",),
    },
    "client-metrics": {
        "interval.ms": ("1000", "30000"),
        "match": ("[client_id=a.*,client_software_name=b]", "[client_id=c]"),
        "metrics": ("[org.apache.kafka.producer.,org.apache.kafka.consumer.]",),
    },
    "ip": {"connection_creation_rate": ("10", "2000")},
    "client": {
        "consumer_byte_rate": ("1E7", "12345678"),
        "controller_mutation_rate": ("0.5", "10"),
        "producer_byte_rate": ("1048576", "2.5e6"),
        "request_percentage": ("50", "200"),
    },
    "broker-logger": {LOGGER: ("DEBUG", "WARN"), "kafka.log.LogCleaner": ("ERROR",)},
}
SCRAM = ("[iterations=8192,password=a]", "[password=b,c=d]", "[iterations=-1,password=e]")


@pytest.fixture(scope="module")
def own() -> Iterator[LocalBroker]:
    """A broker whose configs are this module's."""
    with LocalBroker(properties=AUTHORIZER) as running:
        yield running


@pytest.fixture(scope="module")
def admin(own: LocalBroker) -> Iterator[str]:
    """A principal that may see client configs, whose store an alteration makes."""
    with grant_configs(own) as principal:
        yield principal


@pytest.fixture
def ours(warden: Run, own: LocalBroker, opa: LocalOpa, admin: str) -> Lines:
    """Runs `warden configs`."""

    def run(*arguments: str) -> Ended:
        where = [] if "--bootstrap-controller" in arguments else ["--bootstrap-server", own.bootstrap_servers]
        where += ["--opa-url", opa.url, "--opa-token", opa.tokens.query, "--principal", admin]
        status, out, err = warden("configs", *where, *arguments)
        return status, out.splitlines(), err

    return run


@pytest.fixture
def kafkas(own: LocalBroker) -> Lines:
    """Runs Kafka's own command."""

    def run(*arguments: str) -> Ended:
        where = [] if "--bootstrap-controller" in arguments else ["--bootstrap-server", own.bootstrap_servers]
        try:
            out = run_java("kafka.admin.ConfigCommand", [*where, *arguments], class_path=own._class_path)
        except KafkaError as error:
            return 1, [], str(error)
        return 0, out.splitlines(), ""

    return run


def draw(source: random.Random, flag: str) -> list[str]:
    """Configs to set, of an entity that an option names."""
    values = VALUES["client" if flag == "user" else flag]
    chosen = source.sample(sorted(values), source.randint(1, len(values)))
    return [f"{key}={source.choice(values[key])}" for key in chosen]


@pytest.mark.slow
def test_what_is_altered_by_one_is_shown_by_both(own: LocalBroker, ours: Lines, kafkas: Lines) -> None:
    """Each alters an entity of every kind in the same way; of each kind both show both, by name and all of them."""
    source, seed = random.Random(SEED), SEED % 200
    tools = {"ours": ours, "kafkas": kafkas}
    for name in tools:
        run_tool(own, "TopicCommand", "--create", "--topic", f"{name}.{seed}")
    for flag in VALUES:
        added = draw(source, flag)
        gone = source.choice(added).partition("=")[0]
        for name, tool in tools.items():
            fixed = {"ip": f"127.0.{seed}.{len(name)}", "broker-logger": "1"}
            entity = [f"--{flag}", fixed.get(flag, f"{name}.{seed}")]
            done = f"Completed updating config for {flag.removesuffix('s')} {entity[1]}."
            assert (0, [done]) == tool("--alter", *entity, "--add-config", ",".join(added))[:2]
            _wait_for(ours, entity, added)  # what is to be deleted has to be known
            if flag != "broker-logger":
                assert (0, [done]) == tool("--alter", *entity, "--delete-config", gone)[:2]
                eventually(lambda: gone not in _described(ours, entity), f"{gone} is gone")  # noqa: B023 - called at once
                assert (0, [done]) == tool("--alter", *entity, "--add-config", ",".join(added))[:2]
                _wait_for(ours, entity, added)
            assert same(ours, kafkas, "--describe", *entity)
        absent = ["--alter", *entity, "--delete-config", "absent,none"]
        assert ours(*absent)[:2] == kafkas(*absent)[:2]
    groups = ["--describe", "--entity-type", "groups"]
    assert sorted(ours(*groups)[1]) == sorted(kafkas(*groups)[1])  # their order is that of a hash table in Scala
    for kind in ("topics", "client-metrics", "ips", "clients"):
        assert same(ours, kafkas, "--describe", "--entity-type", kind)
    assert same(ours, kafkas, "--describe", "--entity-type", "topics", "--entity-name", f"ours.{seed}", "--all")


@pytest.mark.slow
def test_users_and_their_clients(ours: Lines, kafkas: Lines) -> None:
    """Quotas of users, of their clients and of defaults, and credentials: shown by both in the same lines."""
    source = random.Random(SEED)
    entities = [["--user", f"u{number}"] for number in range(6)]
    entities += [["--client", f"c{number}"] for number in range(5)]
    entities += [["--user", f"u{number}", "--client", f"c{number}"] for number in range(3)]
    entities += [["--user-defaults"], ["--client-defaults"], ["--user-defaults", "--client", "c"], ["--ip-defaults"]]
    for entity in entities:
        added = draw(source, "ip" if "ip" in entity[0] else "user")
        ended = ours("--alter", *entity, "--add-config", ",".join(added))
        assert ended[0] == 0, ended
    entity = ["--entity-type", "clients", "--entity-name", "c9", "--entity-type", "users", "--entity-name", "u9"]
    added = ["--add-config", "producer_byte_rate=1000"]
    assert ours("--alter", *entity, *added)[:2] == kafkas("--alter", *entity, *added)[:2]
    for number, password in enumerate(SCRAM):
        credentials = ["--add-config", f"SCRAM-SHA-{source.choice((256, 512))}={password}"]
        for tool in (ours, kafkas):
            assert tool("--alter", "--user", f"s{number}", *credentials)[0] == 0
    users, clients = ["--entity-type", "users"], ["--entity-type", "clients"]
    both = ["--entity-type", "users", "--entity-type", "clients"]
    for described in (users, clients, both, ["--user", "s1"], ["--user", "u1"], ["--entity-type", "ips"]):
        assert same(ours, kafkas, "--describe", *described)
    for described in (["--user-defaults"], ["--user", "u1", "--client", "c1"], [*users, "--entity-default", *clients]):
        assert same(ours, kafkas, "--describe", *described)
    gone = ["--alter", "--user", "s0", "--delete-config", "SCRAM-SHA-256,SCRAM-SHA-512"]
    assert (1, []) == ours(*gone)[:2] == kafkas(*gone)[:2]  # of the two there is one


USERS = ["--entity-type", "users"]
MISTAKES = [
    ["--describe"],
    ["--describe", "--entity-type", "foo"],
    ["--describe", *USERS, *USERS],
    ["--describe", *USERS, "--entity-type", "topics"],
    ["--describe", "--topic", "a", "--entity-type", "users"],
    ["--describe", "--user", "a", "--entity-name", "a"],
    ["--describe", "--entity-type", "topics", "--entity-default"],
    ["--describe", "--entity-type", "broker-loggers"],
    ["--describe", "--broker", "x"],
    ["--describe", "--ip", "a b"],
    ["--describe", *USERS, "--entity-name", "a", "--entity-name", "b"],
    ["--alter", "--entity-type", "groups", "--add-config", "a=b"],
    ["--alter", *USERS, "--add-config", "a=b"],
    ["--alter", *USERS, "--entity-type", "clients", "--entity-name", "a", "--add-config", "a=b"],
    ["--alter", "--user", "a"],
    ["--alter", "--user", "a", "--add-config", "x"],
    ["--alter", "--user", "a", "--add-config", "x=y=z"],
    ["--alter", "--user", "a", "--add-config", "a%=b"],
    ["--alter", "--user", "a", "--add-config", "a=b", "--add-config-file", "f"],
    ["--alter", "--user", "a", "--add-config", "producer_byte_rate=x"],
    ["--alter", "--user", "a", "--delete-config", "producer_byte_rate"],
    ["--alter", "--user", "a", "--add-config", "SCRAM-SHA-256=[iterations=1,password=b]"],
    ["--alter", "--user", "a", "--add-config", "SCRAM-SHA-256=[password=b],producer_byte_rate=1"],
    ["--alter", "--user-defaults", "--add-config", "SCRAM-SHA-256=[password=b]"],
    ["--alter", "--ip", "127.0.0.1", "--add-config", "a=b"],
    ["--alter", "--broker-logger", "1", "--add-config", "no.such.logger=INFO"],
]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", MISTAKES, ids=" ".join)
def test_mistakes(ours: Lines, kafkas: Lines, arguments: list[str]) -> None:
    """In Kafka's words, with its exit status, and nothing on standard output."""
    ended, theirs = ours(*arguments), kafkas(*arguments)
    said = theirs[2].split("failed with status 1: ")[-1].removeprefix("requirement failed: ").splitlines()[0]
    assert (1, [], True) == (*ended[:2], " ".join(said.split()) in " ".join(ended[2].split()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "entity",
    [["--topic", "none"], ["--group", "none"], ["--client-metrics", "none"], ["--broker", "7"], ["--user", "none"]],
)
def test_what_is_not_there(ours: Lines, kafkas: Lines, entity: list[str]) -> None:
    """Described, it is no error."""
    ended = ours("--describe", *entity)
    assert ended[:2] == kafkas("--describe", *entity)[:2], ended[2]
    assert 0 == ended[0]


def same(ours: Lines, kafkas: Lines, *arguments: str) -> bool:
    """Whether both print the same; of a change the broker may hear a moment later, and so between the two."""
    return eventually(lambda: ours(*arguments)[:2] == kafkas(*arguments)[:2], f"{arguments}: the same from both")


def _described(ours: Lines, entity: list[str]) -> str:
    return "\n".join(ours("--describe", *entity)[1])


def _wait_for(ours: Lines, entity: list[str], added: list[str]) -> None:
    """Until the broker knows the configs of an entity: it does some time after its controller has answered."""
    keys = [one.partition("=")[0] for one in added]
    eventually(lambda: all(key in _described(ours, entity) for key in keys), f"{entity} has {keys}")
