"""``warden topics``, with a real broker and a real OPA."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.read.configs import TOPIC, request_descriptions
from warden.state.sources.kafka.read.topics import read_topics

pytestmark = [pytest.mark.kafka, pytest.mark.opa]


@pytest.fixture
def there(broker: LocalBroker):
    """Reads what there is: the partitions and overrides of each topic that is requested."""

    def read(*names: str) -> dict[str, tuple[int, dict[str, str | None]]]:
        with connect(broker.bootstrap_servers, timeout=PATIENCE) as connection:
            found = read_topics(connection, [])
            known = [name for name in names if name in found]
            described = {one.name: one.configs for one in request_descriptions(connection, TOPIC, known)}
        return {
            name: (
                found[name]["numPartitions"],
                {key: entry.value for key, entry in described[name].items() if entry.is_topic_override},
            )
            for name in names
            if name in found
        }

    return read


@pytest.fixture
def make(topics, there):
    """Makes topics, and returns once the broker knows them: it does some time after its controller has answered."""

    def create(*names: str) -> None:
        for name in names:
            assert 0 == topics("create", "--topic", name, "--partitions", "2", "--replication-factor", "1")[0]
        _wait_for(there, dict.fromkeys(names, (2, {})))

    return create


def _wait_for(there, expected: dict[str, tuple[int, dict[str, str]]], *others: str) -> None:
    """Until there are these topics, and none of the others."""
    eventually(lambda: expected == there(*expected, *others), f"{expected} without {others}")


def test_create(topics, there):
    """What is allowed is created, what is denied is not, and the denial comes with its fix and a patch."""
    status, out, _ = topics(
        "create", "--topic", "cli.created", "--topic", "BAD", "--partitions", "3", "--config", "flush.ms=5"
    )

    assert 1 == status
    assert [
        "cli.created: created",
        "BAD: denied: POLICY_VIOLATION",
        '  deny KFK-NAM-001 medium: topic name "BAD" does not match the convention ^[a-z]+(\\.[a-z]+)+$',
    ] == [line for line in out.splitlines() if "fix:" not in line and "dryrun" not in line]
    _wait_for(there, {"cli.created": (3, {"flush.ms": "5"})}, "BAD")


def test_create_with_a_patch_as_json(topics, there):
    """A program reads of each topic what was decided, and with which patch it would be allowed."""
    status, out, _ = topics("create", "--topic", "cli.large", "--partitions", "11", "--output", "json")
    (result,) = json.loads(out)["results"]

    assert 1 == status
    assert ("cli.large", False, False, 44, "POLICY_VIOLATION") == (
        *(result["topic"], result["allowed"], result["done"]),
        *(result["errorCode"], result["errorName"]),
    )
    assert [{"op": "replace", "path": "/numPartitions", "value": 10}] == result["patch"]
    assert [False] == [decision["allowed"] for decision in result["decisions"]]
    assert {} == there("cli.large")


def test_validate_only(topics, there, partitions_file, make):
    """With --validate-only nothing happens, with any verb."""
    status, out, _ = topics("create", "--topic", "cli.validated", "--partitions", "1", "--validate-only")
    assert (0, "cli.validated: allowed, nothing was done\n") == (status, "\n".join(_without_notes(out)) + "\n")
    make("cli.stays")
    offsets = partitions_file({"topic": "cli.stays", "partition": 0, "offset": 0})
    for arguments in (
        ["alter", "--topic", "cli.stays", "--partitions", "3", "--config", "flush.ms=5"],
        ["delete-records", "--offset-json-file", offsets],
        ["delete", "--topic", "cli.stays"],
    ):
        status, out, _ = topics(*arguments, "--validate-only")
        assert (0, "cli.stays: allowed, nothing was done") == (status, _without_notes(out)[0])
    assert {"cli.stays": (2, {})} == there("cli.validated", "cli.stays")


def test_alter(topics, there, make):
    """Partitions and configs of a topic are altered together, or neither is."""
    make("cli.altered", "cli.unaltered")
    both = ["--topic", "cli.altered", "--topic", "cli.unaltered"]
    assert 0 == topics("alter", "--topic", "cli.altered", "--config", "retention.ms=9000", "--config", "flush.ms=5")[0]
    _wait_for(there, {"cli.altered": (2, {"retention.ms": "9000", "flush.ms": "5"})})
    good = topics("alter", "--topic", "cli.altered", "--partitions", "3", "--delete-config", "flush.ms")
    _wait_for(there, {"cli.altered": (3, {"retention.ms": "9000"})})
    bad = topics("alter", *both, "--partitions", "4", "--config", "retention.ms=1")

    assert (0, 1) == (good[0], bad[0])
    assert {"cli.altered": (3, {"retention.ms": "9000"}), "cli.unaltered": (2, {})} == there(
        "cli.altered", "cli.unaltered"
    )


@pytest.fixture
def stale(opa: LocalOpa) -> Iterator[Callable[[dict[str, Any]], object]]:
    """Makes OPA's replica of a cluster "stale" with some topics, whatever the broker has."""
    with OpaClient(opa.url, token=opa.tokens.replicator) as replicator:
        yield lambda topics: replicator.put_data(
            ["clusters", "stale"],
            {
                "clusterSize": 1,
                "brokers": {"1": {"host": "b", "configs": {}}},
                "topics": topics,
                "defaults": {},
                "totals": {"topics": 1, "partitions": 1, "replicas": 1, "byBroker": {"1": 1}},
                "meta": {"observedAt": datetime.now(UTC).isoformat()},
            },
        )
        replicator.put_data(["clusters"], {})


