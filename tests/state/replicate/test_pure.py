"""The pure decisions: which losses are held back, who leads, how long to wait, what was deleted in the last hour."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warden.base.process.backoff import Backoff
from warden.base.timestamps import format_timestamp
from warden.state.lease import Lease
from warden.state.replicate.loss_guard import LossGuard
from warden.state.replicate.losses import Losses
from warden.state.replicate.replica import Replica
from warden.state.sources.kafka.live.deletions import Deletions
from warden.state.sources.source import REMOVED, Change

_NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "lost", "since", "held"),
    [
        (100, 50, None, False),
        (100, 51, None, True),
        (19, 19, None, False),
        (20, 20, None, True),
        (20, 11, None, True),
        (20, 10, None, False),
        (100, 51, 401.0, True),
        (100, 51, 400.0, False),
        (100, 100, 0.0, True),
        (0, 0, None, False),
    ],
)
def test_the_guard(before, lost, since, held):
    """More than half of at least 20, until every read shows it for ten minutes; a loss of everything for ever."""
    assert held == LossGuard().holds(before, lost, since, 1000.0)


def _topics(count):
    return {"topics": {f"t{at}": {} for at in range(count)}, "acls": {}}


def test_losses_of_loads_and_ticks():
    """The first load is compared with the count that OPA has; later ones and ticks name by name."""
    losses = Losses(LossGuard(confirm_after=60), "topics")
    losses.remember({"topics": 100, "clusterId": "c"})

    assert "60 of 100 topics would go" in (losses.check_load(None, _topics(40), {"clusterId": "c"}, 0) or "")
    assert losses.check_load(None, _topics(60), {"clusterId": "c"}, 1) is None
    replica = Replica(_topics(60))
    gone = [Change(("topics", f"t{at}"), REMOVED) for at in range(31)]
    assert losses.check_changes(replica, gone[:30], {}, 2) is None
    assert losses.check_changes(replica, [*gone, Change(("topics", "t0"), {})], {}, 3) is None
    assert losses.check_changes(replica, gone, {}, 4) is not None
    assert losses.check_changes(replica, [Change(("topics",), {"t1": {}})], {}, 5) is not None
    assert losses.check_changes(replica, [Change(("acls",), {})], {}, 6) is None


def test_no_wait_confirms_a_loss_that_a_partial_view_shows():
    """Not even a small one where only the count of an earlier run is known; an operator's word does."""
    partial = {"clusterId": "c", "unknown": ["topics"]}
    losses, trusting = (Losses(LossGuard(confirm_after=60), "topics", accept=accept) for accept in (False, True))
    for one in (losses, trusting):
        one.remember({"topics": 100, "clusterId": "c"})
    replica = Replica(_topics(100))
    gone = [Change(("topics", f"t{at}"), REMOVED) for at in range(60)]

    held = [losses.check_load(None, _topics(99), partial, now) for now in (0, 1000)]
    held += [losses.check_load(replica, _topics(40), partial, now) for now in (2000, 3000)]
    held += [losses.check_changes(replica, gone, partial, now) for now in (4000, 5000)]

    assert ["99 of 100" not in (line or "") and "does not see all of them" in (line or "") for line in held] == [
        True
    ] * 6
    assert losses.check_load(None, _topics(100), partial, 6000) is None
    assert losses.check_changes(replica, gone[:3], partial, 7000) is None
    assert trusting.check_load(None, _topics(5), partial, 0) is None


def test_a_loss_is_believed_when_every_read_shows_it_long_enough():
    """The time runs from the first read in a row that shows it; a read that does not begins it anew."""
    losses, replica = Losses(LossGuard(confirm_after=60), "topics"), Replica(_topics(100))
    held = [
        losses.check_load(replica, _topics(count), {}, now)
        for count, now in [(10, 0), (10, 59), (100, 60), (10, 61), (10, 120), (10, 121)]
    ]

    assert [True, True, False, True, True, False] == [one is not None for one in held]


def test_another_cluster_is_never_believed_but_on_an_operators_word():
    """The address may have come to lead elsewhere, where everything looks well."""
    losses = Losses(LossGuard(), "topics")
    losses.remember({"topics": 1, "clusterId": "one"})
    trusting = Losses(LossGuard(), "topics", accept=True)
    trusting.remember({"topics": 100, "clusterId": "one"})

    assert "another cluster answers (two, it was one)" in (
        losses.check_load(None, _topics(1), {"clusterId": "two"}, 0) or ""
    )
    assert losses.check_load(None, _topics(1), {"clusterId": "one"}, 0) is None
    assert trusting.check_load(None, _topics(0), {"clusterId": "two"}, 0) is None
    assert trusting.check_load(Replica(_topics(100)), _topics(0), {"clusterId": "two"}, 0) is not None


@given(base=st.floats(0.05, 2), maximum=st.floats(2, 60), time=st.floats(0, 600))
def test_the_rate_of_attempts_is_bounded(base, maximum, time):
    """However the dice fall, within a time there are no more attempts than promised."""
    backoff, passed, attempts = Backoff(base, maximum, jitter=lambda low, _high: low), 0.0, 0
    while passed <= time:
        attempts += 1
        passed += backoff.next_delay()

    assert attempts <= 1 + 2 * time / base


