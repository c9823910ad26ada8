"""Replicating a source that a test controls into a real OPA, through a proxy where OPA has to misbehave."""

import json
import os
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from functools import partial

import pytest

from tests.replicate.conditions import attempts_within, eventually
from tests.replicate.fake import FakeSource, replicating, wait
from tests.replicate.proxy import proxy
from warden.errors import OpaError, OpaUndefined
from warden.replicate.guard import Guard
from warden.replicate.http import Probes
from warden.replicate.mirror import checksum
from warden.replicate.source import REMOVED, Change, SourceAway, SourceStale
from warden.replicate.target import Target

pytestmark = pytest.mark.opa


def _topics(count, **configs):
    return {"clusterSize": 1, "topics": {f"t{at}": {"configs": configs} for at in range(count)}}


@contextmanager
def _running(opa, *sources, url=None, **more):
    replicator = replicating(url or opa.url, opa.tokens.replicator, *sources, **more)
    try:
        yield replicator
    finally:
        replicator.stop()
    assert not replicator.alive


def _copy(client, *root):
    try:
        return client.get_data(root)
    except OpaUndefined:
        return {}


def _holds(client, source, expected):
    """Whether OPA's copy is this document, meta apart."""
    copy = _copy(client, *source.root)
    copy.pop("meta", None)
    return copy == expected


def _more_errors(status, than):
    return status.counts["errors", "opa"] > than


def test_a_load_then_changes(opa, client):
    """Swapped in by one write with an honest meta, then patched; on stop the copy is given free."""
    source = FakeSource("fake-changes", _topics(3))
    with _running(opa, source) as replicator:
        eventually(lambda: _holds(client, source, _topics(3)), "the first load")
        first = client.get_data(source.meta)
        source.tell(Change(("topics", "t0"), REMOVED), Change(("topics", "t1", "configs", "a"), "1"))
        expected = {"clusterSize": 1, "topics": {"t1": {"configs": {"a": "1"}}, "t2": {"configs": {}}}}
        eventually(lambda: _holds(client, source, expected), "the changes")
        second = client.get_data(source.meta)
        eventually(lambda: client.get_data(source.meta)["observedAt"] > second["observedAt"], "a sign of life")
        third = client.get_data(source.meta)
        (status,) = replicator.statuses

    assert (2, {"topics": 2}, checksum(expected)) == (second["topics"], second["counts"], second["checksum"])
    assert (checksum(_topics(3)), ("fake", "c")) == (first["checksum"], (first["source"], first["clusterId"]))
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
    with _running(opa, source):
        eventually(lambda: _copy(client, "kubernetes", "clusters") == {"meta": {"a": 1}}, "the first load")
        source.tell(Change(("b",), {"x": 1}))
        eventually(lambda: _copy(client, "kubernetes", "clusters") == {"meta": {"a": 1}, "b": {"x": 1}}, "the change")

    assert {"other": {}} == client.get_data(["kubernetes", "members"])
    assert checksum({"meta": {"a": 1}, "b": {"x": 1}}) == client.get_data(source.meta)["checksum"]
    client.delete_data(["kubernetes"])


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
    with _running(opa, source):
        eventually(lambda: _copy(client, *source.root), "the first load")
        source.tell(*(Change(("topics", key), {key: 0}) for key in keys))
        source.tell(*(Change(("topics", key, key), 1) for key in keys))
        source.tell(Change(("clientConfigs", "alice", "", "acks"), "-1"), Change(("clientConfigs", "alice", "x"), {}))
        expected = {
            "topics": {key: {key: 1} for key in keys},
            "clientConfigs": {"alice": {"": {"acks": "-1"}, "app": {}, "x": {}}},
        }
        eventually(lambda: _holds(client, source, expected), "all keys")
        source.tell(
            *(Change(("topics", key), REMOVED) for key in keys), Change(("clientConfigs", "alice", ""), REMOVED)
        )
        eventually(
            lambda: _holds(client, source, {"topics": {}, "clientConfigs": {"alice": {"app": {}, "x": {}}}}), "none"
        )