def test_alter_what_kafka_refuses_in_part(topics, there, stale, make):
    """What Kafka would refuse of one request to it keeps back the other, and touches no other topic."""
    make("cli.halved", "cli.other")
    status, out, said = topics(
        *["alter", "--topic", "cli.halved", "--topic", "cli.other", "--partitions", "3", "--config", "flush.ms=7"],
        *["--replica-assignment", "1,1,1"],
    )
    assert (0, "") == (status, said), out
    one = {"numPartitions": 1, "replicationFactor": 1, "replicasAssignments": {"0": [1]}, "configs": {}, "labels": {}}
    stale({"cli.halved": {**one, "internal": False, "markedForDeletion": False, "reassigning": {}}})
    both = ["--partitions", "2", "--config", "flush.ms=8"]
    refused = topics("alter", "--topic", "cli.halved", *both, "--cluster", "stale", "--state", "replicated")

    assert 2 == refused[0], refused
    assert "allowed by the policy, and refused by Kafka: cli.halved: INVALID_PARTITIONS" in refused[2]
    _wait_for(there, dict.fromkeys(("cli.halved", "cli.other"), (3, {"flush.ms": "7"})))


def test_alter_with_assignments(topics, there, make):
    """Of the assignments of all partitions, those of new ones count, as with kafka-topics.sh."""
    make("cli.assigned")
    assert 0 == topics("alter", "--topic", "cli.assigned", "--partitions", "3", "--replica-assignment", "1,1,1")[0]

    _wait_for(there, {"cli.assigned": (3, {})})


def test_delete(topics, there, make):
    """Only what the policy lets go is deleted; what is not there is refused in Kafka's words."""
    make("cli.kept", "cli.deleted")
    denied = topics("delete", "--topic", "cli.kept", "--enforcement-point", "strict")
    done = topics("delete", "--topic", "cli.deleted", "--topic", "cli.none")
    skipped = topics("delete", "--topic", "cli.none", "--if-exists")

    assert (1, 1, 0) == (denied[0], done[0], skipped[0])
    assert ["cli.deleted: deleted", "cli.none: denied: UNKNOWN_TOPIC_OR_PARTITION"] == [
        line for line in _without_notes(done[1]) if not line.startswith(" ")
    ]
    assert "nothing to do\n" == skipped[1]
    _wait_for(there, {"cli.kept": (2, {})}, "cli.deleted")


def test_if_not_exists(topics, make):
    """A topic that exists is left alone on request, else refused."""
    make("cli.twice")
    again = ["create", "--topic", "cli.twice", "--partitions", "1"]

    refused, left = topics(*again), topics(*again, "--if-not-exists")

    assert (1, 0) == (refused[0], left[0]), (refused, left)


def test_delete_records(topics, partitions_file, make):
    """Records of a topic go, those of one that is not there do not."""
    make("cli.records")
    path = partitions_file(
        {"topic": "cli.records", "partition": 0, "offset": -1},
        {"topic": "cli.none", "partition": 0, "offset": 0},
        {"topic": "cli.records", "partition": 1, "offset": 0},
    )
    status, out, _ = topics("delete-records", "--offset-json-file", path)

    assert 1 == status
    assert ["cli.records: records deleted", "cli.none: denied: UNKNOWN_TOPIC_OR_PARTITION"] == [
        line for line in _without_notes(out) if not line.startswith(" ")
    ]


