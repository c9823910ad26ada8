"""A principal that lacks a right, from the start or from some moment on: what it cannot know is absent, and said so."""

import json

import pytest

from tests.fixtures.brokers.rights import ALL, LOGIN, Right, grant, granted, revoke
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.state.replicate.clusters import create, delete, replica_of, replicating, same, write_config
from warden.enforce.client_configs.open_store import open_store
from warden.enforce.client_configs.store import StoredEntity
from warden.state.sources.kafka.live.polling import LiveCluster
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.read.collect import collect

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.slow]

_OF_TOPICS = {"consumers", "deletions", "groups", "namesByMetric", "topics", "totals"}
_COUNTED = ("deletions", "namesByMetric", "topics", "totals")
_SEEN = (Right("DESCRIBE", "topic", "rights.", prefix=True), Right("DESCRIBE_CONFIGS", "topic"))

# What is missing or denied: rights taken away, rights given in their place, parts that are not known then, and fields
# that the topics lack.
_CASES = {
    "nothing": ((), (), set(), set()),
    "topics": ((ALL[0],), _SEEN, _OF_TOPICS, set()),
    "a topic": ((), (Right("DESCRIBE", "topic", "rights.hidden", deny=True),), _OF_TOPICS, set()),
    "a topic that is not there": ((), (Right("DESCRIBE", "topic", "rights.none", deny=True),), _OF_TOPICS, set()),
    "a prefix": ((), (Right("DESCRIBE", "topic", "rights.h", prefix=True, deny=True),), _OF_TOPICS, set()),
    "configs of topics": ((ALL[1],), (), set(), {"configs"}),
    "groups": ((ALL[2],), (), {"consumers", "groups"}, set()),
    "the cluster": ((ALL[3],), (), {"acls", "users", *_OF_TOPICS}, {"reassigning"}),
    "configs of the cluster": (
        (ALL[4],),
        (),
        {"brokers", "defaults", "quotas", "resourceConfigs", "users"},
        set(),
    ),
}


@pytest.fixture(scope="module", autouse=True)
def _topics(broker):
    """The user, topics, one of which most cases hide, and a group."""
    user = ["--entity-type", "users", "--entity-name", "nobody", "--add-config", "SCRAM-SHA-256=[password=x]"]
    run_tool(broker, "kafka.admin.ConfigCommand", "--alter", *user)
    with connect(broker.bootstrap_servers, timeout=PATIENCE) as connection:
        create(connection, "rights.seen", "rights.hidden", retention_ms="7")
        eventually(lambda: _commit(connection), "a committed offset")
        yield
        delete(connection, "rights.seen", "rights.hidden")


def _commit(connection):
    from kafka.errors import RetriableError
    from kafka.structs import OffsetAndMetadata, TopicPartition

    try:
        done = connection.admin.alter_group_offsets("rights", {TopicPartition("rights.seen", 0): OffsetAndMetadata(0)})
    except RetriableError:
        return False
    return not any(error.errno for error in done.values())


def _rights(case):
    taken, given, _, _ = _CASES[case]
    return [right for right in (*ALL, *given) if right not in taken]


def _live(broker):
    with connect(broker.sasl_bootstrap_servers, security=LOGIN, timeout=PATIENCE) as own:
        live = LiveCluster(own, 1000)
        live.poll(activity=True)
        return {**live.parts, "topics": live.all_topics}, set(live.unknown_parts)


