"""Answers that a healthy 4.x broker does not give: refusals, older versions and codes from the future."""

from collections.abc import Callable
from types import SimpleNamespace as Answer
from typing import Any, cast

import pytest

from warden.base.errors import KafkaUnreachable
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed
from warden.state.sources.kafka.read.acls import read_acls
from warden.state.sources.kafka.read.brokers import Broker, Cluster, read_broker_configs, read_cluster
from warden.state.sources.kafka.read.consumers import read_consumers
from warden.state.sources.kafka.read.features import read_features
from warden.state.sources.kafka.read.groups import GroupGap, read_groups
from warden.state.sources.kafka.read.last_write_times import UNKNOWN, read_leaders, read_writes
from warden.state.sources.kafka.read.quotas import read_quotas
from warden.state.sources.kafka.read.topics import read_topics

GROUP_AUTHORIZATION_FAILED, GROUP_ID_NOT_FOUND, TOPIC_AUTHORIZATION_FAILED = 30, 69, 29
COORDINATOR_LOAD_IN_PROGRESS = 14


def cluster_of(version: int = 8, **answers: Callable[[Any, int | None], Any]) -> Connection:
    """A connection that answers each kind of request by a function of the request and the broker."""
    answers = {"Metadata": lambda *_: Answer(topics=[])} | answers

    class Stub:
        def find_version(self, _request: type) -> int:
            return version

        def send(self, request: Any, node: int | None = None, *, check: bool = True) -> Any:
            return answers[type(request).__name__.removesuffix("Request")](request, node)

    return cast("Connection", Stub())


def refuse(error: Exception) -> Callable[[Any, int | None], Any]:
    """An answer that is none."""

    def answer(_request: Any, _node: int | None) -> Any:
        raise error

    return answer


def test_an_acl_of_a_newer_kafka_keeps_its_number() -> None:
    """A code without a name is reported as its number; kafka-python's own enums would raise."""
    acl = Answer(principal="User:a", host="*", operation=99, permission_type=3)
    resource = Answer(resource_type=7, resource_name="b", pattern_type=3, acls=[acl])

    assert {
        "User:a": [
            {
                "resourceType": "USER",
                "resourceName": "b",
                "patternType": "LITERAL",
                "principal": "User:a",
                "host": "*",
                "operation": "UNKNOWN_99",
                "permissionType": "ALLOW",
            }
        ]
    } == read_acls(cluster_of(DescribeAcls=lambda *_: Answer(resources=[resource])))


def test_quotas_are_keyed_user_first() -> None:
    """Whatever order the cluster lists the parts of an entity in."""
    entity = [Answer(entity_type=kind, entity_name=name) for kind, name in (("client-id", "app"), ("user", None))]
    entry = Answer(entity=entity, values=[Answer(key="z", value=1.0), Answer(key="a", value=2.0)])
    found = read_quotas(cluster_of(DescribeClientQuotas=lambda *_: Answer(entries=[entry])))

    assert {"user=<default>,client-id=app": {"a": 2.0, "z": 1.0}} == found
    assert ["a", "z"] == list(found["user=<default>,client-id=app"])


def test_names_in_quotas_tell_nothing_else() -> None:
    """A user who is called as the default is, or as a user and a client are, has a key of that user's own."""
    names = ("alice,client-id=app", "<default>", "100%")
    entries = [
        Answer(entity=[Answer(entity_type="user", entity_name=name)], values=[Answer(key="a", value=1.0)])
        for name in names
    ]
    found = read_quotas(cluster_of(DescribeClientQuotas=lambda *_: Answer(entries=entries)))

    assert {"user=alice%2Cclient-id=app", "user=%3Cdefault>", "user=100%25"} == set(found)


def test_a_topic_that_may_not_be_seen_is_named() -> None:
    """One topic with an error does not hide the others."""
    partition = Answer(partition_index=0, replica_nodes=[2, 1])
    topics = [
        Answer(name="secret", error_code=TOPIC_AUTHORIZATION_FAILED, partitions=[], is_internal=False),
        Answer(name="open", error_code=0, partitions=[partition], is_internal=False),
    ]
    missing: list[str] = []
    found = read_topics(cluster_of(Metadata=lambda *_: Answer(topics=topics)), missing)

    assert {"open": 2} == {name: topic["replicationFactor"] for name, topic in found.items()}
    assert ["topics.secret: TOPIC_AUTHORIZATION_FAILED"] == missing


