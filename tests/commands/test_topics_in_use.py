"""``warden topics delete`` and ``delete-records`` of topics that are read and written, with a real broker."""

import re
from random import choices
from string import ascii_lowercase

import pytest

from tests.fixtures.brokers.groups import commit, member
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.read.topics import read_topics

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


def test_delete_what_nobody_uses(topics, broker, partitions_file):
    """Who reads a topic, and when it was last written, is read from the cluster; waiting until it is idle helps."""
    from kafka import KafkaProducer

    tail = "".join(choices(ascii_lowercase, k=8))  # of this run alone
    names = [f"cli.{name}.{tail}" for name in ("empty", "idle", "read", "written")]
    empty, idle, read, written = names
    assert 0 == topics("create", *_of(names), "--partitions", "2", "--replication-factor", "1")[0]
    producer = KafkaProducer(bootstrap_servers=broker.bootstrap_servers)
    producer.send(idle, b"x", timestamp_ms=1_580_000_000_000)
    producer.send(written, b"x", partition=0)
    producer.flush()
    producer.close()
    with connect(broker.bootstrap_servers, timeout=PATIENCE) as connection:
        commit(connection, "billing", idle)
        commit(connection, "billing", written)
    with member(broker.bootstrap_servers, read, "live"):
        records = topics(
            *["delete-records", "--enforcement-point", "unused"],
            *["--offset-json-file", partitions_file({"topic": written, "partition": 0, "offset": 1})],
        )
        status, out, _ = topics("delete", *_of(names), "--enforcement-point", "unused")
    with connect(broker.bootstrap_servers, timeout=PATIENCE) as connection:
        left = lambda: read_topics(connection, []).keys() & set(names)  # noqa: E731 - one line of it
        eventually(lambda: left() == {read, written}, "the broker knows what its controller has deleted")

    assert (1, 1) == (records[0], status)
    unread = "records of partition 0 below offset 1 may be unread, group billing has committed 0"
    assert [f"{written}: denied: POLICY_VIOLATION", f"  deny KFK-DEL-004 critical: {unread}"] == _decisions(records[1])
    late = f'topic "{written}" may be in use, its latest record is N ms old, less than 86400000'
    assert [
        f"{empty}: deleted",
        f"{idle}: deleted",
        f"{read}: denied: POLICY_VIOLATION",
        f'  deny KFK-DEL-002 critical: topic "{read}" may be in use, groups with members read it: live',
        f"{written}: denied: POLICY_VIOLATION",
        f"  deny KFK-DEL-002 critical: {late}",
    ] == [re.sub(r"is \d+ ms old", "is N ms old", line) for line in _decisions(out)]


def _of(names: list[str]) -> list[str]:
    return [word for name in names for word in ("--topic", name)]


def _decisions(out: str) -> list[str]:
    """The lines without fixes and without rules that do not deny here."""
    return [line for line in out.splitlines() if not line.startswith(("    fix: ", "  dryrun "))]
