"""State of some topics, read by a principal that lacks a right: what it cannot know is absent, and named."""

import pytest

from tests.fixtures.brokers.rights import ALL, LOGIN, Right, granted
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from tests.state.replicate.clusters import create, delete
from warden.base.errors import KafkaError
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.read.request_state import collect_topics_state

pytestmark = pytest.mark.kafka

_OF_TOPICS = {"namesByMetric", "totals"}
_SEEN = (Right("DESCRIBE", "topic", "partial.", prefix=True), Right("DESCRIBE_CONFIGS", "topic"))
# What is missing or denied: rights taken away, rights given in their place, and what is not known then.
_CASES = {
    "nothing": ((), (), set()),
    "topics": ((ALL[0],), _SEEN, _OF_TOPICS),
    "the topic": ((), (Right("DESCRIBE", "topic", "partial.seen", deny=True),), {"topics", *_OF_TOPICS}),
    "another topic": ((), (Right("DESCRIBE", "topic", "partial.other", deny=True),), _OF_TOPICS),
    "the cluster": ((ALL[3],), (), _OF_TOPICS),
    "configs of the cluster": ((ALL[4],), (), {"brokers", "defaults"}),
}


@pytest.fixture(scope="module")
def reader(broker):
    """A connection of the user whose rights are taken away."""
    user = ["--entity-type", "users", "--entity-name", "nobody", "--add-config", "SCRAM-SHA-256=[password=x]"]
    run_tool(broker, "kafka.admin.ConfigCommand", "--alter", *user)
    with connect(broker.sasl_bootstrap_servers, security=LOGIN, timeout=30) as own:
        yield own


@pytest.fixture(autouse=True)
def _topics(connection):
    create(connection, "partial.seen", "partial.other", retention_ms="7")
    yield
    delete(connection, "partial.seen", "partial.other")


def _state(reader):
    """The state of one topic; nothing where the cluster does not tell it, as while rights are not everywhere yet."""
    try:
        return collect_topics_state(reader, ["partial.seen", "partial.none"])
    except KafkaError:
        return {}


def _tells(state):
    return set(state["meta"].get("unknown", ())), set(state["topics"])


@pytest.mark.parametrize("case", _CASES)
def test_a_right_is_missing(reader, connection, case):
    """Nothing that is partial is shown as whole, and to look makes no topic."""
    taken, given, unknown = _CASES[case]
    seen = set() if "topics" in unknown else {"partial.seen"}
    with granted(connection, [right for right in (*ALL, *given) if right not in taken]):
        state = eventually(
            lambda: (found := _state(reader)) and _tells(found) == (unknown, seen) and found,
            "the rights to be everywhere",
        )
    whole = collect_topics_state(connection, ["partial.seen"])
    names = connection.admin.list_topics()

    absent = unknown - {"brokers", "topics"}
    assert set() == absent & set(state)
    fields = whole["topics"]["partial.seen"].keys() - ({"reassigning"} if case == "the cluster" else set())
    assert {name: {field: whole["topics"][name][field] for field in fields} for name in seen} == state["topics"]
    known = {"clusterSize", "defaults", "namesByMetric", "totals"} - absent
    assert {part: whole[part] for part in known} == {part: state[part] for part in known}
    assert ("brokers" in unknown) == any("configs" not in one for one in state["brokers"].values())
    assert set() == {name for name in names if name.startswith("partial.")} - {"partial.seen", "partial.other"}
    assert [] == [name for name in names if len(name) == 32]


def test_a_topics_configs_are_refused(reader, connection):
    """Nothing can be decided about it."""
    with granted(connection, [right for right in ALL if right != ALL[1]]):
        eventually(lambda: not _state(reader), "the right to be gone")
        with pytest.raises(KafkaError, match="check the right to describe topics"):
            collect_topics_state(reader, ["partial.seen"])
