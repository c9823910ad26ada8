"""Kafka Connect, MirrorMaker 2 and Kafka Streams themselves, under production's rules with the profile `ecosystem`."""

import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError

import pytest
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic

from tests.enforce.applications import Tool, counting, list_partitions, running_tool
from tests.enforce.gateway.running import gateway_with_state
from tests.fixtures.brokers.kafka import wait_for_topics
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.settings import ANY_AGE, build_with_settings
from warden.base.http.ports import find_free_port
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]

SOURCE = NewTopic("Shop_Orders", 2, 1, config={"min.insync.replicas": "1"})
"""Is in the other cluster."""

_JSON = "org.apache.kafka.connect.json.JsonConverter"
_OF_WORKERS = {f"{store}.storage.replication.factor": "1" for store in ("config", "offset", "status")}


@pytest.fixture(scope="module")
def address(broker: LocalBroker, opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A gateway under what a site has: production, one broker, the tools, and the alias of its other cluster."""
    directory = tmp_path_factory.mktemp("ecosystem")
    own = {
        "ecosystem": {"mirror": {"aliases": ["us"]}},
        "freshness": {"default": ANY_AGE, "operations": {"DeleteRecords": ANY_AGE}},
    }
    bundle = build_with_settings(own, directory, opa_binary, "production,single-broker,ecosystem")
    with LocalOpa(bundle, opa=opa_binary) as opa, gateway_with_state(opa, broker, directory) as gateway:
        yield gateway.address()


@pytest.fixture(scope="module")
def admin(broker: LocalBroker) -> AdminClient:
    """An administrator beside the gateway."""
    return AdminClient({"bootstrap.servers": broker.bootstrap_servers})


@pytest.fixture(scope="module")
def tools(
    address: str, broker: LocalBroker, admin: AdminClient, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Tool, Tool]]:
    """A worker of Connect and a MirrorMaker, which start side by side."""
    admin.create_topics([SOURCE])[SOURCE.topic].result(PATIENCE)
    wait_for_topics(broker, SOURCE.topic)
    directory = tmp_path_factory.mktemp("tools")
    connect = {
        "bootstrap.servers": address,
        "group.id": "connect-cluster",
        "key.converter": _JSON,
        "value.converter": _JSON,
        "listeners": f"http://127.0.0.1:{find_free_port()}",
        "config.storage.topic": "connect-configs",
        "offset.storage.topic": "connect-offsets",
        "status.storage.topic": "connect-status",
        **_OF_WORKERS,
    }
    mirror = {
        "clusters": "us, eu",
        "us.bootstrap.servers": broker.bootstrap_servers,
        "eu.bootstrap.servers": address,
        "us->eu.enabled": "true",
        "us->eu.topics": SOURCE.topic,
        "us->eu.offset-syncs.topic.location": "target",
        "replication.factor": "1",
        **{f"{store}.topic.replication.factor": "1" for store in ("checkpoints", "heartbeats", "offset-syncs")},
        **_OF_WORKERS,
    }
    with (
        running_tool(
            "org.apache.kafka.connect.mirror.MirrorMaker", mirror, directory / "mirror", "--clusters", "eu"
        ) as two,
        running_tool("org.apache.kafka.connect.cli.ConnectDistributed", connect, directory / "connect") as one,
    ):
        yield one, two


def _found(admin: AdminClient, *prefixes: str) -> dict[str, int]:
    return {name: n for prefix in prefixes for name, n in list_partitions(admin, prefix, PATIENCE).items()}


def test_only_what_tools_create(address: str) -> None:
    """A topic that has a tool's name and not its settings, and one of another name, are refused as ever."""
    topics = [
        NewTopic("connect-offsets", 25, 1, config={"cleanup.policy": "delete", "min.insync.replicas": "1"}),
        NewTopic("MyTopic", 1, 1, config={"min.insync.replicas": "1"}),
    ]
    client = AdminClient({"bootstrap.servers": address})
    for future in client.create_topics(topics).values():
        with pytest.raises(KafkaException, match="KFK-NAM-001"):
            future.result(PATIENCE)


def test_streams(
    tools: tuple[Tool, Tool], streams_jvm: Any, address: str, broker: LocalBroker, admin: AdminClient
) -> None:
    """An application makes its internal topics with an administrator, as before KIP-1071, and runs."""
    made = NewTopic("shop.words.in", 3, 1, config={"min.insync.replicas": "1"})
    admin.create_topics([made])["shop.words.in"].result(PATIENCE)
    wait_for_topics(broker, "shop.words.in")
    with counting(streams_jvm, address, "Word-Count", "shop.words.in", group_protocol="classic") as (running, heard):
        eventually(lambda: running.state().toString() == "RUNNING" or heard.causes, "the application runs")

        assert [] == heard.causes
        wanted = {"Word-Count-again-repartition": 3, "Word-Count-kept-changelog": 3}
        assert wanted == _found(admin, "Word-Count")


def test_connect(tools: tuple[Tool, Tool], admin: AdminClient) -> None:
    """A worker makes its three topics, and answers."""
    worker, _ = tools
    wanted = {"connect-configs": 1, "connect-offsets": 25, "connect-status": 5}
    url = f"{worker.properties['listeners']}/connectors"
    eventually(
        lambda: not worker.process.is_alive or (wanted.keys() <= _found(admin, "connect-").keys() and _answers(url)),
        "the worker has its topics, and answers",
    )

    assert worker.process.is_alive, worker.log.read_text()[-3000:]
    assert wanted == _found(admin, "connect-")


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as response:
            return bool(response.read() == b"[]")
    except URLError:
        return False


def test_mirror_maker(tools: tuple[Tool, Tool], admin: AdminClient) -> None:
    """It makes what it keeps, and brings a topic whose name the convention would refuse."""
    _, mirror = tools
    wanted = {
        "heartbeats": 1,
        "mm2-configs.us.internal": 1,
        "mm2-offset-syncs.us.internal": 1,
        "mm2-offsets.us.internal": 25,
        "mm2-status.us.internal": 5,
        "us.Shop_Orders": 2,
        "us.checkpoints.internal": 1,
    }
    eventually(
        lambda: not mirror.process.is_alive or wanted.keys() <= _found(admin, "heartbeats", "mm2-", "us.").keys(),
        "MirrorMaker has made its topics",
    )

    assert mirror.process.is_alive, mirror.log.read_text()[-3000:]
    found = _found(admin, "heartbeats", "mm2-", "us.")
    assert wanted == {name: found[name] for name in wanted}
