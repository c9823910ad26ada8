"""A reassignment that cannot finish, because the broker it goes to is registered and down."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.brokers.second_broker import register_and_leave
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from warden.base.errors import KafkaUnreachable
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.read.collect import collect

pytestmark = [pytest.mark.kafka, pytest.mark.slow]


def test_a_running_reassignment_and_a_fenced_broker(tmp_path: Path) -> None:
    """Adding replicas are reported for each partition; a broker that is down counts, and is named as not read."""
    from kafka.structs import TopicPartition

    # With its own heartbeats every two seconds a slow machine would take the first for down too.
    limits = {"broker.heartbeat.interval.ms": "500", "broker.session.timeout.ms": "6000"}
    with LocalBroker(properties=limits) as broker:
        run_tool(broker, "TopicCommand", "--create", "--topic", "moving", "--partitions", "2")
        register_and_leave(broker, tmp_path, lambda: _wait_for(broker, lambda state: state["clusterSize"] == 2))
        _wait_for(broker, lambda state: any("is fenced" in line for line in state["meta"]["missing"]))
        with connect(broker.bootstrap_servers) as connection:  # Kafka's own tool refuses a broker that is down
            connection.admin.alter_partition_reassignments({TopicPartition("moving", 1): [2, 1]})
        state = _wait_for(broker, lambda state: "1" in state["topics"]["moving"]["reassigning"])

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


def _wait_for(broker: LocalBroker, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Look again and again; until the cluster knows that a broker is down, asking that one may take too long."""

    def find() -> dict[str, Any] | None:
        try:
            state = collect(broker.bootstrap_servers, timeout=5)
        except KafkaUnreachable:
            return None
        return state if condition(state) else None

    return eventually(find, "the state that the test needs")
