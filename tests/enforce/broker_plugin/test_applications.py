"""Kafka Streams and a Connect worker themselves before a broker with the plugin, under production's rules."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from tests.enforce.applications import counting, list_partitions, running_tool
from tests.enforce.broker_plugin.inside import Inside, start_inside
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.settings import ANY_AGE, build_with_settings
from warden.base.http.ports import find_free_port

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]

_OWN = {"topic.min.insync.replicas": "1"}
"""What production wants every topic to say itself: a gateway adds it, Kafka lets no policy of a broker do so."""

_JSON = "org.apache.kafka.connect.json.JsonConverter"


@pytest.fixture(scope="module")
def inside(opa_binary: Path, plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A broker whose OPA has what a site has: production, one broker, and the topics of the ecosystem."""
    directory = tmp_path_factory.mktemp("applications")
    profile = "production,single-broker,ecosystem"
    bundle = build_with_settings({"freshness": {"default": ANY_AGE}}, directory, opa_binary, profile)
    with start_inside(bundle, opa_binary, plugin, directory) as running:
        yield running


@pytest.fixture(scope="module")
def admin(inside: Inside) -> AdminClient:
    """An administrator, of whom the same is decided."""
    return AdminClient({"bootstrap.servers": inside.broker.bootstrap_servers})


def _create(inside: Inside, admin: AdminClient, name: str, partitions: int) -> None:
    """Create a topic that applications read, and wait until the broker knows it."""
    topic = NewTopic(name, partitions, 1, config={"min.insync.replicas": "1"})
    admin.create_topics([topic])[name].result(PATIENCE)
    eventually(lambda: name in inside.topics(), "the topic is there")


@pytest.mark.parametrize("protocol", ["classic", "streams"])
def test_streams(protocol: str, inside: Inside, streams_jvm: Any, admin: AdminClient) -> None:
    """Internal topics are made where the client asks for them, and where the group's coordinator makes them itself."""
    source, name = f"shop.words.{protocol}", f"Words-{protocol}"
    _create(inside, admin, source, 3)
    address = inside.broker.bootstrap_servers
    with counting(streams_jvm, address, name, source, 0, group_protocol=protocol, **_OWN) as (running, heard):
        eventually(lambda: running.state().toString() == "RUNNING" or heard.causes, "the application runs")

        assert [] == heard.causes, inside.log
        wanted = {f"{name}-again-repartition": 3, f"{name}-kept-changelog": 3}
        assert wanted == list_partitions(admin, name, PATIENCE)


@pytest.mark.parametrize("protocol", ["classic", "streams"])
def test_streams_is_denied(protocol: str, inside: Inside, streams_jvm: Any, admin: AdminClient) -> None:
    """Too many partitions are made neither for a client nor by the coordinator, and the log says why."""
    source, name = f"shop.many.{protocol}", f"Many-{protocol}"
    _create(inside, admin, source, 2)
    topic = f"{name}-again-repartition"
    address = inside.broker.bootstrap_servers
    with counting(streams_jvm, address, name, source, 600, group_protocol=protocol, **_OWN):
        denied = f"denied: CreateTopic of topic {topic} by User:ANONYMOUS: KFK-SIZ-001"
        eventually(lambda: denied in inside.log, "a line")

    assert topic not in list_partitions(admin, name, PATIENCE)


def test_connect(inside: Inside, admin: AdminClient, tmp_path: Path) -> None:
    """A worker makes its three topics and goes on; one whose topic of offsets is too large fails with the reason."""
    stores = {"config": ("configs", 1), "offset": ("offsets", 25), "status": ("status", 5)}
    own = ("replication.factor", "min.insync.replicas")

    def worker(group: str, **more: str) -> dict[str, str]:
        return {
            "bootstrap.servers": inside.broker.bootstrap_servers,
            "group.id": group,
            "key.converter": _JSON,
            "value.converter": _JSON,
            "listeners": f"http://127.0.0.1:{find_free_port()}",
            **{f"{store}.storage.topic": f"{group}-{topic}" for store, (topic, _) in stores.items()},
            **{f"{store}.storage.{key}": "1" for store in stores for key in own},
            **more,
        }

    main = "org.apache.kafka.connect.cli.ConnectDistributed"
    large = worker("connect-large", **{"offset.storage.partitions": "600"})
    with (
        running_tool(main, worker("connect"), tmp_path / "connect") as works,
        running_tool(main, large, tmp_path / "large") as refused,
    ):
        wanted = {f"connect-{topic}": partitions for topic, partitions in stores.values()}
        eventually(
            lambda: (
                not works.process.is_alive or wanted.items() <= list_partitions(admin, "connect-", PATIENCE).items()
            ),
            "the worker has its topics",
        )
        eventually(lambda: "PolicyViolationException: KFK-SIZ-001" in refused.log.read_text(), "the other fails")

        assert works.process.is_alive, works.log.read_text()[-3000:]
    assert "connect-large-offsets" not in list_partitions(admin, "connect-", PATIENCE)
