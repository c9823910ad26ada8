"""Requests about a cluster as a whole, or its groups, on a real broker: what is denied stays undone, others go on."""

import contextlib
import socket
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest
from confluent_kafka import ConsumerGroupTopicPartitions
from confluent_kafka.admin import AdminClient, NewTopic

from tests.enforce.gateway.frames import DENIED, KEYS, connection, decode_response, new_word, raw_request, taken
from tests.enforce.gateway.test_faults import client, receive
from tests.fixtures.brokers.groups import commit, member
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.enforce.gateway.wire.apis import APIS
from warden.enforce.gateway.wire.frames import ProtocolError
from warden.state.sources.kafka.login.connection import Connection, connect
from warden.state.sources.kafka.read.features import read_features

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_METADATA = "metadata.version"
_SHARE = "share.version"


@pytest.fixture
def levels(broker):
    """What reads the levels of the broker's features."""
    with connect(broker.bootstrap_servers) as connection:
        yield lambda: read_features(connection)


@pytest.fixture
def sender(gateway, broker):
    """What sends a request through the gateway, as another cluster's client too, or past it."""
    host, port = broker.bootstrap_servers.split(":")
    with contextlib.ExitStack() as stack:
        sockets = {name: stack.enter_context(client(gateway, at)) for name, at in (("gate", 0), ("second", 2))}
        sockets["direct"] = stack.enter_context(socket.create_connection((host, int(port)), timeout=PATIENCE))

        def send(way: str, name: str, version: int, fields: Mapping[str, Any]) -> Mapping[str, Any]:
            sockets[way].sendall(raw_request(name, version, fields))
            return decode_response(name, version, receive(sockets[way]))

        yield send


def update(version: int, level: int, kind: int, *, feature: str = _METADATA, only: bool = False) -> dict[str, Any]:
    """A request for one feature; kinds are Kafka's codes, of which version 0 has a flag."""
    how = {"upgradeType": kind} if version else {"allowDowngrade": kind > 1}
    one = {"feature": feature, "maxVersionLevel": level, **how}
    return {"featureUpdates": [one], "timeoutMs": 60_000, **({"validateOnly": only} if version else {})}


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_downgrade_is_denied(sender, levels, version):
    """The broker, which would do it, sees nothing of it; the client gets the policy's sentence."""
    before = levels()
    kinds = {2: "SAFE_DOWNGRADE"} if version == 0 else {2: "SAFE_DOWNGRADE", 3: "UNSAFE_DOWNGRADE"}
    for kind, name in kinds.items():
        denied = sender("gate", "UpdateFeatures", version, update(version, 0, kind, feature=_SHARE))
        sentence = f'KFK-CHG-009: feature "{_SHARE}" may not be downgraded to level 0 ({name})'
        assert (44, sentence) == (denied["errorCode"], denied["errorMessage"])
    if version:
        direct = sender("direct", "UpdateFeatures", version, update(version, 0, 3, feature=_SHARE, only=True))
        assert 0 == direct["errorCode"]

    assert before == levels()
    assert before[_SHARE] > 0


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("level", "kind"),
    [(0, 1), (-1, 1), (999, 1), (1, 7)],
    ids=["lower, as an upgrade", "below all", "above all", "no kind"],
)
def test_other_updates_get_the_brokers_answer(sender, version, level, kind):
    """Its code and its words, whether the gateway has refused in Kafka's name or the broker has answered."""
    request = update(version, level, kind, feature=_SHARE, only=True)
    through, direct = (sender(way, "UpdateFeatures", version, request) for way in ("gate", "direct"))

    assert 95 == direct["errorCode"]
    assert direct == through


def test_a_downgrade_that_a_site_allows(sender):
    """It is the cluster's settings that say so."""
    request = update(2, 0, 2, feature=_SHARE, only=True)

    assert sender("direct", "UpdateFeatures", 2, request) == sender("second", "UpdateFeatures", 2, request)
    assert 44 == sender("second", "UpdateFeatures", 2, update(2, 0, 3, feature=_SHARE, only=True))["errorCode"]


def test_an_upgrade_goes_on(sender, levels):
    """To the level that is there already, which changes nothing."""
    request = update(2, levels()[_METADATA], 1)

    assert 0 == sender("gate", "UpdateFeatures", 2, request)["errorCode"]


