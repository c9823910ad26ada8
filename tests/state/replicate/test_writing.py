"""Replicating a source that a test controls into a real OPA, through a proxy where OPA has to misbehave."""

import os
import time
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from tests.fixtures.conditions import attempts_within, eventually
from tests.state.replicate.fake import FakeSource, replicating, wait
from tests.state.replicate.proxy import proxy
from tests.state.replicate.replicas import holds, replica_at, running, topics
from warden.base.errors import OpaError, OpaUndefined
from warden.state.replicate.replica import Replica
from warden.state.replicate.target import Target
from warden.state.sources.source import REMOVED, Change

pytestmark = pytest.mark.opa


def _more_errors(status, than):
    return status.counts["errors", "opa"] > than


def test_a_load_then_changes(opa, client):
    """Swapped in by one write with an honest meta, then patched; on stop the replica is given free."""
    source = FakeSource("fake-changes", topics(3))
    with running(opa, source) as replicator:
        eventually(lambda: holds(client, source, topics(3)), "the first load")
        first = client.get_data(source.meta)
        source.tell(Change(("topics", "t0"), REMOVED), Change(("topics", "t1", "configs", "a"), "1"))
        expected = {"clusterSize": 1, "topics": {"t1": {"configs": {"a": "1"}}, "t2": {"configs": {}}}}
        eventually(lambda: holds(client, source, expected), "the changes")
        second = client.get_data(source.meta)
        eventually(lambda: client.get_data(source.meta)["observedAt"] > second["observedAt"], "a sign of life")
        third = client.get_data(source.meta)
        (status,) = replicator.statuses

    assert (2, {"topics": 2}, Replica(expected).checksum) == (second["topics"], second["counts"], second["checksum"])
    assert (Replica(topics(3)).checksum, ("fake", "c")) == (first["checksum"], (first["source"], first["clusterId"]))
    assert first["revision"] != second["revision"] == third["revision"]
    assert {replicator.identity: second["revision"]} == second["writer"]
    assert {} == client.get_data(source.meta)["writer"]
    assert (1, 2) == (status.counts["writes", "swap"], status.counts["operations", ""])


def test_a_meta_beside_the_root(opa, client):
    """Where keys are anybody's to choose, the meta stands elsewhere, and what others have there stays."""
    client.put_data(["kubernetes", "members"], {"other": {}})
    source = FakeSource(
        "beside", {"meta": {"a": 1}}, root=("kubernetes", "clusters"), meta=("kubernetes", "meta", "clusters")
    )
    source.entries = None
    with running(opa, source):
        eventually(lambda: replica_at(client, "kubernetes", "clusters") == {"meta": {"a": 1}}, "the first load")
        source.tell(Change(("b",), {"x": 1}))
        eventually(
            lambda: replica_at(client, "kubernetes", "clusters") == {"meta": {"a": 1}, "b": {"x": 1}}, "the change"
        )

    assert {"other": {}} == client.get_data(["kubernetes", "members"])
    assert Replica({"meta": {"a": 1}, "b": {"x": 1}}).checksum == client.get_data(source.meta)["checksum"]
    client.patch_data(["kubernetes"], [{"op": "remove", "path": "/members"}, {"op": "remove", "path": "/clusters"}])


def test_keys_of_every_kind(opa, client):
    """What OPA's patches read in a special way, and the empty key that they cannot name."""
    keys = [
        "a/b",
        "a~b",
        "~1",
        "50%",
        "%2F",
        " ",
        "é",
        "..",
        ".",
        "-",
        "0",
        "a+b",
        "?x#",
        '"q"',
        "nul\x00l",
        "user=a,client-id=<default>",
    ]
    source = FakeSource("fake-keys", {"topics": {}, "clientConfigs": {"alice": {"": {"acks": "0"}, "app": {}}}})
    with running(opa, source):
        eventually(lambda: replica_at(client, *source.root), "the first load")
        source.tell(*(Change(("topics", key), {key: 0}) for key in keys))
        source.tell(*(Change(("topics", key, key), 1) for key in keys))
        source.tell(Change(("clientConfigs", "alice", "", "acks"), "-1"), Change(("clientConfigs", "alice", "x"), {}))
        expected = {
            "topics": {key: {key: 1} for key in keys},
            "clientConfigs": {"alice": {"": {"acks": "-1"}, "app": {}, "x": {}}},
        }
        eventually(lambda: holds(client, source, expected), "all keys")
        source.tell(
            *(Change(("topics", key), REMOVED) for key in keys), Change(("clientConfigs", "alice", ""), REMOVED)
        )
        eventually(
            lambda: holds(client, source, {"topics": {}, "clientConfigs": {"alice": {"app": {}, "x": {}}}}), "none"
        )


