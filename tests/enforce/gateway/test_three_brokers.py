"""Three brokers behind one gateway: leaders and coordinators move, and no client ever comes to a broker's own address.

What brokers tell clients are addresses of traps (`tests.enforce.gateway.three_brokers`), so that one address that the
gateway has not replaced is enough to fail, whenever a client uses it.
"""

import itertools
import json
from contextlib import closing
from functools import partial

import pytest
from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient, NewTopic
from kafka.errors import KafkaError

from tests.enforce.gateway.frames import KEYS
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.three_brokers import IDS, ThreeBrokers, counted, move_leader, topic
from tests.fixtures.brokers.replication import replicate_cluster
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import WardenError
from warden.demo.java import run_java, start_java
from warden.enforce.gateway.wire.addresses import with_addresses
from warden.policy.opa.local import LocalOpa
from warden.state.sources.kafka.login.connection import connect

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.kafka,
    pytest.mark.opa,
]

TOOLS = "org.apache.kafka.tools."


@pytest.fixture(scope="module")
def brokers():
    """Three brokers."""
    with ThreeBrokers() as running:
        yield running


@pytest.fixture(scope="module")
def protocol():
    """How consumers are in groups: KIP-848."""
    return "consumer"


@pytest.fixture(scope="module")
def hinted():
    """Numbers of the APIs whose responses tell a new leader's address (KIP-951, KIP-932)."""
    return {KEYS[name] for name in ("Produce", "Fetch", "ShareFetch")}


@pytest.fixture(scope="module")
def rewritten():
    """Numbers of the APIs in whose responses the gateway has replaced an address."""
    found = set()

    def noting(key, version, raw, locate):
        made = with_addresses(key, version, raw, locate)
        if made is not raw:
            found.add(key)
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warden.enforce.gateway.connection.passthrough.with_addresses", noting)
        yield found


@pytest.fixture(scope="module")
def decider(brokers, few_bundle, opa_binary, tmp_path_factory):
    """An OPA that knows the cluster of these brokers, as ``three``."""
    directory = tmp_path_factory.mktemp("replicate")
    with LocalOpa(few_bundle, opa=opa_binary) as opa:
        replicate_cluster(opa, directory, brokers.bootstrap_servers, "three")
        yield opa


@pytest.fixture(scope="module")
def gateway(brokers, rewritten, decider, tmp_path_factory):
    """A gateway with a port for each of them."""
    path = tmp_path_factory.mktemp("three") / "gateway.yaml"
    config = write_config(path, decider, [{"name": "three", "brokers": brokers.addresses}], limits={"drainSeconds": 1})
    with RunningGateway(config) as running:
        yield running


@pytest.fixture
def at(gateway, brokers):
    """Every bootstrap server of the gateway; in the end nobody may have come to a broker's address."""
    yield ",".join(gateway.address(0, place) for place in range(len(IDS)))
    assert [] == brokers.caught


def run(brokers, main, *arguments, input=""):
    """Run one of Kafka's programs to its end."""
    return run_java(TOOLS + main, arguments, class_path=brokers.class_path, input=input, timeout=PATIENCE)


@pytest.fixture
def start(brokers, tmp_path):
    """Starts one of Kafka's programs, which is ended with the test; returns the file of its output."""
    running = []

    def one(main, *arguments):
        log = tmp_path / f"{main}.log"
        options = {"options": ["-Xmx128m"], "directory": tmp_path, "log": log}
        running.append(start_java(TOOLS + main, arguments, class_path=brokers.class_path, **options))
        return log

    yield one
    for process in running:
        process.stop()


def more_than(log, name, count):
    """Wait until one of the verifiable programs has said that it sent or got more than so many records."""
    eventually(lambda: counted(log, name) > count, f"{log.name}: more than {count} of {name}")


def test_leaders_move_and_nobody_leaves_the_gateway(at, brokers, rewritten, start, protocol, hinted):
    """A producer, a consumer and a share consumer in the JVM follow each new leader through the gateway."""
    name = topic(brokers, "moved.data", 1)
    base = ("--bootstrap-server", at, "--topic", name)
    group = ("--group-id", "moved", "--group-protocol", protocol, "--reset-policy", "earliest")
    shared = ("--group-id", "shared", "--offset-reset-strategy", "earliest", "--acknowledgement-mode", "sync")
    watched = {start("VerifiableConsumer", *base, *group): "records_consumed"}
    if KEYS["ShareFetch"] in hinted:
        watched[start("VerifiableShareConsumer", *base, *shared)] = "records_consumed"
    watched[start("VerifiableProducer", *base, "--throughput", "200")] = "producer_send_success"
    for log, what in watched.items():
        more_than(log, what, 0)
    for leader, _ in zip(itertools.cycle((2, 3, 1)), range(30), strict=False):
        before = {log: counted(log, what) for log, what in watched.items()}
        move_leader(brokers, name, leader)
        for log, count in before.items():
            more_than(log, watched[log], count + 100)
        if rewritten >= hinted and leader == 1:
            break

    assert rewritten >= hinted
    assert rewritten >= {KEYS["Metadata"], KEYS["FindCoordinator"]}


def test_a_coordinator_that_dies_is_found_again(at, gateway, brokers):
    """A group goes on when its coordinator is killed, and again when that broker is back."""
    name = topic(brokers, "coordinated.data")
    producer = Producer({"bootstrap.servers": at, "acks": "all"})
    settings = {"bootstrap.servers": at, "group.id": "coordinated", "auto.offset.reset": "earliest"}
    consumer = Consumer(settings)
    consumer.subscribe([name])
    got: set[bytes | None] = set()

    def flows(value):
        producer.produce(name, value)
        assert producer.flush(PATIENCE) == 0

        def arrived():
            message = consumer.poll(1)
            if message is not None and not message.error():
                got.add(message.value())
                consumer.commit(message=message)
            return value in got

        eventually(arrived, f"{value!r} consumed")

    flows(b"first")
    for id_ in IDS:  # whichever coordinates: each of them dies once
        brokers.kill(id_)
        flows(f"without {id_}".encode())
        brokers.launch(id_)
        eventually(partial(brokers.knows_all, id_), f"broker {id_} back")
        flows(f"with {id_}".encode())
    consumer.close()