def test_opa_is_killed_and_comes_back(opa, client):
    """The copy is whole again, without asking the source anew, and OPA was not asked too often meanwhile."""
    source = FakeSource("fake-killed", _topics(3))
    with proxy(opa.url) as between, _running(opa, source, url=between.url) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: _holds(client, source, _topics(3)), "the first load")
        os.kill(opa.pid, 9)
        eventually(lambda: status.opa_error, "noticing")
        before, begun = between.seen.total(), time.monotonic()
        source.tell(Change(("topics", "new"), {}))
        wait(3)
        asked, passed = between.seen.total() - before, time.monotonic() - begun
        opa.restart()
        expected = {"clusterSize": 1, "topics": {**_topics(3)["topics"], "new": {}}}
        eventually(lambda: _holds(client, source, expected), "the copy after the restart")
        eventually(lambda: status.problem() is None, "being ready")

    # Attempts, and looks whether OPA is back: one a second.
    assert asked <= attempts_within(passed) + passed + 2
    assert (1, 2) == (source.loads, status.counts["writes", "swap"])


def test_opa_loses_its_data_without_being_missed(opa, client):
    """A restart between two writes is noticed by the marker, without any write that failed."""
    source = FakeSource("fake-marker", _topics(3))
    with _running(opa, source, every=1000.0) as replicator:
        eventually(lambda: _holds(client, source, _topics(3)), "the first load")
        client.delete_data(source.root)
        eventually(lambda: _holds(client, source, _topics(3)), "the copy again")
        (status,) = replicator.statuses

    assert (1, 0) == (status.counts["reloads", "marker"], status.counts["errors", "opa"])


def test_opa_answers_with_errors(opa, client):
    """Writes that fail are retried whole, ever more seldom, while reads go on; then everything is there."""
    source = FakeSource("fake-errors", _topics(3))
    with proxy(opa.url) as between, _running(opa, source, url=between.url) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: _holds(client, source, _topics(3)), "the first load")
        between.fault = lambda method, _path: 500 if method in ("PUT", "PATCH") else None
        source.tell(Change(("topics", "new"), {}))
        eventually(lambda: status.opa_error, "noticing")
        before, begun = between.seen["PUT"] + between.seen["PATCH"], time.monotonic()
        wait(4)
        tried, passed = between.seen["PUT"] + between.seen["PATCH"] - before, time.monotonic() - begun
        problem = status.problem()
        between.fault = lambda _method, _path: None
        expected = {"clusterSize": 1, "topics": {**_topics(3)["topics"], "new": {}}}
        eventually(lambda: _holds(client, source, expected), "everything")

    assert 1 <= tried <= attempts_within(passed)
    assert "made up" in (problem or "")
    assert 1 == source.loads


def test_opa_is_slow(opa, client):
    """A write without an answer may have been done: after it all is written, and nothing is doubled or lost."""
    source = FakeSource("fake-slow", {"topics": {}})
    with proxy(opa.url) as between, _running(opa, source, url=between.url, timeout=0.5) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: _holds(client, source, {"topics": {}}), "the first load")
        between.fault = lambda method, _path: 1.0 if method == "PATCH" else None
        for at in range(5):
            source.tell(Change(("topics", f"t{at}"), {}))
            eventually(partial(_more_errors, status, at), "a write that takes too long")
        between.fault = lambda _method, _path: None
        eventually(lambda: _holds(client, source, {"topics": {f"t{at}": {} for at in range(5)}}), "everything")


def test_the_source_goes_away(opa, client):
    """The copy stays, its age grows until the replicator is not ready, the source is asked ever more seldom."""
    source = FakeSource("fake-away", _topics(30))
    with _running(opa, source, max_age=1.0) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: not status.problem(), "being ready")
        source.fault = SourceAway("gone fishing")
        eventually(status.problem, "not being ready")
        before, begun = source.attempts, time.monotonic()
        wait(3)
        tried, passed = source.attempts - before, time.monotonic() - begun
        told, copy = status.problem(), _copy(client, *source.root)
        source.fault = None
        source.become(_topics(31))
        eventually(lambda: _holds(client, source, _topics(31)), "the copy after the return")

    assert 1 <= tried <= attempts_within(passed)
    assert 30 == len(copy["topics"])
    assert "s old, more than 1 s: gone fishing" in (told or "")
    assert 2 == source.loads