@pytest.mark.parametrize("case", _CASES)
def test_a_right_is_missing_from_the_start(broker, connection, case):
    """As a snapshot and as the replicator read: unknown parts are named, and but for what is seen they are absent."""
    _, _, unknown, fields = _CASES[case]
    with granted(connection, _rights(case)):
        eventually(lambda: _live(broker)[1] == unknown, "the rights to be everywhere")
        state, (live, _) = collect(broker.sasl_bootstrap_servers, security=LOGIN), _live(broker)
    whole = collect(broker.bootstrap_servers)

    assert unknown == set(state["meta"].get("unknown", ()))
    partly = {"brokers", "topics"}
    assert set() == (unknown - partly) & set(state)
    assert {"topics", "brokers"} <= set(state)
    assert set() == (unknown - partly - _OF_TOPICS) & set(live)
    topic = {key: value for key, value in whole["topics"]["rights.seen"].items() if key not in fields}
    assert topic == state["topics"]["rights.seen"]
    assert topic == {key: value for key, value in live["topics"]["rights.seen"].items() if key != "topicId"}
    if "brokers" in unknown:  # what groups and topics tell is there nevertheless
        del whole["catalog"]["configs"]["broker"], whole["catalog"]["configs"]["clientMetrics"]
    known = set(whole) - unknown - {"meta", "topics", "acls"}
    if not fields:
        assert {part: whole[part] for part in known} == {part: state.get(part) for part in known}
    if "brokers" in unknown:
        assert all("configs" not in one for one in (*state["brokers"].values(), *live["brokers"].values()))


def test_it_is_stated_that_all_topics_are_seen(broker, connection):
    """Believed where the ACLs cannot be read, unless a name that nobody has thought of is hidden."""
    known = []
    for taken in (ALL[3:4], (ALL[0], ALL[3])):
        with granted(connection, [right for right in (*ALL, *_SEEN) if right not in taken]):
            eventually(lambda: "acls" in _live(broker)[1], "the rights to be everywhere")
            states = [collect(broker.sasl_bootstrap_servers, security=LOGIN, stated=stated) for stated in (True, False)]
        known.append(["totals" in state for state in states])

    assert [[True, False], [False, False]] == known


def _config(tmp_path, opa, broker, name, **more):
    (tmp_path / "jaas").write_text(LOGIN["sasl.jaas.config"])
    properties = {**LOGIN, "sasl.jaas.config": {"file": "jaas"}}
    more = {"bootstrapServers": broker.sasl_bootstrap_servers, "properties": properties, **more}
    return write_config(tmp_path, opa, broker, name, assumeNoDeletions=True, **more)


def _create(client, name):
    request = {"topic": "rights.new.one", "numPartitions": 3, "replicationFactor": 3}
    return client.decide({"operation": "CreateTopic", "cluster": name, "request": request})


@pytest.mark.parametrize(
    "case", ["configs of topics", "groups", "the cluster", "configs of the cluster", "a topic that is not there"]
)
def test_a_right_is_revoked_in_mid_run(broker, opa, client, connection, tmp_path, case):
    """What is not known any more goes from the replica, and comes back with the right."""
    taken, given, unknown, fields = _CASES[case]
    name = f"revoked-{case.replace(' ', '-')}"
    with granted(connection, ALL), replicating(_config(tmp_path, opa, broker, name)):
        eventually(lambda: same(client, broker, name), "the whole replica")
        grant(connection, *given)
        revoke(connection, *taken)
        eventually(lambda: set(replica_of(client, name)["meta"].get("unknown", ())) == unknown, "the parts being named")
        eventually(
            lambda: (
                not (unknown - {"brokers", "topics"}) & set(replica := replica_of(client, name))
                and not any(fields & set(topic) for topic in replica["topics"].values())
                and not ("brokers" in unknown and any("configs" in one for one in replica["brokers"].values()))
            ),
            "the parts being absent",
        )
        grant(connection, *taken)
        revoke(connection, *given)
        eventually(lambda: same(client, broker, name), "the whole replica again")


@pytest.mark.parametrize("case", ["topics", "a topic", "a prefix"])
def test_topics_are_hidden_in_mid_run(broker, opa, client, connection, tmp_path, case):
    """That is no deletion, however long it lasts: the topics stay and the status says why, until the right is back.

    A look that began before the right went may still be written after it: its time, and ACLs as they are by then.
    """
    taken, given, _, _ = _CASES[case]
    name = f"hidden-{case.replace(' ', '-')}"
    guard = {"share": 0.0, "atLeast": 1, "confirmAfter": 0}
    with granted(connection, ALL), replicating(_config(tmp_path, opa, broker, name, guard=guard)) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: same(client, broker, name), "the whole replica")
        before = replica_of(client, name)
        grant(connection, *given)
        if taken:
            revoke(connection, *taken)
        eventually(lambda: "hidden from this principal now" in (status.source_error or ""), "noticing")
        loads = status.counts["errors", "source"]
        eventually(lambda: status.counts["errors", "source"] >= loads + 2, "further loads")
        during = replica_of(client, name)
        if taken:
            grant(connection, *taken)
        revoke(connection, *[right for right in given if right not in ALL])
        eventually(lambda: same(client, broker, name), "the whole replica again")
        after = replica_of(client, name)

    assert {part: before[part] for part in _COUNTED} == {part: during.get(part) for part in _COUNTED}
    assert {"lastHour": 0} == before["deletions"] == after["deletions"]