def test_reassign(topics, partitions_file, make):
    """A reassignment to where a partition is goes through; one to a broker that is not is refused before it is sent."""
    make("cli.moved")
    here = partitions_file({"topic": "cli.moved", "partition": 0, "replicas": [1], "log_dirs": ["any"]})
    moved = topics("reassign", "--reassignment-json-file", here)
    nowhere = partitions_file({"topic": "cli.moved", "partition": 0, "replicas": [7]})
    refused = topics("reassign", "--reassignment-json-file", nowhere, "--disallow-replication-factor-change")
    cancelled = topics("reassign", "--reassignment-json-file", here, "--cancel")

    assert (0, "cli.moved: being reassigned") == (moved[0], _without_notes(moved[1])[0])
    assert (1, "cli.moved: denied: INVALID_REPLICA_ASSIGNMENT") == (refused[0], _without_notes(refused[1])[0])
    assert (1, "cli.moved: denied: NO_REASSIGNMENT_IN_PROGRESS") == (cancelled[0], _without_notes(cancelled[1])[0])


def test_what_kafka_refuses_after_all(topics, there, stale, make):
    """What the policy allows and Kafka refuses is an error, not a denial: here OPA's replica lacks the topic."""
    make("cli.refused")
    stale({})
    replicated = ["--cluster", "stale", "--state", "replicated"]
    status, out, err = topics("create", "--topic", "cli.refused", "--partitions", "3", *replicated)

    assert 2 == status, out
    refusal = "cli.refused: refused by Kafka: TOPIC_ALREADY_EXISTS: Topic 'cli.refused' already exists"
    assert refusal == _without_notes(out)[0]
    assert "allowed by the policy, and refused by Kafka: cli.refused" in err
    assert ["cli.refused"] == [*there("cli.refused")]


_BROKER = ["--bootstrap-server", "127.0.0.1:1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["create", *_BROKER, "--topic", "a.b"], "no Kafka broker can be reached"),
        (["create", *_BROKER, "--topic", "a.b", "--config", "x"], "--config 'x': write it as key=value"),
        (["create", *_BROKER, "--topic", "a.b", "--config", "=x"], "--config '=x': write it as key=value"),
        (["create", *_BROKER, "--topic", "a.b", "--replica-assignment", "1:a"], "--replica-assignment '1:a'"),
        (
            ["create", *_BROKER, "--topic", "a.b", "--replica-assignment", "1", "--partitions", "1"],
            "leave out --partitions",
        ),
        (["alter", *_BROKER, "--topic", "a.b"], "nothing to alter"),
        (
            ["alter", *_BROKER, "--topic", "a.b", "--config", "a=b", "--replica-assignment", "1"],
            "give --partitions too",
        ),
        (["delete", *_BROKER, "--topic", "a.b", "--state", "replicated"], "--state replicated needs --opa-url"),
        (["delete-records", *_BROKER, "--offset-json-file", "/none.json"], "/none.json: cannot be read"),
        (["create", *_BROKER], "Missing option '--topic'"),
    ],
)
def test_errors(arguments: list[str], said: str, warden: Any) -> None:
    """What is wrong is said in one sentence, with exit status 2."""
    status, _, err = warden("topics", *arguments)

    assert 2 == status
    assert said in err


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "not JSON"),
        ("[]", "unknown version None"),
        ('{"version": 2, "partitions": []}', "unknown version 2"),
        ('{"partitions": []}', "partitions is missing or empty"),
        ('{"partitions": [{"topic": "a", "partition": 0}]}', "partitions[0]: give topic, partition and offset"),
        ('{"partitions": [{"topic": 1, "partition": 0, "offset": 0}]}', "partitions[0].topic: must be a string"),
    ],
)
def test_files_that_cannot_be_read(document: str, said: str, warden: Any, tmp_path: Any) -> None:
    """A file is read as Kafka's tools read it, or not at all."""
    path = tmp_path / "offsets.json"
    path.write_text(document, encoding="utf-8")
    status, _, err = warden("topics", "delete-records", *_BROKER, "--offset-json-file", str(path))

    assert 2 == status
    assert said in err


def _without_notes(out: str) -> list[str]:
    """The lines without those of rules that do not deny here."""
    lines = out.splitlines()
    notes = {index for index, line in enumerate(lines) if line.startswith("  dryrun ")}
    return [line for index, line in enumerate(lines) if index not in notes and index - 1 not in notes]
