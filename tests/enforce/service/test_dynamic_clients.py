"""Clients that take their configs from the service while they run, on a broker whose requests are read."""

import logging
import os
import signal
import threading
from collections import Counter
from contextlib import closing
from operator import sub
from typing import Any

import pytest
from confluent_kafka import KafkaException
from kafka.cluster import ClusterMetadata
from prometheus_client import CollectorRegistry, generate_latest

from tests.enforce.service.conftest import Proxied
from tests.enforce.service.group import Group, KafkaPythonGroup
from tests.enforce.service.load import PARTITIONS, confluent_load, kafka_python_load, stored
from tests.enforce.service.running import Caller, RunningService, Serve
from tests.fixtures.conditions import eventually
from tests.fixtures.http import Handler, served
from tests.fixtures.patience import PATIENCE
from warden.base.http.ports import find_free_port
from warden.dynamic_clients import (
    ClientMetrics,
    ConfigService,
    DynamicConfigs,
    DynamicConsumer,
    DynamicKafkaProducer,
    DynamicProducer,
)
from warden.dynamic_clients.names import select_static_configs

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


@pytest.fixture
def configs(service: RunningService) -> ConfigService:
    """The service, for alice."""
    return ConfigService(service.url, "token-of-alice")


@pytest.mark.slow
def test_acks_change_under_load(admin: Caller, configs: ConfigService, proxied: Proxied) -> None:
    """Each record is delivered once to its callback, and lies in order, with a broker killed in between."""
    broker, address, seen = proxied
    admin.alter("alice", acks="1")
    changes: list[DynamicConfigs] = []
    own = {"bootstrap.servers": address, "client.id": "app", "acks": "all", "max.in.flight": 1}
    producer = DynamicProducer(own, service=configs, on_change=changes.append)
    assert {"acks": "1"} == changes[0].configs == producer.dynamic_configs.configs

    with confluent_load(producer, "produced") as load:
        load.more(100, PATIENCE)
        assert {1} == set(seen.acks["app"])
        admin.alter("alice", "app", acks="all")
        eventually(lambda: -1 in seen.acks["app"], "the broker sees the new acks")
        assert broker.pid is not None
        os.kill(broker.pid, signal.SIGKILL)
        broker.restart()
        admin.alter("alice", "app", acks="1")
        eventually(lambda: seen.acks["app"][-1] == 1, "and the old again")
        load.more(100, PATIENCE)
    assert 0 == producer.flush(PATIENCE)
    producer.close()

    load.check_callbacks()
    assert [{"acks": "1"}, {"acks": "-1"}, {"acks": "1"}] == [change.configs for change in changes]
    assert 3 == producer.counts["changes"]
    in_order = [list(range(first, load.sent, PARTITIONS)) for first in range(PARTITIONS)]
    assert in_order == stored(address, "produced", load.sent, PATIENCE)


@pytest.mark.slow
def test_acks_of_kafka_python_change_under_load(admin: Caller, configs: ConfigService, proxied: Proxied) -> None:
    """As those of confluent-kafka; what it does is there as metrics too."""
    _, address, seen = proxied
    admin.alter("alice", acks="1")
    producer = DynamicKafkaProducer(service=configs, bootstrap_servers=address, client_id="python")
    metrics = CollectorRegistry()
    metrics.register(ClientMetrics({"ledger": producer}))
    with kafka_python_load(producer, "produced-by-python") as load:
        load.more(100, PATIENCE)
        assert {1} == set(seen.acks["python"])
        admin.alter("alice", "python", acks="all")
        eventually(lambda: -1 in seen.acks["python"], "the broker sees the new acks")
        load.more(100, PATIENCE)
        admin.alter("alice", "python", acks="1")
        eventually(lambda: seen.acks["python"][-1] == 1, "and the old again")
        load.more(100, PATIENCE)
    producer.flush(PATIENCE)
    text = generate_latest(metrics).decode()
    producer.close()

    load.check_callbacks()
    in_order = [list(range(first, load.sent, PARTITIONS)) for first in range(PARTITIONS)]
    assert in_order == stored(address, "produced-by-python", load.sent, PATIENCE)
    assert 'warden_client_config_changes_total{client="ledger"} 3.0' in text
    assert 'warden_client_config{client="ledger",key="acks",value="1"} 1.0' in text