def test_a_source_that_lost_its_position_or_fails_oddly(opa, client):
    """Both lead to a whole load; the second is an error."""
    source = FakeSource("fake-stale", _topics(3))
    with _running(opa, source) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: _holds(client, source, _topics(3)), "the first load")
        source.become(_topics(4))
        source.fault = SourceStale("410 Gone")
        eventually(lambda: status.counts["reloads", "stale"], "noticing")
        source.fault = None
        eventually(lambda: _holds(client, source, _topics(4)), "the second load")
        source.become(_topics(5))
        source.fault = ZeroDivisionError()
        eventually(lambda: status.counts["errors", "source"], "noticing")
        source.fault = None
        eventually(lambda: _holds(client, source, _topics(5)), "the third load")


def test_a_change_that_cannot_be_written(opa, client):
    """A defect of a source costs a whole load, not the replication; other sources do not notice."""
    source, other = FakeSource("fake-defect", _topics(3)), FakeSource("fake-other", _topics(1))
    with _running(opa, source, other) as replicator:
        eventually(lambda: _holds(client, source, _topics(3)), "the first load")
        source.become(_topics(4))
        source.tell(Change(("", "nameless"), 1), Change(("topics", "t0"), REMOVED))
        eventually(lambda: _holds(client, source, _topics(4)), "the second load")
        eventually(lambda: _holds(client, other, _topics(1)), "the other source")
        counts = [status.counts["errors", "writer"] for status in replicator.statuses]

    assert ([1, 0], [2, 1]) == (counts, [source.loads, other.loads])


def test_one_source_away_does_not_hold_up_another(opa, client):
    """One process, several sources, each with threads of its own."""
    away, there = FakeSource("fake-absent", _topics(1)), FakeSource("fake-there", _topics(1))
    away.fault = SourceAway("gone fishing")
    with _running(opa, away, there) as replicator:
        eventually(lambda: _holds(client, there, _topics(1)), "the load of the other")
        eventually(lambda: replicator.statuses[0].source_error and replicator.statuses[1].loaded, "both being known")
        problems = [status.problem() for status in replicator.statuses]

    assert ["not loaded yet: gone fishing", None] == problems
    assert {} == _copy(client, *away.root)


def test_a_loss_is_held_back(opa, client):
    """By ticks and loads, with the reason in /ready and a metric, until the time is up; the copy stays meanwhile."""
    source = FakeSource("fake-guarded", _topics(30))
    with _running(opa, source, guard=Guard(confirm_after=3.0)) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: _holds(client, source, _topics(30)), "the first load")
        source.become(_topics(5))
        source.tell(*(Change(("topics", f"t{at}"), REMOVED) for at in range(5, 30)))
        told = eventually(lambda: status.held, "holding back")
        copy = _copy(client, *source.root)
        eventually(lambda: _holds(client, source, _topics(5)), "believing it")
        eventually(lambda: status.problem() is None, "being ready again")

    assert told.startswith("25 of 30 topics would go: believed when each read shows it for 3 s")
    assert (30, 1) == (len(copy["topics"]), status.counts["held", ""])


def test_an_emptied_source_is_never_believed_but_by_an_operator(opa, client):
    """Not by a replicator that is started anew either, which knows only what OPA has; --accept-loss is."""
    with _running(opa, FakeSource("fake-emptied", _topics(30))):
        eventually(lambda: len(_copy(client, "clusters", "fake-emptied").get("topics", {})) == 30, "the first load")
    source = FakeSource("fake-emptied", _topics(0))
    with _running(opa, source, guard=Guard(confirm_after=0.0)) as replicator:
        told = eventually(lambda: replicator.statuses[0].held, "holding back")
        eventually(lambda: source.loads > 3, "several loads")
        copy = _copy(client, "clusters", "fake-emptied")
    with _running(opa, FakeSource("fake-emptied", _topics(0)), accept_loss=["fake-emptied"]):
        eventually(lambda: _copy(client, "clusters", "fake-emptied")["topics"] == {}, "believing the operator")

    assert "30 of 30 topics would go: a loss of everything is believed only after a start with --accept-loss" == told
    assert 30 == len(copy["topics"])


