"""Kafka Streams with groups of its own (KIP-1071): topologies whose internal topics the broker creates."""

import pytest

from tests.enforce.gateway.frames import ALLOWED, DENIED, connection, raw_response, taken
from tests.enforce.gateway.guards.heartbeats import answer, heartbeat, info, subtopology
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError

STREAMS = 3
"""The place of the cluster among the gateway's, under whose settings names may have dashes."""

TOPOLOGY = [subtopology("0", ["in"], [], [info("app-log", 0, 2, cleanup_policy="compact")])]


def found(**counts):
    """What a broker says of topics, by their number of partitions."""
    topics = [
        {"name": name, "errorCode": 0 if count else 3, "partitions": [{"partitionIndex": n} for n in range(count)]}
        for name, count in counts.items()
    ]
    return raw_response("Metadata", 12, {"topics": topics, "clusterId": "c"}, 9)


def looked_up(core, sent, **counts):
    """Send a heartbeat and answer about the topics; returns the one decision input."""
    core.receive_from_client(sent)
    assert b"\0\x03\0\x0c\0\0\0\x09" in taken(core)[1]  # Metadata v12, under the same correlation id
    core.receive_from_broker(found(**counts))
    assert (b"", b"") == taken(core)
    (document,) = core.pending_inputs.values()
    return document


def test_a_heartbeat_without_a_topology_goes_by():
    """It creates nothing that has not been decided."""
    core, sent = connection(), heartbeat("app", None)
    core.receive_from_client(sent)

    assert (b"", sent) == taken(core)
    assert not core.is_waiting
    assert {} == core.pending_inputs


def test_a_topology_is_decided_as_what_it_creates():
    """Each topic is a CreateTopic, with configs, replication factor, and the partitions of what it follows from."""
    core, sent = connection(), heartbeat("app", TOPOLOGY, 9)
    document = looked_up(core, sent, **{"in": 4, "app-log": 0})
    core.apply_decisions(dict.fromkeys(core.pending_inputs, ALLOWED))

    assert "CreateTopic" == document["operation"]
    request = {"topic": "app-log", "numPartitions": 4, "replicationFactor": 2, "configs": {"cleanup.policy": "compact"}}
    assert request == document["request"]
    assert "unknown" not in document
    assert (b"", sent) == taken(core)


def test_a_number_that_nobody_knows_is_said_to_be_unknown():
    """The source is not there yet, so that the number of partitions is open."""
    document = looked_up(connection(), heartbeat("app", TOPOLOGY, 9), **{"in": 0, "app-log": 0})

    assert ["/request/numPartitions"] == document["unknown"]
    assert "numPartitions" not in document["request"]


def test_topics_that_are_there_are_not_decided():
    """The broker creates none of them."""
    core, sent = connection(), heartbeat("app", TOPOLOGY, 9)
    core.receive_from_client(sent)
    taken(core)
    core.receive_from_broker(found(**{"in": 4, "app-log": 4}))

    assert (b"", sent) == taken(core)


@pytest.mark.parametrize(
    ("settle", "code", "text"),
    [
        (lambda core: core.apply_decisions(dict.fromkeys(core.pending_inputs, DENIED)), 44, "app-log: no"),
        (lambda core: core.apply_decisions({}), -1, "app-log: "),
        (lambda core: core.deny_pending("no engine"), 44, "app-log: no engine"),
    ],
    ids=["denied", "no decision", "undecided"],
)
def test_what_is_not_allowed_never_reaches_the_broker(settle, code, text):
    """The heartbeat is answered here, once, and the next one goes on."""
    core, sent = connection(), heartbeat("app", TOPOLOGY, 9)
    looked_up(core, sent, **{"in": 4, "app-log": 0})
    settle(core)
    to_client, to_broker = taken(core)
    fields = answer(to_client[LENGTH:])

    assert b"" == to_broker
    assert (code, "member", None) == (fields["errorCode"], fields["memberId"], fields["status"])
    assert fields["errorMessage"].startswith(text)
    core.receive_from_client(heartbeat("app", None, 10))
    assert (b"", heartbeat("app", None, 10)) == taken(core)


def test_proposed_configs_are_for_the_application_to_set():
    """A topology goes on as it is or not at all: what the policy would add is for the application to set."""
    core, sent = connection(), heartbeat("app", TOPOLOGY, 9)
    looked_up(core, sent, **{"in": 4, "app-log": 0})
    offered = ALLOWED | {"annotations": {"configs": {"min.insync.replicas": "2"}}}
    core.apply_decisions(dict.fromkeys(core.pending_inputs, offered))
    core.apply_decisions(dict.fromkeys(core.pending_inputs, ALLOWED))
    to_client, to_broker = taken(core)

    assert b"" == to_broker
    assert "app-log: the policy wants min.insync.replicas=2" in answer(to_client[LENGTH:])["errorMessage"]


def test_a_heartbeat_that_says_more_is_not_carried():
    """An unknown tagged field: a later broker might create topics for it."""
    sent = heartbeat("app", None)
    later = (len(sent) - LENGTH + 3).to_bytes(4, "big") + sent[LENGTH:-1] + b"\x01\x63\x01\x00"

    with pytest.raises(ProtocolError, match="cannot read all of"):
        connection().receive_from_client(later)


@pytest.mark.parametrize("together", [([5], []), ([], [0])], ids=["a source", "a repartition topic"])
def test_a_topology_that_points_at_nothing_is_not_carried(together):
    """It is the client's mistake, and no defect of the gateway."""
    core = connection()
    core.receive_from_client(heartbeat("app", [subtopology("0", ["in"], together=together)], 9))

    with pytest.raises(ProtocolError, match="StreamsGroupHeartbeat v0: a group of topics points at one"):
        core.receive_from_broker(found(**{"in": 4}))
