"""``warden topics delete`` and ``delete-records`` of topics that are read and written, with a real broker."""

import re

import pytest

from tests.fixtures.conditions import eventually
from warden.demo.local_broker import LocalBroker
from warden.sources.kafka.connection import connect
from warden.sources.kafka.topics import read_topics

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


def _commit(broker: LocalBroker, group: str, topic: str) -> bool:
    """Whether offset 0 is committed: the first look-up of a coordinator makes the broker create its topic."""
    from kafka.errors import RetriableError
    from kafka.structs import OffsetAndMetadata, TopicPartition

    with connect(broker.bootstrap_servers, timeout=30) as connection:
        try:
            done = connection.admin.alter_group_offsets(group, {TopicPartition(topic, 0): OffsetAndMetadata(0)})
        except RetriableError:
            return False
    return not any(error.errno for error in done.values())


def test_delete_what_nobody_uses(topics, broker, partitions_file):
    """Who reads a topic, and when it was last written, is read from the cluster; waiting until it is idle helps."""
    from kafka import KafkaConsumer, KafkaProducer

    names = ["cli.empty", "cli.idle", "cli.read", "cli.written"]
    assert 0 == topics("create", *_of(names), "--partitions", "2", "--replication-factor", "1")[0]
    producer = KafkaProducer(bootstrap_servers=broker.bootstrap_servers)
    producer.send("cli.idle", b"x", timestamp_ms=1_580_000_000_000)
    producer.send("cli.written", b"x", partition=0)
    producer.flush()
    producer.close()
    eventually(lambda: _commit(broker, "billing", "cli.idle"), "a committed offset")
    assert _commit(broker, "billing", "cli.written")
    reader = KafkaConsumer(
        "cli.read", bootstrap_servers=broker.bootstrap_servers, group_id="live", metadata_max_age_ms=500
    )
    eventually(lambda: reader.poll(timeout_ms=100) or reader.assignment(), "a member that reads")
    records = topics(
        *["delete-records", "--enforcement-point", "unused"],
        *["--offset-json-file", partitions_file({"topic": "cli.written", "partition": 0, "offset": 1})],
    )
    status, out, _ = topics("delete", *_of(names), "--enforcement-point", "unused")
    with connect(broker.bootstrap_servers, timeout=30) as connection:
        left = read_topics(connection, []).keys()
    reader.close()

    assert (1, 1) == (records[0], status)
    unread = "records of partition 0 below offset 1 may be unread, group billing has committed 0"
    assert ["cli.written: denied: POLICY_VIOLATION", f"  deny KFK-DEL-004 critical: {unread}"] == _decisions(records[1])
    written = 'topic "cli.written" may be in use, its latest record is N ms old, less than 86400000'
    assert [
        "cli.empty: deleted",
        "cli.idle: deleted",
        "cli.read: denied: POLICY_VIOLATION",
        '  deny KFK-DEL-002 critical: topic "cli.read" may be in use, groups with members read it: live',
        "cli.written: denied: POLICY_VIOLATION",
        f"  deny KFK-DEL-002 critical: {written}",
    ] == [re.sub(r"is \d+ ms old", "is N ms old", line) for line in _decisions(out)]
    assert {"cli.read", "cli.written"} == left & set(names)


def _of(names: list[str]) -> list[str]:
    return [word for name in names for word in ("--topic", name)]


def _decisions(out: str) -> list[str]:
    """The lines without fixes and without rules that do not deny here."""
    return [line for line in out.splitlines() if not line.startswith(("    fix: ", "  dryrun "))]