def test_pauses_double_up_to_a_limit_and_begin_anew():
    """As long as nothing succeeds."""
    backoff = Backoff(0.5, 3, jitter=lambda _low, high: high)

    assert [0.5, 1.0, 2.0, 3.0, 3.0] == [backoff.next_delay() for _ in range(5)]
    backoff.reset()
    assert backoff.next_delay() == 0.5


def _meta(writer, seconds):
    return {
        "writer": {writer: "r"} if writer else {},
        "observedAt": format_timestamp(_NOON + timedelta(seconds=seconds)),
    }


def test_who_follows_takes_over_when_observations_stop():
    """A leader that is seen is followed, until nothing new came for the length of the lease."""
    lease = Lease("me", 10)
    observations = [
        (_meta("you", 0), 0.0),
        (_meta("you", 5), 5.0),
        (_meta("you", 5), 14.9),
        (_meta("you", 5), 15.0),
    ]

    leaders = [
        lease.leader(meta, now, _NOON + timedelta(seconds=now), wall=_NOON + timedelta(seconds=now))
        for meta, now in observations
    ]

    assert ["you", "you", "you", None] == leaders


@pytest.mark.parametrize(
    ("meta", "wall", "leader"),
    [
        (None, 0, None),
        (_meta("me", 0), 0, None),
        (_meta(None, 0), 0, None),
        ({"writer": {"you": "r"}}, 0, None),
        ({"writer": {"you": "r"}, "observedAt": "yesterday"}, 0, None),
        ({"writer": "you", "observedAt": format_timestamp(_NOON)}, 0, None),
        (_meta("you", 0), 10, "you"),
        (_meta("you", 0), 11, None),
        (_meta("you", 3600), 0, "you"),
    ],
)
def test_who_leads_at_first_sight(meta, wall, leader):
    """Nobody is waited for who left long ago, gave the replica free, or never wrote a meta of ours."""
    now = _NOON + timedelta(seconds=wall)

    assert leader == Lease("me", 10).leader(meta, 0.0, now, wall=now)


def test_who_has_seen_nothing_new_takes_nothing_over():
    """Else a replicator that cannot reach the source either would put an older replica in the place of a newer one."""
    lease = Lease("me", 10)
    lease.leader(_meta("you", 0), 0.0, _NOON, wall=_NOON)

    assert lease.leader(_meta("you", 0), 100.0, _NOON, wall=_NOON) == "you"
    assert lease.leader(_meta("you", 0), 100.0, _NOON + timedelta(seconds=1), wall=_NOON) is None


def test_deletions_of_the_last_hour():
    """Not known before an hour was watched; then counted for an hour, by the minute."""
    deletions = Deletions()
    deletions.watch(0)
    deletions.count(3, 100)
    deletions.count(2, 3000)

    assert [None, 5, 2, 0] == [deletions.last_hour(now) for now in (3599, 3600, 3800, 6700)]


def test_deletions_over_a_restart():
    """What was kept counts on, unless nobody watched for too long."""
    first = Deletions(assume_none=True)
    first.watch(5000)
    first.count(3, 6000)
    meta = {"deletions": first.dump(), "observedAt": format_timestamp(datetime.fromtimestamp(6100, UTC))}
    second, late, foreign = Deletions(), Deletions(), Deletions()
    resumed = [second.resume(meta, 6200), late.resume(meta, 6500)]
    resumed.append(foreign.resume({"observedAt": format_timestamp(datetime.fromtimestamp(6100, UTC))}, 6200))

    assert [True, False, False] == resumed
    assert [3, 3, None, None] == [one.last_hour(6200) for one in (first, second, late, foreign)]


def test_what_another_counted_before_the_last_hour_is_not_missed():
    """It would have a poll due at once, again and again, where the other does not forget it."""
    other, one = Deletions(assume_none=True), Deletions(assume_none=True)
    other.count(1, 2000, ["old"])
    other.count(1, 6000, ["new"])

    assert {"new": 100} == one.list_missed({"deletions": other.dump()}, 6100)
    assert [{}, {}] == [one.list_missed(meta, 6100) for meta in ({}, {"deletions": {"gone": ["new"]}})]


def test_deletions_of_a_storm_over_a_restart():
    """The ids of the latest thousand are kept; one of before is counted, though it is back."""
    first = Deletions(assume_none=True)
    first.watch(5000)
    first.count(1200, 6000, [str(at) for at in range(1200)])
    meta = {"deletions": first.dump(), "observedAt": format_timestamp(datetime.fromtimestamp(6100, UTC))}
    second = Deletions()
    second.resume(json.loads(json.dumps(meta)), 6200)
    second.take_back(["1199", "200", "199"])

    assert 1198 == second.last_hour(6200)


def test_the_latest_deletions_are_kept_over_two_restarts():
    """OPA gives ids back in the order of their names, whenever they were counted."""
    first = Deletions(assume_none=True)
    first.watch(5000)
    first.count(1, 6060, ["a"])
    first.count(600, 6000, [f"b{at}" for at in range(600)])
    meta = {"deletions": first.dump(), "observedAt": format_timestamp(datetime.fromtimestamp(6100, UTC))}
    second = Deletions()
    second.resume(json.loads(json.dumps(meta, sort_keys=True)), 6120)
    second.count(600, 6120, [f"c{at}" for at in range(600)])

    assert {"a", "c599"} <= second.dump()["gone"].keys()
