"""Sources that go away, lose their place, tell what cannot be, or far less than before: made up, as only a test can."""

import time

import pytest

from tests.fixtures.conditions import attempts_within, eventually
from tests.state.replicate.fake import FakeSource, wait
from tests.state.replicate.replicas import holds, replica_at, running, topics
from warden.base.errors import SourceStale, SourceUnreachable
from warden.state.replicate.loss_guard import LossGuard
from warden.state.sources.source import REMOVED, Change

pytestmark = [pytest.mark.opa, pytest.mark.slow]


def test_the_source_goes_away(opa, client):
    """The replica stays, its age grows until the replicator is not ready, the source is read ever more seldom."""
    source = FakeSource("fake-away", topics(30))
    with running(opa, source, max_age=1.0) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: not status.find_problem(), "being ready")
        source.fault = SourceUnreachable("gone fishing")
        eventually(status.find_problem, "not being ready")
        before, begun = source.attempts, time.monotonic()
        wait(3)
        eventually(lambda: source.attempts > before, "another attempt")
        tried, passed = source.attempts - before, time.monotonic() - begun
        problem, replica = status.find_problem(), replica_at(client, *source.root)
        source.become(topics(31))
        source.fault = None
        eventually(lambda: holds(client, source, topics(31)), "the replica after the return")

    assert tried <= attempts_within(passed)
    assert 30 == len(replica["topics"])
    assert "s old, more than 1 s: gone fishing" in (problem or "")
    assert 2 == source.loads


def test_a_source_that_lost_its_position_or_fails_oddly(opa, client):
    """Both lead to a whole load; the second is an error."""
    source = FakeSource("fake-stale", topics(3))
    with running(opa, source) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: holds(client, source, topics(3)), "the first load")
        source.become(topics(4))
        source.fault = SourceStale("410 Gone")
        eventually(lambda: status.counts["reloads", "stale"], "noticing")
        source.fault = None
        eventually(lambda: holds(client, source, topics(4)), "the second load")
        source.become(topics(5))
        source.fault = ZeroDivisionError()
        eventually(lambda: status.counts["errors", "source"], "noticing")
        source.fault = None
        eventually(lambda: holds(client, source, topics(5)), "the third load")


def test_a_change_that_cannot_be_written(opa, client):
    """A defect of a source costs a whole load, not the replication; other sources do not notice."""
    source, other = FakeSource("fake-defect", topics(3)), FakeSource("fake-other", topics(1))
    with running(opa, source, other) as replicator:
        eventually(lambda: holds(client, source, topics(3)), "the first load")
        source.become(topics(4))
        source.tell(Change(("", "nameless"), 1), Change(("topics", "t0"), REMOVED))
        eventually(lambda: holds(client, source, topics(4)), "the second load")
        eventually(lambda: holds(client, other, topics(1)), "the other source")
        counts = [status.counts["errors", "writer"] for status in replicator.statuses]

    assert ([1, 0], [2, 1]) == (counts, [source.loads, other.loads])


def test_one_source_away_does_not_hold_up_another(opa, client):
    """One process, several sources, each with threads of its own."""
    away, there = FakeSource("fake-absent", topics(1)), FakeSource("fake-there", topics(1))
    away.fault = SourceUnreachable("gone fishing")
    with running(opa, away, there) as replicator:
        eventually(lambda: holds(client, there, topics(1)), "the load of the other")
        eventually(lambda: replicator.statuses[0].source_error and replicator.statuses[1].loaded, "both being known")
        problems = [status.find_problem() for status in replicator.statuses]

    assert ["not loaded yet: gone fishing", None] == problems
    assert {} == replica_at(client, *away.root)


def test_a_loss_is_held_back(opa, client):
    """By ticks and loads, with the reason in /readyz and a metric, until the time is up; the replica stays."""
    source = FakeSource("fake-guarded", topics(30))
    with running(opa, source, guard=LossGuard(confirm_after=10.0)) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: holds(client, source, topics(30)), "the first load")
        source.become(topics(5))
        source.tell(*(Change(("topics", f"t{at}"), REMOVED) for at in range(5, 30)))
        held = eventually(lambda: status.held, "holding back")
        replica = replica_at(client, *source.root)
        eventually(lambda: holds(client, source, topics(5)), "believing it")
        eventually(lambda: status.find_problem() is None, "being ready again")

    assert held.startswith("25 of 30 topics would go: believed when each read shows it for 10 s")
    assert (30, 1) == (len(replica["topics"]), status.counts["held", ""])


def test_an_emptied_source_is_never_believed_but_by_an_operator(opa, client):
    """Not by a replicator that is started anew either, which knows only what OPA has; --accept-loss is."""
    with running(opa, FakeSource("fake-emptied", topics(30))):
        eventually(
            lambda: len(replica_at(client, "clusters", "fake-emptied").get("topics", {})) == 30, "the first load"
        )
    source = FakeSource("fake-emptied", topics(0))
    with running(opa, source, guard=LossGuard(confirm_after=0.0)) as replicator:
        held = eventually(lambda: replicator.statuses[0].held, "holding back")
        eventually(lambda: source.loads > 3, "several loads")
        replica = replica_at(client, "clusters", "fake-emptied")
    with running(opa, FakeSource("fake-emptied", topics(0)), accept_loss=["fake-emptied"]):
        eventually(lambda: replica_at(client, "clusters", "fake-emptied")["topics"] == {}, "believing the operator")

    assert "30 of 30 topics would go: a loss of everything is believed only after a start with --accept-loss" == held
    assert 30 == len(replica["topics"])


def test_a_comparison_finds_what_changes_did_not_tell(opa, client):
    """The source's whole load is compared with what its changes led to, also in a part of many entries."""
    source = FakeSource("fake-drifted", topics(2500))
    with running(opa, source, compare=1.0) as replicator:
        (status,) = replicator.statuses
        eventually(lambda: holds(client, source, topics(2500)), "the first load")
        source.become(topics(2501))
        eventually(lambda: holds(client, source, topics(2501)), "what was not reported")
        client.put_data([*source.root, "topics", "t7"], {"configs": {"not": "ours"}})
        eventually(lambda: status.counts["repairs", ""], "the repair")
        eventually(lambda: holds(client, source, topics(2501)), "the replica again")

    assert 1 == status.counts["drift", ""]
