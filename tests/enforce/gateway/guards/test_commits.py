"""Commits outside a generation, on a real broker: those to protected groups are denied, members' go by unread."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

import pytest
from confluent_kafka import Consumer, ConsumerGroupTopicPartitions, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient

from tests.enforce.gateway.frames import (
    ALLOWED,
    DENIED,
    KEYS,
    connection,
    decode_response,
    raw_request,
    raw_response,
    taken,
)
from tests.enforce.gateway.test_administration import Groups, groups, versions
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.enforce.gateway.wire.apis import APIS

__all__ = ["groups"]

COMMITS = [(name, version) for name in ("OffsetCommit", "TxnOffsetCommit") for version in versions(name)]
WITHOUT_MEMBER = {("TxnOffsetCommit", version) for version in range(3)}
BY_ID = {("OffsetCommit", 10), ("TxnOffsetCommit", 6)}
TOPIC_ID = UUID(int=7)
MEMBER = "generationIdOrMemberEpoch"


def offset_commit(name: str, version: int, generation: int, group: str = "kept.g") -> bytes:
    """A commit of one offset, of as many fields as the version has."""
    topic = {"topicId": TOPIC_ID} if (name, version) in BY_ID else {"name": "a.b"}
    topics = [{**topic, "partitions": [{"partitionIndex": 4, "committedOffset": 7, "committedMetadata": ""}]}]
    fields: dict[str, Any] = {"groupId": group, "memberId": "m", "topics": topics}
    fields |= {"transactionalId": "t", "producerId": 1, "producerEpoch": 0}
    return raw_request(name, version, {**fields, MEMBER: generation, "generationId": generation})


def codes(name: str, version: int, raw: bytes) -> list[int]:
    """The error of each partition of a response."""
    topics: list[Mapping[str, Any]] = decode_response(name, version, raw)["topics"]
    return [one["errorCode"] for topic in topics for one in topic["partitions"]]


@pytest.mark.parametrize(("name", "version"), [one for one in COMMITS if one not in WITHOUT_MEMBER])
def test_what_a_member_commits_goes_by(name, version):
    """As it came, byte by byte, and nothing is decided about it."""
    request = offset_commit(name, version, 0)
    core, sent = connection(), b""
    for byte in request:
        core.receive_from_client(bytes([byte]))
        assert not core.pending_inputs
        sent += taken(core)[1]

    assert request == sent


@pytest.mark.parametrize(("name", "version"), COMMITS)
@pytest.mark.parametrize(("decision", "expected"), [(ALLOWED, []), (DENIED, [44])], ids=["allowed", "denied"])
def test_what_is_committed_outside_a_generation(name, version, decision, expected):
    """It is decided as the alteration of a group's offsets; the broker sees it as it came, or not at all."""
    request = offset_commit(name, version, -1)
    core = connection()
    core.receive_from_client(request)
    topic = "a.b"
    if (name, version) in BY_ID:
        _, lookup = taken(core)
        assert lookup
        topic = "by.id"
        row = {"errorCode": 0, "topicId": TOPIC_ID, "name": topic, "isInternal": False, "partitions": []}
        core.receive_from_broker(raw_response("Metadata", 12, {"topics": [row], "brokers": []}))
    (document,) = core.pending_inputs.values()
    core.apply_decisions({"request": decision})
    to_client, to_broker = taken(core)

    offsets = [{"topic": topic, "partition": 4, "offset": 7}]
    assert ("AlterGroupOffsets", {"group": "kept.g", "offsets": offsets}) == (
        document["operation"],
        document["request"],
    )
    assert {"key": name, "version": version} == document["api"]
    assert (b"" if expected else request) == to_broker
    assert expected == (codes(name, version, to_client) if to_client else [])


def test_a_topic_that_the_broker_does_not_show():
    """It is called by its id, and the broker has the last word."""
    core = connection()
    core.receive_from_client(offset_commit("OffsetCommit", 10, -1))
    taken(core)
    row = {"errorCode": 100, "topicId": TOPIC_ID, "name": None, "isInternal": False, "partitions": []}
    core.receive_from_broker(raw_response("Metadata", 12, {"topics": [row], "brokers": []}))
    (document,) = core.pending_inputs.values()

    assert "AAAAAAAAAAAAAAAAAAAABw" == document["request"]["offsets"][0]["topic"]


@pytest.mark.parametrize("shed", [False, True])
def test_a_commit_that_nobody_decides(shed):
    """The client tries again, as while its coordinator is not ready."""
    core = connection()
    core.receive_from_client(offset_commit("OffsetCommit", 9, -1))
    core.deny_pending("OPA is away", shed=shed)

    assert [14] == codes("OffsetCommit", 9, taken(core)[0])


def test_the_versions():
    """Commits without a generation, of before Kafka 0.9, are not carried: nobody could tell what they are."""
    assert {"OffsetCommit": (2, 10), "TxnOffsetCommit": (0, 6)} == {
        name: APIS[KEYS[name]].advertised for name in ("OffsetCommit", "TxnOffsetCommit")
    }


@pytest.mark.kafka
@pytest.mark.opa
def test_alterations_by_an_admin_client(gateway, groups: Groups):
    """Those of a protected group's offsets do not happen; others do."""
    groups.make("kept.altered", "free.altered")
    admin = AdminClient({"bootstrap.servers": gateway.address(0)})
    topic = groups.topics[0]

    def alter(group: str) -> int | None:
        altered = ConsumerGroupTopicPartitions(group, [TopicPartition(topic, 0, 5)])
        (future,) = admin.alter_consumer_group_offsets([altered]).values()
        (partition,) = future.result(PATIENCE).topic_partitions
        return partition.error.code() if partition.error else None

    assert [44, None] == [alter(group) for group in ("kept.altered", "free.altered")]
    assert [0, 5] == [groups.offsets(group)[topic] for group in ("kept.altered", "free.altered")]


@pytest.mark.kafka
@pytest.mark.opa
def test_resets_that_go_too_far(gateway, groups: Groups, replicate):
    """They count from what the group has committed, of which OPA has the replica."""
    groups.make("near.reset")
    admin, topic = AdminClient({"bootstrap.servers": gateway.address(0)}), groups.topics[0]

    def reset(to: int) -> int | None:
        replicate()
        altered = ConsumerGroupTopicPartitions("near.reset", [TopicPartition(topic, 0, to)])
        (future,) = admin.alter_consumer_group_offsets([altered]).values()
        (partition,) = future.result(PATIENCE).topic_partitions
        return partition.error.code() if partition.error else None

    assert [44, None, 44, 44, None] == [reset(to) for to in (6, 5, 11, 500, 0)]
    assert 0 == groups.offsets("near.reset")[topic]


@pytest.mark.kafka
@pytest.mark.opa
def test_consumers_of_a_protected_group(gateway, groups: Groups):
    """A member commits as it does direct; who assigns partitions to itself is denied what a reset would be."""
    topic = groups.topics[1]
    configs = {"bootstrap.servers": gateway.address(0), "group.id": "kept.members", "enable.auto.commit": False}
    member = Consumer(configs)
    member.subscribe([topic])
    eventually(lambda: member.poll(0.1) or member.assignment(), "a member")
    member.commit(offsets=[TopicPartition(topic, 0, 3)], asynchronous=False)
    member.close()
    alone = Consumer(configs)
    alone.assign([TopicPartition(topic, 0)])
    with pytest.raises(KafkaException) as raised:
        alone.commit(offsets=[TopicPartition(topic, 0, 9)], asynchronous=False)
    alone.close()

    assert 44 == raised.value.args[0].code()
    assert 3 == groups.offsets("kept.members")[topic]