def election(version, kind, topics=None):
    """A request about the first partition of some topics, or about all there are."""
    named = None if topics is None else [{"topic": topic, "partitions": [0]} for topic in topics]
    return {"topicPartitions": named, "timeoutMs": 60_000, **({"electionType": kind} if version else {})}


def results(fields):
    """What a response says of each partition; brokers have no order."""
    return sorted(
        (one["topic"], part["partitionId"], part["errorCode"], part["errorMessage"])
        for one in fields["replicaElectionResults"]
        for part in one["partitionResult"]
    )


@pytest.mark.parametrize("version", [1, 2])
def test_an_unclean_election_is_denied(sender, version):
    """Each partition has the policy's sentence; where all are meant there is no place for one."""
    denied = sender("gate", "ElectLeaders", version, election(version, 1, ["elected.a", "elected.b"]))
    of_all = sender("gate", "ElectLeaders", version, election(version, 1))

    words = 'KFK-DUR-009: an unclean election of topic "{}" may discard records that were acknowledged'
    sentence = "; ".join(words.format(topic) for topic in ("elected.a", "elected.b"))
    assert [(topic, 0, 44, sentence) for topic in ("elected.a", "elected.b")] == results(denied)
    assert (44, []) == (of_all["errorCode"], results(of_all))


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_preferred_election_goes_on(sender, version):
    """What the broker says of topics that are not there is what a client gets that goes past the gateway."""
    for request in (election(version, 0, ["elected.c", "elected.d"]), election(version, 0)):
        through, direct = (sender(way, "ElectLeaders", version, request) for way in ("gate", "direct"))
        assert direct.get("errorCode") == through.get("errorCode")
        assert results(direct) == results(through)


def test_an_unclean_election_that_a_site_allows(sender):
    """It is the cluster's settings that say for which topics."""
    request = election(2, 1, ["losable.a"])
    direct, through = (sender(way, "ElectLeaders", 2, request) for way in ("direct", "second"))

    assert results(direct) == results(through)
    assert {44} == {code for _, _, code, _ in results(sender("second", "ElectLeaders", 2, election(2, 1, ["a.b"])))}


def test_an_election_of_no_kind(sender):
    """It is refused in Kafka's words."""
    request = election(2, 7, ["elected.a"])
    direct, through = (sender(way, "ElectLeaders", 2, request) for way in ("direct", "gate"))

    assert results(direct) == results(through)
    assert ("elected.a", 0, 42, "Unknown election type 7") in results(through)


def test_an_answer_that_cannot_be_given():
    """The first version has no error for all partitions: the connection is closed."""
    core = connection()
    core.receive_from_client(raw_request("ElectLeaders", 0, election(0, 0)))
    with pytest.raises(ProtocolError, match="denied, which its response cannot say"):
        core.apply_decisions({"request": DENIED})
    assert b"" == taken(core)[1]


class Groups:
    """Groups of the broker that have an offset of each of two topics."""

    def __init__(self, connection: Connection, address: str) -> None:
        self._connection, self.address = connection, address
        self._admin = AdminClient({"bootstrap.servers": address})
        self.topics = [f"groups.{new_word()}" for _ in range(2)]
        for future in self._admin.create_topics([NewTopic(topic, 1, 1) for topic in self.topics]).values():
            future.result(PATIENCE)

    def make(self, *names: str) -> None:
        """Commit offset 0 of both topics."""
        for name, topic in product(names, self.topics):
            commit(self._connection, name, topic)

    def offsets(self, name: str) -> dict[str, int]:
        """What a group has committed, by topic."""
        (future,) = self._admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions(name)]).values()
        return {one.topic: one.offset for one in future.result(PATIENCE).topic_partitions}


@pytest.fixture(scope="module")
def groups(broker):
    """What makes groups, and reads their offsets."""
    with connect(broker.bootstrap_servers) as connected:
        yield Groups(connected, broker.bootstrap_servers)


def versions(name):
    """The versions of an API that the gateway carries."""
    low, high = APIS[KEYS[name]].advertised
    return range(low, high + 1)


def both_ways(sender, name, version, request):
    """The broker's answer about groups and the gateway's, once no coordinator has still to load what it knows."""

    def direct() -> Mapping[str, Any] | None:
        answered = sender("direct", name, version, request)
        codes = {one.get("errorCode") for one in (answered, *answered.get("results", ()))}
        return None if codes & {14, 15, 16} else answered

    return eventually(direct, "the coordinators are there"), sender("gate", name, version, request)


