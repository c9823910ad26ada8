"""Groups that the wrapper of confluent-kafka's AdminClient deletes, with a real broker and a real OPA."""

import pytest
from confluent_kafka import ConsumerGroupTopicPartitions, KafkaError, TopicPartition
from confluent_kafka.admin import NewTopic

from tests.fixtures.brokers.groups import commit
from tests.fixtures.patience import PATIENCE
from warden.state.sources.kafka.login.connection import connect

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


def test_groups(wrapped, plain, broker):
    """A protected one stays, the other goes; each has a future."""
    plain.create_topics([NewTopic("grouped.a", 1, 1)])["grouped.a"].result(PATIENCE)
    with connect(broker.bootstrap_servers) as connection:
        for group in ("kept.a", "gone.a"):
            commit(connection, group, "grouped.a")
    futures = wrapped().delete_consumer_groups(["kept.a", "gone.a"])
    error = futures["kept.a"].exception(timeout=PATIENCE).args[0]
    assert futures["gone.a"].result(PATIENCE) is None
    left = {one.group_id for one in plain.list_consumer_groups().result(PATIENCE).valid}

    assert KafkaError.POLICY_VIOLATION == error.code()
    assert 'KFK-DEL-006: group "kept.a" may not be deleted, "kept.*" protects it' == error.str()
    assert {"kept.a"} == left & {"kept.a", "gone.a"}


def test_offsets(wrapped, plain, broker):
    """Those of a protected group stay where they are, those of another go where they are put."""
    plain.create_topics([NewTopic("grouped.b", 1, 1)])["grouped.b"].result(PATIENCE)
    with connect(broker.bootstrap_servers) as connection:
        for group in ("kept.b", "moved.b"):
            commit(connection, group, "grouped.b")
    admin = wrapped()
    moved = [TopicPartition("grouped.b", 0, 7)]
    futures = {
        group: admin.alter_consumer_group_offsets([ConsumerGroupTopicPartitions(group, moved)])[group]
        for group in ("kept.b", "moved.b")
    }
    error = futures["kept.b"].exception(timeout=PATIENCE).args[0]
    result = futures["moved.b"].result(PATIENCE)
    offsets = {
        group: plain.list_consumer_group_offsets([ConsumerGroupTopicPartitions(group)])[group].result(PATIENCE)
        for group in ("kept.b", "moved.b")
    }

    assert KafkaError.POLICY_VIOLATION == error.code()
    assert 'KFK-DEL-006: offsets of group "kept.b" may not be altered, "kept.*" protects it' == error.str()
    assert "moved.b" == result.group_id
    assert {"kept.b": [0], "moved.b": [7]} == {
        group: [one.offset for one in found.topic_partitions] for group, found in offsets.items()
    }