def test_opa_is_killed_and_comes_back(opa, client):
    """The replica is whole again, without reading the source anew, and OPA was not called too often meanwhile."""
    source = FakeSource("fake-killed", topics(3))
    with proxy(opa.url) as between, running(opa, source, url=between.url) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: holds(client, source, topics(3)), "the first load")
        os.kill(opa.pid, 9)
        eventually(lambda: status.opa_error, "noticing")
        before, begun = between.seen.total(), time.monotonic()
        source.tell(Change(("topics", "new"), {}))
        wait(3)
        attempts, passed = between.seen.total() - before, time.monotonic() - begun
        opa.restart()
        expected = {"clusterSize": 1, "topics": {**topics(3)["topics"], "new": {}}}
        eventually(lambda: holds(client, source, expected), "the replica after the restart")
        eventually(lambda: status.find_problem() is None, "being ready")

    # Attempts, and looks whether OPA is back: one a second.
    assert attempts <= attempts_within(passed) + passed + 2
    assert (1, 2) == (source.loads, status.counts["writes", "swap"])


def test_opa_loses_its_data_without_being_missed(opa, client):
    """A restart between two writes is noticed by the marker, without any write that failed."""
    source = FakeSource("fake-marker", topics(3))
    with running(opa, source, interval=1000.0) as replicator:
        eventually(lambda: holds(client, source, topics(3)), "the first load")
        client.patch_data(source.root[:-1], [{"op": "remove", "path": f"/{source.root[-1]}"}])
        eventually(lambda: holds(client, source, topics(3)), "the replica again")
        (status,) = replicator.statuses

    assert (1, 0) == (status.counts["reloads", "marker"], status.counts["errors", "opa"])


def test_opa_answers_with_errors(opa, client):
    """Writes that fail are retried whole, ever more seldom, while reads go on; then everything is there."""
    source = FakeSource("fake-errors", topics(3))
    with proxy(opa.url) as between, running(opa, source, url=between.url) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: holds(client, source, topics(3)), "the first load")
        between.fault = lambda method, _path: 500 if method in ("PUT", "PATCH") else None
        source.tell(Change(("topics", "new"), {}))
        eventually(lambda: status.opa_error, "noticing")
        before, begun = between.seen["PUT"] + between.seen["PATCH"], time.monotonic()
        wait(4)
        eventually(lambda: between.seen["PUT"] + between.seen["PATCH"] > before, "another attempt")
        tried, passed = between.seen["PUT"] + between.seen["PATCH"] - before, time.monotonic() - begun
        problem = status.find_problem()
        between.fault = lambda _method, _path: None
        expected = {"clusterSize": 1, "topics": {**topics(3)["topics"], "new": {}}}
        eventually(lambda: holds(client, source, expected), "everything")

    assert tried <= attempts_within(passed)
    assert "made up" in (problem or "")
    assert 1 == source.loads


def test_opa_is_slow(opa, client):
    """A write without an answer may have been done: after it all is written, and nothing is doubled or lost."""
    source = FakeSource("fake-slow", {"topics": {}})
    with proxy(opa.url) as between, running(opa, source, url=between.url, timeout=0.5) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: holds(client, source, {"topics": {}}), "the first load")
        between.fault = lambda method, _path: 1.0 if method == "PATCH" else None
        for at in range(5):
            source.tell(Change(("topics", f"t{at}"), {}))
            eventually(partial(_more_errors, status, at), "a write that takes too long")
        between.fault = lambda _method, _path: None
        eventually(lambda: holds(client, source, {"topics": {f"t{at}": {} for at in range(5)}}), "everything")


def test_two_replicators(opa, client):
    """One leads, the other looks on, and goes on at once when the first gives the replica free."""
    first, second = FakeSource("fake-two", topics(3)), FakeSource("fake-two", topics(3))
    with running(opa, first, lease=60.0) as leading:
        eventually(lambda: holds(client, first, topics(3)), "the first load")
        with running(opa, second, lease=60.0) as following:
            eventually(lambda: following.statuses[0].leader == leading.identity, "following")
            eventually(lambda: following.statuses[0].find_problem() is None, "being ready all the same")
            both = [one.statuses[0].counts["writes", "swap"] for one in (leading, following)]
            for source in (first, second):
                source.tell(Change(("topics", "new"), {}))
            eventually(lambda: "new" in replica_at(client, *first.root)["topics"], "the change")
            leading.stop()
            eventually(lambda: following.statuses[0].leader is None, "taking over")
            second.tell(Change(("topics", "new"), REMOVED))
            eventually(lambda: holds(client, second, topics(3)), "the change by the other")

    assert [1, 0] == both