def test_performance_tools(at, brokers):
    """ProducerPerformance, with transactions too, and the consumers' counterparts carry every record."""
    name = topic(brokers, "performance.data")
    sizes = ("--num-records", "5000", "--record-size", "500", "--throughput", "-1", "--bootstrap-server", at)
    assert "5000 records sent" in run(brokers, "ProducerPerformance", "--topic", name, *sizes)
    transactional = ("--transactional-id", "performance", "--transaction-duration-ms", "100")
    assert "5000 records sent" in run(brokers, "ProducerPerformance", "--topic", name, *sizes, *transactional)
    wanted = ("--bootstrap-server", at, "--topic", name, "--num-records", "10000", "--hide-header")
    consumed = run(brokers, "ConsumerPerformance", *wanted).splitlines()[-1].split(", ")

    assert 10_000 <= int(consumed[4])


def test_transactions_of_the_jvm(at, brokers, protocol):
    """TransactionalMessageCopier consumes, produces and commits offsets in transactions, some of which it aborts."""
    source, target = topic(brokers, "copied.source", 1), topic(brokers, "copied.target", 1)
    run(brokers, "VerifiableProducer", "--bootstrap-server", at, "--topic", source, "--max-messages", "500")
    options = ("--transactional-id", "copier", "--consumer-group", "copier", "--transaction-size", "50")
    between = ("--input-topic", source, "--input-partition", "0", "--output-topic", target)
    run(brokers, "TransactionalMessageCopier", "--broker-list", at, *between, *options, "--use-group-metadata")
    consumer = Consumer(
        {
            "bootstrap.servers": at,
            "group.id": "read-copies",
            "group.protocol": protocol,
            "auto.offset.reset": "earliest",
            "isolation.level": "read_committed",
        }
    )
    consumer.subscribe([target])
    got: list[str] = []

    def arrived():
        message = consumer.poll(1)
        if message is not None and not message.error():
            got.append((message.value() or b"").decode())
        return len(got) >= 500

    eventually(arrived, "500 committed records")
    consumer.close()

    assert sorted(map(str, range(500))) == sorted(got)


def test_share_consumers_of_the_jvm(at, brokers):
    """The console's share consumer gets what was produced, and kafka-share-groups sees the group."""
    name = topic(brokers, "shared.data")
    config = ("--alter", "--entity-type", "groups", "--entity-name", "sharing")
    run_tool(brokers, "kafka.admin.ConfigCommand", *config, "--add-config", "share.auto.offset.reset=earliest")
    produce = ("--bootstrap-server", at, "--topic", name)
    run(brokers, "ConsoleProducer", *produce, input="".join(f"{n}\n" for n in range(100)))
    shared = run(brokers, "consumer.ConsoleShareConsumer", *produce, "--group", "sharing", "--max-messages", "100")
    described = run(brokers, "consumer.group.ShareGroupCommand", "--bootstrap-server", at, "--list")

    assert sorted(map(str, range(100))) == sorted(shared.split())
    assert "sharing" in described


def test_kafka_python(at, brokers):
    """kafka-python produces and consumes with a group."""
    from kafka import KafkaConsumer, KafkaProducer

    name = topic(brokers, "python.data")
    with closing(KafkaProducer(bootstrap_servers=at.split(","), acks="all")) as producer:
        for number in range(50):
            producer.send(name, str(number).encode())
        producer.flush(PATIENCE)
    settings = {"group_id": "python", "auto_offset_reset": "earliest", "metadata_max_age_ms": 500}
    with closing(KafkaConsumer(name, bootstrap_servers=at.split(","), **settings)) as consumer:
        got: set[int] = set()

        def arrived():
            for records in consumer.poll(timeout_ms=1000).values():
                got.update(int(record.value) for record in records)
            return len(got) == 50

        eventually(arrived, "50 records")


def test_administration_reaches_each_broker(at, brokers):
    """What belongs to one certain broker comes from that one: the log directories of each."""
    for id_ in IDS:  # librdkafka drops what it has sent to a broker that another one does not name yet
        eventually(partial(brokers.knows_all, id_), f"broker {id_} knows all")
    admin = AdminClient({"bootstrap.servers": at})
    created = admin.create_topics([NewTopic("three.topic", 3, 3), NewTopic("Three_Topic", 3, 3)])
    created["three.topic"].result(PATIENCE)
    with pytest.raises(Exception, match="does not match the convention"):
        created["Three_Topic"].result(PATIENCE)
    nodes = {node.id: f"{node.host}:{node.port}" for node in admin.describe_cluster().result(PATIENCE).nodes}
    directories = run(brokers, "LogDirsCommand", "--bootstrap-server", at, "--describe")

    assert dict(zip(IDS, at.split(","), strict=True)) == nodes
    assert set(IDS) == {one["broker"] for one in json.loads(directories.splitlines()[-1])["brokers"]}


def test_a_client_that_comes_direct_is_caught(brokers):
    """The traps work: a client that learns a broker's own address goes there. The last test, for it leaves its mark."""
    with pytest.raises((WardenError, KafkaError)), connect(brokers.addresses[1], timeout=5) as client:
        client.admin.describe_cluster()

    eventually(lambda: brokers.caught, "a client in a trap")