def test_a_cluster_before_2_8_tells_its_brokers_with_its_metadata() -> None:
    """DescribeCluster is not known there."""
    metadata = Answer(
        cluster_id="c",
        controller_id=-1,
        brokers=[Answer(node_id=2, host="b", rack=None), Answer(node_id=1, host="a", rack="r")],
        authorized_operations={8},
    )
    old = cluster_of(DescribeCluster=refuse(NotDisclosed("no such API")), Metadata=lambda *_: metadata)

    assert Cluster("c", None, (Broker(1, "a", "r"), Broker(2, "b", None)), describes_cluster=True) == read_cluster(old)


def test_brokers_that_do_not_answer_are_named() -> None:
    """One is down, one does not answer, and the third is still read."""
    cluster = Cluster("c", 1, (Broker(1, "a", None), Broker(2, "b", None, fenced=True), Broker(3, "c", None)), True)
    entry = Answer(name="num.partitions", value="4", config_source=4, is_sensitive=False, synonyms=None)
    answer = Answer(results=[Answer(resource_name="3", error_code=0, error_message=None, configs=[entry])])

    def describe(_request: Any, node: int | None) -> Any:
        if node == 1:
            raise KafkaUnreachable("broker 1 did not answer")
        return answer

    missing: list[str] = []
    found = read_broker_configs(cluster_of(DescribeConfigs=describe), cluster, missing)

    assert {3: {"num.partitions": "4"}} == {node: {n: e.value for n, e in c.items()} for node, c in found.items()}
    assert [
        "brokers.1.configs: broker 1 did not answer",
        "brokers.2.configs: the broker is fenced, so it cannot be read",
    ] == missing


def test_features() -> None:
    """By name, at the level that is finalised; a broker that does not know them yet has an epoch that says so."""
    level = Answer(name="share.version", max_version_level=1, min_version_level=1)
    known, unknown = Answer(finalized_features_epoch=0, finalized_features=[level]), Answer(finalized_features_epoch=-1)

    assert {"share.version": 1} == read_features(cluster_of(ApiVersions=lambda *_: known))
    with pytest.raises(NotDisclosed):
        read_features(cluster_of(ApiVersions=lambda *_: unknown))


@pytest.mark.parametrize("version", [7, 8])
def test_groups(version: int) -> None:
    """Old and new way to fetch offsets; a group of a new kind, and one that may not be seen, are named."""
    states = {"classic": "Stable", "new": "Stable", "idle": "Empty", "secret": "Stable"}
    codes = {"classic": 0, "new": GROUP_ID_NOT_FOUND, "idle": GROUP_ID_NOT_FOUND, "secret": GROUP_AUTHORIZATION_FAILED}
    partitions = [
        Answer(partition_index=0, committed_offset=17, error_code=0),
        Answer(partition_index=1, committed_offset=-1, error_code=0),
        Answer(partition_index=2, committed_offset=-1, error_code=TOPIC_AUTHORIZATION_FAILED),
    ]

    def describe(request: Any, _node: int | None) -> Any:
        groups = [
            Answer(group_id=name, error_code=codes[name], error_message=None, group_state="Stable", members=["m", "n"])
            for name in request.groups
        ]
        return Answer(groups=groups)

    def offsets(name: str) -> Any:
        if name == "secret":
            return Answer(group_id=name, error_code=GROUP_AUTHORIZATION_FAILED, topics=[])
        topics = [Answer(name="orders", partitions=partitions)] if name == "classic" else []
        return Answer(group_id=name, error_code=0, topics=topics)

    def fetch(request: Any, _node: int | None) -> Any:
        if version < 8:
            return offsets(request.group_id)
        return Answer(groups=[offsets(group.group_id) for group in request.groups])

    missing: list[GroupGap] = []
    connection = cluster_of(
        version,
        ListGroups=lambda *_: Answer(groups=[Answer(group_id=n, group_state=s) for n, s in states.items()]),
        DescribeGroups=describe,
        OffsetFetch=fetch,
    )

    assert {
        "classic": {"members": 2, "offsets": {"orders": {"0": 17}}},
        "idle": {"members": 0, "offsets": {}},
        "new": {"offsets": {}},
        "secret": {"offsets": {}},
    } == read_groups(connection, [1], missing)
    assert [
        "groups.classic.offsets.orders: TOPIC_AUTHORIZATION_FAILED",
        "groups.new.members: GROUP_ID_NOT_FOUND",
        "groups.secret.members: GROUP_AUTHORIZATION_FAILED",
        "groups.secret.offsets: GROUP_AUTHORIZATION_FAILED",
    ] == sorted(map(str, missing))