def test_two_replicators(opa, client):
    """One leads, the other looks on, and goes on at once when the first gives the copy free."""
    first, second = FakeSource("fake-two", _topics(3)), FakeSource("fake-two", _topics(3))
    with _running(opa, first, lease=60.0) as leading:
        eventually(lambda: _holds(client, first, _topics(3)), "the first load")
        with _running(opa, second, lease=60.0) as following:
            eventually(lambda: following.statuses[0].leader == leading.identity, "following")
            eventually(lambda: following.statuses[0].problem() is None, "being ready all the same")
            both = [one.statuses[0].counts["writes", "swap"] for one in (leading, following)]
            for source in (first, second):
                source.tell(Change(("topics", "new"), {}))
            eventually(lambda: "new" in _copy(client, *first.root)["topics"], "the change")
            leading.stop()
            eventually(lambda: following.statuses[0].leader is None, "taking over")
            second.tell(Change(("topics", "new"), REMOVED))
            eventually(lambda: _holds(client, second, _topics(3)), "the change by the other")

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
    source = FakeSource("fake-meddled", _topics(3))
    with _running(opa, source, compare=1.0) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: _holds(client, source, _topics(3)), "the first load")
        client.put_data(source.root, {"topics": {}})
        eventually(lambda: _holds(client, source, _topics(3)), "the copy again")
        client.put_data([*source.root, "topics", "foreign"], {})
        eventually(lambda: _holds(client, source, _topics(3)), "the repair")
        client.delete_data([*source.root, "topics", "t1"])
        eventually(lambda: _holds(client, source, _topics(3)), "the second repair")
        eventually(lambda: status.counts["comparisons", ""], "a comparison without a difference")

    assert 2 == status.counts["repairs", ""]


def test_a_comparison_finds_what_changes_did_not_tell(opa, client):
    """The source's whole load is compared with what its changes led to, also in a part of many entries."""
    source = FakeSource("fake-drifted", _topics(2500))
    with _running(opa, source, compare=1.0) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: _holds(client, source, _topics(2500)), "the first load")
        source.become(_topics(2501))
        eventually(lambda: _holds(client, source, _topics(2501)), "what was not told")
        client.put_data([*source.root, "topics", "t7"], {"configs": {"not": "ours"}})
        eventually(lambda: status.counts["repairs", ""], "the repair")
        eventually(lambda: _holds(client, source, _topics(2501)), "the copy again")

    assert 1 == status.counts["drift", ""]


def _ask(port, path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_probes_and_metrics(opa, client):
    """/ready tells why not, then is well; /healthz is well while all threads run; /metrics has the figures."""
    source = FakeSource("fake-probed", _topics(3))
    source.fault = SourceAway("not yet")
    with _running(opa, source, max_age=60.0) as replicator:
        probes = Probes("127.0.0.1", 0, replicator.statuses, lambda: replicator.alive)
        try:
            eventually(lambda: "not yet" in _ask(probes.port, "/ready")[1], "the reason")
            early = _ask(probes.port, "/ready")
            source.fault = None
            eventually(lambda: _ask(probes.port, "/ready")[0] == 200, "being ready")
            ready, metrics = json.loads(_ask(probes.port, "/ready")[1]), _ask(probes.port, "/metrics")[1]
            alive, missing = _ask(probes.port, "/healthz"), _ask(probes.port, "/")
            replicator.stop()
            dead = _ask(probes.port, "/healthz")
        finally:
            probes.stop()

    assert (503, False) == (early[0], json.loads(early[1])["ready"])
    assert (True, {"topics": 3}) == (ready["ready"], ready["sources"]["fake/fake-probed"]["entries"])
    assert [200, 404, 503] == [alive[0], missing[0], dead[0]]
    lines = dict(line.rsplit(" ", 1) for line in metrics.splitlines() if not line.startswith("#"))
    labels = 'kind="fake",source="fake-probed"'
    assert ["1.0", "1.0", "0.0", "3.0"] == [
        lines[f"warden_replicator_{name}{{{of}}}"]
        for name, of in (
            ("ready", labels),
            ("leads", labels),
            ("held_back", labels),
            ("entries", 'kind="fake",part="topics",source="fake-probed"'),
        )
    ]
    assert float(lines[f'warden_replicator_bytes_total{{{labels},write="swap"}}']) > 100
    assert float(lines[f"warden_replicator_age_seconds{{{labels}}}"]) >= 0


def test_no_right_to_write(opa, client):
    """A token that may not write is told in /ready, and asked for seldom."""
    source = FakeSource("fake-refused", _topics(3))
    replicator = replicating(opa.url, opa.tokens.query, source)
    try:
        told = eventually(lambda: replicator.statuses[0].opa_error, "the refusal")
    finally:
        replicator.stop()

    assert "the query token may not GET" in told
    with pytest.raises(OpaError):
        client.get_data(source.root)
