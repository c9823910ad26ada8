"""A cluster filled with Kafka's own tools, read back as the contract's cluster state."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.catalog import read_catalog
from warden.state.sources.kafka.login.security import read_properties
from warden.state.sources.kafka.read.collect import collect
from warden.state.sources.kafka.read.visibility import describe_unseen

pytestmark = pytest.mark.kafka

TOPIC = {"labels": {}, "internal": False, "markedForDeletion": False, "reassigning": {}}
OFFSETS_CONFIGS = {"cleanup.policy": "compact", "compression.type": "producer", "segment.bytes": "104857600"}


@pytest.fixture(scope="module")
def state(broker: LocalBroker) -> dict[str, Any]:
    return collect(broker.bootstrap_servers)


def test_topics(state: dict[str, Any]) -> None:
    """Partitions, assignments and overrides of every topic, the internal one too."""
    expected = {
        "__consumer_offsets": {
            **TOPIC,
            "numPartitions": 1,
            "replicationFactor": 1,
            "replicasAssignments": {"0": [1]},
            "configs": OFFSETS_CONFIGS,
            "internal": True,
        },
        "audit": {
            **TOPIC,
            "numPartitions": 4,
            "replicationFactor": 1,
            "replicasAssignments": {"0": [1], "1": [1], "2": [1], "3": [1]},
            "configs": {},
        },
        "payments.orders.created.v1": {
            **TOPIC,
            "numPartitions": 2,
            "replicationFactor": 1,
            "replicasAssignments": {"0": [1], "1": [1]},
            "configs": {"cleanup.policy": "compact,delete", "retention.ms": "1000"},
        },
    }

    assert expected == state["topics"]


def test_everything_but_topics(broker: LocalBroker, state: dict[str, Any]) -> None:
    """Totals, groups with their commits, ACLs with the newest operation, quotas with a default entity, and the rest."""
    expected = {
        "clusterSize": 1,
        "namesByMetric": {
            "__consumer_offsets": ["__consumer_offsets"],
            "payments_orders_created_v1": ["payments.orders.created.v1"],
        },
        "totals": {
            "topics": 3,
            "partitions": 7,
            "replicas": 7,
            "byBroker": {"1": 7},
            "byOwner": {},
            "byPrincipal": {},
        },
        "groups": {
            "billing": {"members": 0, "offsets": {"audit": {"1": 0}, "payments.orders.created.v1": {"0": 0, "1": 0}}}
        },
        "consumers": {
            "audit": {"billing": {"members": 0, "offsets": {"1": 0}}},
            "payments.orders.created.v1": {"billing": {"members": 0, "offsets": {"0": 0, "1": 0}}},
        },
        "acls": {
            "User:alice": [
                _acl("TOPIC", "audit", "LITERAL", "User:alice", "*", "READ", "ALLOW"),
                _acl("TRANSACTIONAL_ID", "tx-", "LITERAL", "User:alice", "*", "TWO_PHASE_COMMIT", "ALLOW"),
            ],
            "User:bob": [_acl("TOPIC", "payments.", "PREFIXED", "User:bob", "10.0.0.1", "WRITE", "DENY")],
        },
        "quotas": {
            "client-id=<default>": {"consumer_byte_rate": 2048.0},
            "user=alice,client-id=app": {"producer_byte_rate": 1024.0, "request_percentage": 12.5},
        },
        "clientConfigs": {},
        "catalog": {
            "release": "4.4",
            "beside": read_catalog("topic")["kafka"],
            "configs": {"broker": {}, "clientMetrics": {}, "group": {}, "topic": {}},
        },
        "resourceConfigs": {
            "client-metrics": {
                "all": {"interval.ms": "5000", "metrics": "org.apache.kafka.producer.,org.apache.kafka.consumer."}
            },
            "group": {"billing": {"consumer.session.timeout.ms": "50000"}},
        },
        "features": {
            "eligible.leader.replicas.version": 1,
            "group.version": 1,
            "metadata.version": 33,
            "share.version": 2,
            "streams.version": 1,
            "transaction.version": 2,
        },
        "meta": {
            "topics": 3,
            "labels": False,
            "clusterId": "d2FyZGVuLWxvY2FsLTAwMQ",
            "source": f"kafka://{broker.bootstrap_servers}",
            "missing": ["users: the listener SASL_PLAINTEXT takes users whom Kafka cannot list"],
        },
    }
    rest = {name: part for name, part in state.items() if name not in {"topics", "brokers", "defaults"}}
    meta = {name: value for name, value in rest["meta"].items() if name not in {"revision", "observedAt"}}

    assert expected == {**rest, "meta": meta}


def test_brokers_tell_overrides_but_no_secrets(state: dict[str, Any]) -> None:
    """Dynamic values of the cluster and of the broker, static ones, and no password."""
    broker = state["brokers"]["1"]
    wanted = {
        "broker.rack": "a",
        "log.retention.ms": "86400000",
        "log.roll.hours": "24",
        "message.max.bytes": "2000000",
        "num.partitions": "3",
        "remote.log.storage.system.enable": "false",  # reported although nobody set it
    }

    assert ("127.0.0.1", "a") == (broker["host"], broker["rack"])
    assert wanted == {name: broker["configs"].get(name) for name in wanted}
    assert [] == [name for name in broker["configs"] if "jaas" in name]
    assert "background.threads" not in broker["configs"]


def test_brokers_tell_where_their_configs_come_from(state: dict[str, Any]) -> None:
    """The default of all brokers, and of the broker what is its own and dynamic, with what lies beneath it."""
    described = {
        id: {name: part for name, part in broker.items() if id == "" or name in {"dynamicConfigs", "fallbackConfigs"}}
        for id, broker in state["brokers"].items()
    }

    assert {
        "": {"configs": {"log.retention.ms": "86400000", "min.insync.replicas": "1"}},
        "1": {"dynamicConfigs": {"message.max.bytes": "2000000"}},
    } == described


def test_defaults_follow_the_brokers_configuration(state: dict[str, Any]) -> None:
    """A cluster-wide value, a broker's own, hours as milliseconds, and Kafka's default where nobody set one."""
    wanted = {
        "retention.ms": "86400000",
        "max.message.bytes": "2000000",
        "segment.ms": "86400000",
        "num.partitions": "3",
        "default.replication.factor": "1",
        "segment.bytes": "1073741824",
        "remote.storage.enable": "false",
        "cleanup.policy": "delete",
    }

    assert wanted == {name: state["defaults"].get(name) for name in wanted}


def test_defaults_are_what_topics_get(broker: LocalBroker, state: dict[str, Any]) -> None:
    """Every default is the value that the broker itself reports for a topic without overrides."""
    from warden.state.sources.kafka.login.connection import connect
    from warden.state.sources.kafka.read.configs import TOPIC as KIND
    from warden.state.sources.kafka.read.configs import request_descriptions

    with connect(broker.bootstrap_servers) as connection:
        (audit,) = request_descriptions(connection, KIND, ["audit"])
    described = {name: entry.value for name, entry in audit.configs.items()}
    numbers = {"num.partitions", "default.replication.factor"}

    assert described == {name: value for name, value in state["defaults"].items() if name not in numbers}


def test_the_age_is_reported_and_the_revision_is_of_the_content(broker: LocalBroker, state: dict[str, Any]) -> None:
    """Time of observation in RFC 3339; reading the same content twice gives the same revision."""
    again = collect(broker.bootstrap_servers)
    observed = datetime.fromisoformat(again["meta"]["observedAt"])

    assert observed.utcoffset() == timedelta(0)
    assert observed <= datetime.now(UTC)
    assert state["meta"]["revision"] == again["meta"]["revision"]


def test_what_access_control_hides_is_named(broker: LocalBroker, login: Callable[[str], Path], password: str) -> None:
    """A principal without rights gets no error, and no empty part that reads as truth."""
    state = collect(broker.sasl_bootstrap_servers, security=read_properties(login(password)))

    assert {"audit"} == set(state["topics"])
    assert {"brokers", "catalog", "clientConfigs", "clusterSize", "features", "meta", "topics"} == set(state)
    assert state["catalog"] == {"release": "4.4"}
    assert {"host", "rack"} == set(state["brokers"]["1"])
    assert set() == {"configs", "reassigning"} & set(state["topics"]["audit"])
    assert [
        *["acls", "brokers", "consumers", "defaults", "deletions", "groups", "namesByMetric", "quotas"],
        *["resourceConfigs", "topics", "totals", "users"],
    ] == state["meta"]["unknown"]
    assert [
        "acls: CLUSTER_AUTHORIZATION_FAILED: the principal needs DESCRIBE permission",
        "brokers.1.configs: CLUSTER_AUTHORIZATION_FAILED: Cluster authorization failed",
        "catalog.configs.broker: CLUSTER_AUTHORIZATION_FAILED: Cluster authorization failed",
        "catalog.configs.clientMetrics: CLUSTER_AUTHORIZATION_FAILED: Cluster authorization failed",
        "catalog.configs.group: GROUP_AUTHORIZATION_FAILED: Group authorization failed",
        "catalog.configs.topic: the cluster has no topic that tells them",
        "consumers: not every group could be seen, which takes DESCRIBE on the cluster and on each group",
        "defaults: no broker gave its configuration",
        "groups: not every group could be seen, which takes DESCRIBE on the cluster and on each group",
        "quotas: CLUSTER_AUTHORIZATION_FAILED",
        "resourceConfigs: CLUSTER_AUTHORIZATION_FAILED",
        "topics.*.reassigning: CLUSTER_AUTHORIZATION_FAILED: the principal needs DESCRIBE permission",
        "topics.audit.configs: TOPIC_AUTHORIZATION_FAILED: Topic authorization failed",
        describe_unseen(None),
        "users: CLUSTER_AUTHORIZATION_FAILED",
    ] == state["meta"]["missing"]


def test_progress_is_reported(broker: LocalBroker) -> None:
    """The reader hears of each part, and of topics with their number."""
    heard: list[tuple[str, int, int]] = []
    collect(broker.bootstrap_servers, progress=_recorder(heard))

    assert ["brokers", "topics", "groups", "access control lists and quotas"] == list(
        dict.fromkeys(w for w, _, _ in heard)
    )
    assert ("topics", 3, 3) in heard


def _recorder(heard: list[tuple[str, int, int]]) -> Callable[[str, int, int], None]:
    return lambda what, done, of: heard.append((what, done, of))


def _acl(*values: str) -> dict[str, str]:
    names = ("resourceType", "resourceName", "patternType", "principal", "host", "operation", "permissionType")
    return dict(zip(names, values, strict=True))
