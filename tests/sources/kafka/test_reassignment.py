"""A reassignment that cannot finish, because the broker it goes to is registered and down."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from warden.demo.java import run_java, start_java
from warden.demo.local_broker import LocalBroker
from warden.errors import KafkaUnreachable
from warden.sources.kafka.collect import collect
from warden.sources.kafka.connection import connect

pytestmark = pytest.mark.kafka


def test_a_running_reassignment_and_a_fenced_broker(tmp_path: Path) -> None:
    """Adding replicas are reported for each partition; a broker that is down counts, and is named as not read."""
    from kafka.structs import TopicPartition

    with LocalBroker(properties={"broker.session.timeout.ms": "2000"}) as broker:
        broker.tool("TopicCommand", "--create", "--topic", "moving", "--partitions", "2")
        _register_and_leave(broker, tmp_path)
        _wait_for(broker, lambda state: any("is fenced" in line for line in state["meta"]["missing"]))
        with connect(broker.bootstrap_servers) as connection:  # Kafka's own tool refuses a broker that is down
            connection.admin.alter_partition_reassignments({TopicPartition("moving", 1): [2, 1]})
        state = collect(broker.bootstrap_servers)

    assert {
        "numPartitions": 2,
        "replicationFactor": 1,
        "replicasAssignments": {"0": [1], "1": [2, 1]},
        "configs": {},
        "labels": {},
        "internal": False,
        "markedForDeletion": False,
        "reassigning": {"1": {"adding": [2], "removing": []}},
    } == state["topics"]["moving"]
    assert (2, {"", "1", "2"}) == (state["clusterSize"], set(state["brokers"]))  # "" is the default of all
    assert [
        "acls: SECURITY_DISABLED: No Authorizer is configured on the broker",
        "brokers.2.configs: the broker is fenced, so it cannot be read",
    ] == state["meta"]["missing"]


def _register_and_leave(broker: LocalBroker, directory: Path) -> None:
    """Start a second broker, wait until the first knows it, and take it away."""
    controller = broker._ports["CONTROLLER"]
    properties = {
        "process.roles": "broker",
        "node.id": "2",
        "controller.quorum.voters": f"1@127.0.0.1:{controller}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "listeners": "PLAINTEXT://127.0.0.1:0",
        "log.dirs": str(directory / "data"),
    }
    server = directory / "server.properties"
    server.write_text("".join(f"{name}={value}\n" for name, value in properties.items()))
    options: dict[str, Any] = {"class_path": broker._class_path}
    cluster = collect(broker.bootstrap_servers)["meta"]["clusterId"]
    run_java("kafka.tools.StorageTool", ["format", "--cluster-id", cluster, "--config", str(server)], **options)
    second = start_java(
        "kafka.Kafka", [str(server)], options=["-Xmx256m"], directory=directory, log=directory / "log", **options
    )
    try:
        _wait_for(broker, lambda state: state["clusterSize"] == 2)
    finally:
        second.stop()


def _wait_for(broker: LocalBroker, condition: Callable[[dict[str, Any]], bool]) -> None:
    """Look again and again; until the cluster knows that a broker is down, asking that one may take too long."""
    last: Any = None
    for _ in range(60):
        try:
            last = collect(broker.bootstrap_servers, timeout=5)
            if condition(last):
                return
        except KafkaUnreachable as error:
            last = error
        time.sleep(0.5)
    pytest.fail(f"the cluster never came to the state that the test needs: {last}")