@pytest.mark.parametrize(("kind", "topic"), [(Group, "consumed"), (KafkaPythonGroup, "consumed-by-python")])
def test_a_session_timeout_changes_in_a_running_group(
    admin: Caller, configs: ConfigService, proxied: Proxied, kind: type[Group], topic: str
) -> None:
    """No partition moves, and each of three members reads on where it was."""
    _, address, seen = proxied
    with closing(kind(address, topic, PARTITIONS, configs, seen)) as group:
        eventually(lambda: group.read_all() and group.settled(), "each member has a partition")
        group.write(9)  # by now, so that no other member has read it before
        eventually(group.read_all, "all is read")
        before, moves = group.assignment(), group.moves()

        admin.alter("alice", session_timeout_ms="50000")
        eventually(lambda: group.read_all() and group.joined_with(50000), "all have joined anew")
        group.write(9)
        eventually(lambda: group.read_all() and group.settled(), "all is read")
        beats = group.beats()
        more = lambda: all(now > then for now, then in zip(group.beats(), beats, strict=True))  # noqa: E731 - short
        eventually(lambda: group.read_all() and more(), "they beat")

        assert before == group.assignment()
        assert moves == group.moves()
        assert Counter(range(18)) == group.read


def test_a_leader_that_learns_of_the_topic_late(
    admin: Caller, configs: ConfigService, proxied: Proxied, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It joins but once: a second time the whole group would read again what nobody has committed."""
    _, address, seen = proxied
    refresh = ClusterMetadata._do_refresh_metadata

    async def refresh_later(metadata: Any, node: Any) -> None:
        await metadata._manager._net.sleep(3)
        await refresh(metadata, node)

    with closing(KafkaPythonGroup(address, "consumed-late", PARTITIONS, configs, seen)) as group:
        eventually(lambda: group.read_all() and group.settled(), "each member has a partition")
        group.write(9)
        eventually(group.read_all, "all is read")
        monkeypatch.setattr(ClusterMetadata, "_do_refresh_metadata", refresh_later)
        admin.alter("alice", session_timeout_ms="50000")
        eventually(lambda: group.read_all() and group.joined_with(50000), "all have joined anew")
        generation = max(group.generation())
        group.write(9)
        eventually(lambda: group.read_all() and group.settled(), "all is read")
        beats = group.beats()
        eventually(lambda: group.read_all() and min(map(sub, group.beats(), beats)) > 8, "they beat for seconds")

        assert {generation} == group.generation()
        assert Counter(range(18)) == group.read


def test_what_the_originals_are_too(configs: ConfigService) -> None:
    """A producer without records is no empty list."""
    producer = DynamicProducer({}, service=configs)
    assert (True, 0) == (bool(producer), len(producer))
    producer.close()


def test_an_original_without_close(monkeypatch: pytest.MonkeyPatch) -> None:
    """As older ones of confluent-kafka: what is left is sent at the end of the block."""
    flushed: list[str] = []

    class Older:
        def __init__(self, config: object) -> None:
            pass

        def flush(self) -> int:
            flushed.append("all")
            return 0

    monkeypatch.setattr("warden.dynamic_clients.confluent_producer.Producer", Older)
    with DynamicProducer({}, service=ConfigService("http://127.0.0.1:9")):
        pass

    assert ["all"] == flushed


def test_own_configs_that_are_wrong(caplog: pytest.LogCaptureFixture) -> None:
    """Are not said to be those of the service."""
    with pytest.raises(KafkaException, match=r"no\.such\.config"):
        DynamicProducer({"no.such.config": "1"}, service=ConfigService("http://127.0.0.1:9"))

    assert "client configs are refused" not in caplog.text


def test_a_member_that_is_not_static(admin: Caller, configs: ConfigService, proxied: Proxied) -> None:
    """Waits for its next start, as a change would cost a rebalance."""
    own = {"bootstrap.servers": proxied[1], "group.id": "other", "client.id": "dynamic"}
    consumer = DynamicConsumer(own, service=configs)
    consumer.subscribe(["other"])
    admin.alter("alice", session_timeout_ms="50000")
    eventually(lambda: consumer.dynamic_configs.configs, "the change is known")
    eventually(lambda: consumer.poll(0.1) is None and consumer.assignment(), "the member has joined")
    assert 50000 not in proxied[2].session_timeouts["dynamic"]
    consumer.close()


def test_what_is_ignored(admin: Caller, configs: ConfigService, caplog: pytest.LogCaptureFixture) -> None:
    """Is logged with the policy's reason, and is not in force; no secret leaves the client."""
    admin.alter("alice", acks="0")
    caplog.set_level(logging.INFO, "warden.dynamic_clients")
    own = {"bootstrap.servers": "127.0.0.1:1", "enable.idempotence": True, "sasl.password": "x", "ssl.key.pem": "y"}
    producer = DynamicProducer(own, service=configs)
    assert {} == producer.dynamic_configs.configs
    assert "Must set acks to all in order to use the idempotent producer" in producer.dynamic_configs.ignored["acks"]
    assert any("client config acks is ignored: Must set acks to all" in record.message for record in caplog.records)
    assert {"enable.idempotence": "true"} == select_static_configs("producer", own)
    producer.close()


def test_the_service_is_away(proxied: Proxied, caplog: pytest.LogCaptureFixture) -> None:
    """The client's own configs are in force, with one warning, and it sends."""
    nobody = ConfigService(f"http://127.0.0.1:{find_free_port()}")
    own = {"bootstrap.servers": proxied[1], "acks": "1"}
    producer = DynamicProducer(own, service=nobody)
    eventually(lambda: producer.counts["failures"] > 2, "it asks again")
    _send(producer)
    said = [record.message for record in caplog.records if record.name == "warden.dynamic_clients"]
    assert 1 == len(said)
    assert "what was in force stays" in said[0]
    producer.close()


def test_the_last_accepted_stays(serve: Serve, proxied: Proxied) -> None:
    """While the service is away again."""
    service = serve()
    Caller(service, "token-of-admin").alter("alice", acks="1")
    own = {"bootstrap.servers": proxied[1], "metadata.max.age.ms": 1000}  # how soon it asks again after a quick answer
    producer = DynamicProducer(own, service=ConfigService(service.url, "token-of-alice"))
    assert {"acks": "1"} == producer.dynamic_configs.configs
    service.stop()
    eventually(lambda: producer.counts["failures"], "it is away")
    assert {"acks": "1"} == producer.dynamic_configs.configs
    _send(producer)
    producer.close()


ANSWERS = [
    (200, b"<html>a proxy says hello</html>"),
    (200, b"[" * 100_000),
    (200, b'{"accepted": {"configs": "acks"}}'),
    (200, b'{"accepted": {"configs": {"acks": {}}}}'),
    (200, b'{"accepted": {"configs": {"acks": 1}, "notes": []}}'),
    (200, b'{"accepted": {"configs": {"no.such.key": "1"}}}'),
    (502, b"Bad Gateway"),
    (400, b'{"errorMessage": "no"}'),
    (401, b'{"errorMessage": "nobody has this token"}'),
    (302, b""),
    (0, b""),  # none at all, until the client has had enough
]


@pytest.mark.parametrize(("status", "content"), ANSWERS, ids=range(len(ANSWERS)))
def test_whatever_answers_in_its_place(
    proxied: Proxied, monkeypatch: pytest.MonkeyPatch, status: int, content: bytes
) -> None:
    """The client's own configs are in force, and it sends and goes on asking."""
    over = threading.Event()
    monkeypatch.setattr("warden.dynamic_clients.service._ANSWER_SECONDS", 0.5)

    class Proxy(Handler):
        def respond(self) -> None:
            self.body()
            if status:
                self.answer(status, content, {"Location": "/"} if status == 302 else None)
            else:
                over.wait(PATIENCE)

    with served(Proxy) as url:
        producer = DynamicProducer(
            {"bootstrap.servers": proxied[1], "acks": "1", "metadata.max.age.ms": 1000}, service=ConfigService(url)
        )
        _send(producer)
        eventually(lambda: sum(producer.counts[name] for name in ("answers", "failures")) > 2, "it asks again")
        _send(producer)
        producer.close()
        over.set()


def _send(producer: DynamicProducer) -> None:
    delivered: list[Any] = []
    producer.produce("other", b"0", on_delivery=lambda error, _message: delivered.append(error))
    assert 0 == producer.flush(PATIENCE)
    assert [None] == delivered
