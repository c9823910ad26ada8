"""Which losses are held back, and what confirms one."""

import pytest

from warden.state.replicate.loss_guard import LossGuard
from warden.state.replicate.losses import LossTracker
from warden.state.replicate.replica import Replica
from warden.state.sources.source import REMOVED, Change


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
    losses = LossTracker(LossGuard(confirm_after=60), "topics")
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
    losses, trusting = (LossTracker(LossGuard(confirm_after=60), "topics", accept=accept) for accept in (False, True))
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
    losses, replica = LossTracker(LossGuard(confirm_after=60), "topics"), Replica(_topics(100))
    held = [
        losses.check_load(replica, _topics(count), {}, now)
        for count, now in [(10, 0), (10, 59), (100, 60), (10, 61), (10, 120), (10, 121)]
    ]

    assert [True, True, False, True, True, False] == [one is not None for one in held]


def test_another_cluster_is_never_believed_but_on_an_operators_word():
    """The address may have come to lead elsewhere, where everything looks well."""
    losses = LossTracker(LossGuard(), "topics")
    losses.remember({"topics": 1, "clusterId": "one"})
    trusting = LossTracker(LossGuard(), "topics", accept=True)
    trusting.remember({"topics": 100, "clusterId": "one"})

    assert "another cluster answers (two, it was one)" in (
        losses.check_load(None, _topics(1), {"clusterId": "two"}, 0) or ""
    )
    assert losses.check_load(None, _topics(1), {"clusterId": "one"}, 0) is None
    assert trusting.check_load(None, _topics(0), {"clusterId": "two"}, 0) is None
    assert trusting.check_load(Replica(_topics(100)), _topics(0), {"clusterId": "two"}, 0) is not None