def test_a_broker_whose_groups_cannot_be_had_is_named() -> None:
    """The groups of the other brokers are still read."""

    def listed(_request: Any, node: int | None) -> Any:
        if node == 1:
            raise NotDisclosed("CLUSTER_AUTHORIZATION_FAILED")
        return Answer(groups=[])

    missing: list[GroupGap] = []

    assert {} == read_groups(cluster_of(ListGroups=listed), [1, 2], missing)
    assert ["groups of broker 1: CLUSTER_AUTHORIZATION_FAILED"] == [str(gap) for gap in missing]


@pytest.mark.parametrize("name", ["plain", "team: job", "x.members: y", "AUTHORIZATION_FAILED"])
@pytest.mark.parametrize(
    ("members", "offsets", "known", "denied"),
    [
        (GROUP_ID_NOT_FOUND, 0, True, False),
        (GROUP_AUTHORIZATION_FAILED, 0, True, True),
        (0, COORDINATOR_LOAD_IN_PROGRESS, False, False),
        (0, GROUP_AUTHORIZATION_FAILED, False, True),
    ],
)
def test_what_is_known_of_groups_hangs_on_no_name(
    name: str, members: int, offsets: int, known: bool, denied: bool
) -> None:
    """Members that cannot be counted hide no group, offsets that cannot be had do; whoever gave the group its name."""
    described = Answer(
        group_id=name,
        error_code=members,
        error_message=None,
        group_state="Stable",
        members=[],
        protocol_type="consumer",
    )
    connection = cluster_of(
        ListGroups=lambda *_: Answer(groups=[Answer(group_id=name, group_state="Stable")]),
        DescribeGroups=lambda *_: Answer(groups=[described]),
        OffsetFetch=lambda *_: Answer(groups=[Answer(group_id=name, error_code=offsets, topics=[])]),
    )
    found = read_consumers(connection, Cluster("c", 1, (Broker(1, "a", None),), describes_cluster=True), [])

    assert (known, known, denied) == (found.groups is not None, found.consumers is not None, found.denied)


@pytest.mark.parametrize(
    ("leader", "gap"),
    [(1, ""), (-1, "partitions 1 of __consumer_offsets have no leader"), (None, "broker 1 did not answer")],
)
def test_groups_whose_coordinator_is_down_are_listed_by_nobody(leader: int | None, gap: str) -> None:
    """Three brokers of which one was killed, and that alone had its groups: the others list theirs without an error."""

    def lead(*_: object) -> Answer:
        if leader is None:
            raise KafkaUnreachable(gap)
        partitions = [Answer(partition_index=1, leader_id=leader), Answer(partition_index=0, leader_id=1)]
        return Answer(topics=[Answer(name="__consumer_offsets", partitions=partitions)])

    connection, gaps = cluster_of(Metadata=lead, ListGroups=lambda *_: Answer(groups=[])), list[str]()
    found = read_consumers(connection, Cluster("c", 1, (Broker(1, "a", None),), describes_cluster=True), gaps)
    assert (not gap, not gap, False) == (found.groups is not None, found.consumers is not None, found.denied)
    assert ([f"groups: {gap}"] if gap else []) == gaps[:1]


def test_a_topic_whose_leaders_are_not_reported_may_have_been_written() -> None:
    """What is refused, and what is gone, is no topic that was never written."""
    topics = [
        Answer(name="secret", partitions=[]),
        Answer(
            name="open", partitions=[Answer(partition_index=1, leader_id=-1), Answer(partition_index=0, leader_id=1)]
        ),
    ]
    connection = cluster_of(
        Metadata=lambda *_: Answer(topics=topics),
        ListOffsets=lambda *_: Answer(
            topics=[Answer(name="open", partitions=[Answer(error_code=0, timestamp=5)])],
        ),
    )
    leaders = read_leaders(connection, ["secret", "open", "gone"])

    assert {"secret": (), "open": (1, -1)} == leaders
    assert {"secret": UNKNOWN, "open": UNKNOWN, "gone": UNKNOWN} == read_writes(connection, leaders, [*leaders, "gone"])


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [
        (-1, None),
        (1_700_000_000_001, "2023-11-14T22:13:20.001Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (253_402_300_800_000, "9999-12-31T23:59:59.999Z"),
        (1_700_000_000_000_000, "9999-12-31T23:59:59.999Z"),
        (2**63 - 1, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_a_time_that_a_producer_made_up(timestamp: int, expected: str | None) -> None:
    """Microseconds in place of milliseconds, or the largest number: the last moment that can be written."""
    partition = Answer(error_code=0, timestamp=timestamp)
    connection = cluster_of(ListOffsets=lambda *_: Answer(topics=[Answer(name="t", partitions=[partition])]))

    assert {"t": expected} == read_writes(connection, {"t": (1,)}, ["t"])