def test_the_brokers_versions(sender):
    """The broker has no version of these requests beyond those of the tests."""
    answered = sender("direct", "ApiVersions", 0, b"")
    ranges = {row["apiKey"]: (row["minVersion"], row["maxVersion"]) for row in answered["apiKeys"]}

    first_alone = ("AlterShareGroupOffsets", "DeleteShareGroupOffsets", "UnregisterBroker")
    for name in ("DeleteGroups", "OffsetDelete", *first_alone):
        assert (versions(name).start, versions(name).stop - 1) == ranges[KEYS[name]]
    assert {range(1)} == {versions(name) for name in first_alone}


@pytest.mark.parametrize("version", versions("DeleteGroups"))
def test_a_protected_group_stays(sender, groups, version):
    """The broker deletes the others of the request; the client has each group's answer once, in the request's order."""
    first, kept, last = (f"{name}.v{version}" for name in ("gone.first", "kept", "gone.last"))
    groups.make(first, kept, last)
    answered = sender("gate", "DeleteGroups", version, {"groupsNames": [first, kept, last, kept]})

    sentence = f'KFK-DEL-006: group "{kept}" may not be deleted, "kept.*" protects it' if version > 2 else None
    assert [(first, 0, None), (kept, 44, sentence), (last, 0, None)] == [
        (one["groupId"], one["errorCode"], one.get("errorMessage")) for one in answered["results"]
    ]
    assert [{}, dict.fromkeys(groups.topics, 0), {}] == [groups.offsets(name) for name in (first, kept, last)]


@pytest.mark.parametrize("version", versions("DeleteGroups"))
def test_groups_that_the_broker_keeps(sender, groups, version):
    """Those that are not there, or have no name, or members: in the broker's words, also beside one that is denied."""
    used = f"used.v{version}"
    names = ["none.such", "", used]
    with member(groups.address, groups.topics[0], used):
        direct, through = both_ways(sender, "DeleteGroups", version, {"groupsNames": names})
        beside = sender("gate", "DeleteGroups", version, {"groupsNames": [*names, "kept.x"]})["results"]

    assert direct == through
    assert {"none.such": 69, used: 68, "": 69} == {one["groupId"]: one["errorCode"] for one in direct["results"]}
    assert [*names, "kept.x"] == [one["groupId"] for one in beside]
    assert {one["groupId"]: one for one in direct["results"]} == {one["groupId"]: one for one in beside[:3]}


@pytest.mark.parametrize("version", versions("OffsetDelete"))
def test_a_protected_group_keeps_its_offsets(sender, groups, version):
    """Those of another go; the response has no place for a text."""
    groups.make("kept.offsets", "gone.offsets")
    goes, stays = groups.topics
    topics = [{"name": goes, "partitions": [{"partitionIndex": 0}]}]
    denied, done = (
        sender("gate", "OffsetDelete", version, {"groupId": group, "topics": topics})
        for group in ("kept.offsets", "gone.offsets")
    )

    assert {"errorCode": 44, "throttleTimeMs": 0, "topics": []} == denied
    assert (0, [{"partitionIndex": 0, "errorCode": 0}]) == (done["errorCode"], done["topics"][0]["partitions"])
    assert {goes: 0, stays: 0} == groups.offsets("kept.offsets")
    assert {stays: 0} == groups.offsets("gone.offsets")


@pytest.mark.parametrize("version", versions("OffsetDelete"))
@pytest.mark.parametrize("group", ["none.such", "", "used.offsets"])
def test_offsets_that_the_broker_keeps(sender, groups, version, group):
    """Those of a group that is not there, or of a topic that its members read: the broker's answer."""
    topics = [{"name": topic, "partitions": [{"partitionIndex": 0}]} for topic in (*groups.topics, "no.such.topic")]
    with member(groups.address, groups.topics[0], "used.offsets"):
        direct, through = both_ways(sender, "OffsetDelete", version, {"groupId": group, "topics": topics})

    assert direct == through
    assert direct["errorCode"] or [86] == [
        one["partitions"][0]["errorCode"] for one in direct["topics"] if one["name"] == groups.topics[0]
    ]