def test_two_writers_at_once_do_no_harm(opa, client):
    """Whoever swapped in later goes on; a patch of the earlier one changes nothing, and it then looks on."""
    root, meta = ("clusters", "fenced"), {"revision": "1", "observedAt": "2026-11-21T10:00:00Z"}
    one, two = (Target(client, root, (*root, "meta"), name) for name in ("one", "two"))
    one.swap({"topics": {}}, meta)
    two.swap({"topics": {"b": {}}}, meta)

    with pytest.raises(OpaUndefined):
        one.patch([{"op": "add", "path": "/topics/a", "value": {}}], {**meta, "revision": "2"})
    two.patch([{"op": "add", "path": "/topics/c", "value": {}}], {**meta, "revision": "3"})

    assert {"b": {}, "c": {}} == client.get_data([*root, "topics"])
    assert {"two": "3"} == client.get_data([*root, "meta", "writer"])
    assert (False, True) == (one.owns(client.get_data([*root, "meta"])), two.owns(client.get_data([*root, "meta"])))


def test_somebody_else_writes(opa, client):
    """Over all of it: noticed by the marker. Into a part of it: by the next comparison. Both are repaired."""
    source = FakeSource("fake-meddled", topics(3))
    with running(opa, source, compare=1.0) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: holds(client, source, topics(3)), "the first load")
        client.put_data(source.root, {"topics": {}})
        eventually(lambda: holds(client, source, topics(3)), "the replica again")
        client.put_data([*source.root, "topics", "foreign"], {})
        eventually(lambda: holds(client, source, topics(3)), "the repair")
        client.patch_data([*source.root, "topics"], [{"op": "remove", "path": "/t1"}])
        eventually(lambda: holds(client, source, topics(3)), "the second repair")
        eventually(lambda: status.counts["comparisons", ""], "a comparison without a difference")

    assert 2 == status.counts["repairs", ""]


def test_no_right_to_write(opa, client):
    """A token that may not write is reported in /readyz, and requested seldom."""
    source = FakeSource("fake-refused", topics(3))
    replicator = replicating(opa.url, opa.tokens.query, source)
    try:
        refusal = eventually(lambda: replicator.statuses[0].opa_error, "the refusal")
    finally:
        replicator.stop()

    assert "the query token may not GET" in refusal
    with pytest.raises(OpaError):
        client.get_data(source.root)


def test_an_older_bundle(opa, client, tmp_path):
    """A replicator that has seen a later bundle is not ready, goes on writing, and is ready once that is undone."""
    (tmp_path / "revision").write_text("7")
    source = FakeSource("fake-older", topics(3))
    with running(opa, source, revision_file=tmp_path / "revision") as replicator:
        (status,) = replicator.statuses
        eventually(lambda: holds(client, source, topics(3)), "the load")
        eventually(lambda: "older than number 7" in (status.find_problem() or ""), "not being ready")
        (tmp_path / "revision").write_text("0")
        eventually(lambda: status.find_problem() is None, "being ready again")


class _Ahead(FakeSource):
    """A source whose first load was read by a clock that was an hour ahead."""

    def load(self):
        document = super().load()
        self.observed = datetime.now(UTC) + timedelta(hours=1)
        return document


def test_a_clock_that_was_set_back(opa, client):
    """The replica's time goes back with it, and nothing is ready before: a state of the future is as doubtful."""
    source = _Ahead("fake-ahead", topics(1))
    with running(opa, source) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: holds(client, source, topics(1)), "the load")
        eventually(lambda: client.get_data(source.meta)["observedAt"] < _now(60), "a sign of life")
        eventually(lambda: status.find_problem() is None, "being ready")
        status.observed = datetime.now(UTC) + timedelta(hours=1)
        problem = status.find_problem(status.observed - timedelta(seconds=61))
        near = status.find_problem(status.observed - timedelta(seconds=59))

    assert "the state in OPA was observed 61.0 s after this machine's time of day: correct the clocks" == problem
    assert near is None


def _now(ahead):
    return (datetime.now(UTC) + timedelta(seconds=ahead)).isoformat()