def test_the_right_to_read_client_configs_is_revoked(broker, opa, client, connection, tmp_path):
    """What is stored goes from the replica with the next change, decisions name it, and it comes back with the right.

    Features and the times of latest writes take no right of their own: every client may see the first, and who may
    describe a topic the second.
    """
    name, topic = "revoked-client-configs", "rights-client-configs"
    right = Right("READ", "topic", topic)
    stored = lambda: replica_of(client, name).get("clientConfigs")  # noqa: E731 - one line of it
    request = {"entity": {"user": "alice", "clientId": None}, "ops": [{"key": "acks", "value": "all"}]}
    principal = {"principal": {"type": "User", "name": "nobody", "host": "127.0.0.1"}}
    document = {"operation": "AlterClientConfigs", "cluster": name, "request": request, **principal}
    store = open_store(f"topic:{topic}", connection, {})
    try:
        store.write({("alice", ""): StoredEntity({"acks": "1"}, 0)})
        config = _config(tmp_path, opa, broker, name, clientConfigs=topic)
        may_alter = Right("ALTER_CONFIGS", "cluster", "kafka-cluster")
        with granted(connection, (*ALL, right, may_alter)), replicating(config):
            eventually(lambda: stored() == {"alice": {"": {"acks": "1"}}}, "the stored configs")
            known = client.decide(document)
            revoke(connection, right)
            store.write({("bob", ""): StoredEntity({"acks": "0"}, 0)})
            eventually(lambda: "clientConfigs" not in replica_of(client, name), "the part being absent")
            lacking, said = client.decide(document), json.dumps(replica_of(client, name)["meta"]["missing"])
            grant(connection, right)
            whole = {"alice": {"": {"acks": "1"}}, "bob": {"": {"acks": "0"}}}
            eventually(lambda: stored() == whole, "the stored configs again")
    finally:
        store.close()
        delete(connection, topic)

    assert known["allowed"], known
    assert "clientConfigs" in said
    assert not lacking["allowed"]
    assert "clientConfigs" in json.dumps(lacking["errors"])


def test_a_partial_view_is_replicated_as_one(broker, opa, client, connection, tmp_path):
    """Decisions that need what is not there are denied by name; topics that are deleted go; a restart loses nothing."""
    create(connection, "rights.brief")
    partial = [*_SEEN, *ALL[3:]]
    config = _config(tmp_path, opa, broker, "partial")
    with granted(connection, partial), replicating(config) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: set(replica_of(client, "partial").get("topics", ())) >= {"rights.brief"}, "the replica")
        replica, decision = replica_of(client, "partial"), _create(client, "partial")
        delete(connection, "rights.brief")
        eventually(lambda: "rights.brief" not in replica_of(client, "partial")["topics"], "the deletion")
        problem = status.source_error
    with granted(connection, [Right("DESCRIBE", "topic", "rights.seen")]), replicating(config) as replicator:
        (status,) = replicator.statuses
        held = eventually(lambda: status.held, "holding back what a restart cannot know")
        kept = replica_of(client, "partial")["topics"]

    assert {"rights.seen", "rights.hidden", "rights.brief"} == set(replica["topics"])
    assert sorted(_OF_TOPICS) == replica["meta"]["unknown"]
    assert set() == (_OF_TOPICS - {"topics"}) & set(replica)
    assert not decision["allowed"]
    assert any(
        line.startswith("unknown: the source of cluster 'partial' may not see all of ") for line in decision["errors"]
    )
    assert "topics" in json.dumps(decision["errors"])
    assert problem is None
    assert "does not see all of them" in held
    assert {"rights.seen", "rights.hidden"} == set(kept)
