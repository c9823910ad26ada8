"""Thousands of creations on three real brokers, of which some lag, while two replicators load again and again."""

import threading
from contextlib import suppress

import pytest
from kafka.protocol.metadata import MetadataRequest

from tests.fixtures.brokers.three_brokers import Brokers
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.state.replicate.clusters import create, delete, replica_of, replicating, write_config
from warden.base.errors import OpaUnreachable
from warden.state.sources.kafka.login.connection import connect

pytestmark = [pytest.mark.cluster, pytest.mark.kafka, pytest.mark.opa]

_BEFORE = [f"before.{at}" for at in range(6)]
_STORM = [f"storm.{at:04}" for at in range(5000)]
_BATCH = 250


def _create_all(bootstrap_servers, problems):
    try:
        with connect(bootstrap_servers, timeout=60) as connection:
            for start in range(0, len(_STORM), _BATCH):
                create(connection, *_STORM[start : start + _BATCH])
    except BaseException as error:
        problems.append(error)
        raise


def _list_topics(connection, nodes):
    request = MetadataRequest(topics=None, allow_auto_topic_creation=False)
    return {topic.name for node in nodes for topic in connection.send(request, node).topics}


def test_a_storm_of_creations_deletes_nothing(opa, client, tmp_path):
    """The count of deletions stays where it was, at every moment and in whichever replicator leads."""
    with Brokers() as brokers:
        config = write_config(tmp_path, opa, brokers, "storm", assumeNoDeletions=True, compare=2, timeout=30, lease=10)
        with replicating(config) as second:
            with connect(brokers.bootstrap_servers, timeout=PATIENCE) as connection, replicating(config) as first:
                replicators = (first, second)
                eventually(lambda: all(one.statuses[0].loaded for one in replicators), "one leading, one looking on")
                create(connection, *_BEFORE)
                eventually(lambda: len(replica_of(client, "storm").get("topics", ())) == 6, "the first topics")
                delete(connection, *_BEFORE)
                eventually(lambda: replica_of(client, "storm").get("deletions") == {"lastHour": 6}, "their deletion")
                # What a broker that lags still has, under the same id, would be counted no more for as long.
                eventually(lambda: not _list_topics(connection, brokers.nodes), "every broker knowing of it")

                problems: list[BaseException] = []
                storm = threading.Thread(target=_create_all, args=(brokers.bootstrap_servers, problems))
                storm.start()
                counts = []
                while storm.is_alive():
                    with suppress(OpaUnreachable):  # on a machine that is busy
                        counts.append(client.get_data(["clusters", "storm", "deletions", "lastHour"]))
                storm.join()
                eventually(lambda: len(replica_of(client, "storm").get("topics", ())) == 5000, "all topics")
                for replicator in replicators:
                    loads = replicator.statuses[0].counts["loads", "compare"]
                    eventually(
                        lambda: replicator.statuses[0].counts["loads", "compare"] > loads + 1,  # noqa: B023 - called at once
                        "two more loads",
                    )
                led = eventually(lambda: replica_of(client, "storm"), "the replica")
            (status,) = second.statuses
            eventually(lambda: status.loaded and status.leader is None, "one taking over from the other")
            taken_over = eventually(lambda: replica_of(client, "storm"), "the replica")
            drift = {replicator.statuses[0].counts["repairs", ""] for replicator in replicators}

    assert [] == problems
    assert ({6}, 6, 6) == (set(counts), led["deletions"]["lastHour"], taken_over["deletions"]["lastHour"])
    assert set(_STORM) == set(led["topics"]) == set(taken_over["topics"])
    assert {0} == drift
