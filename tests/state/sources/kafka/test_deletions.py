"""What was deleted in the last hour, also over restarts."""

import json
from datetime import UTC, datetime

from warden.base.timestamps import format_timestamp
from warden.state.sources.kafka.live.deletions import DeletionCounter


def test_deletions_of_the_last_hour():
    """Not known before an hour was watched; then counted for an hour, by the minute."""
    deletions = DeletionCounter()
    deletions.watch(0)
    deletions.count_deleted(3, 100)
    deletions.count_deleted(2, 3000)

    assert [None, 5, 2, 0] == [deletions.count_last_hour(now) for now in (3599, 3600, 3800, 6700)]


def test_deletions_over_a_restart():
    """What was kept counts on, unless nobody watched for too long."""
    first = DeletionCounter(assume_none=True)
    first.watch(5000)
    first.count_deleted(3, 6000)
    meta = {"deletions": first.dump(), "observedAt": format_timestamp(datetime.fromtimestamp(6100, UTC))}
    second, late, foreign = DeletionCounter(), DeletionCounter(), DeletionCounter()
    resumed = [second.resume(meta, 6200), late.resume(meta, 6500)]
    resumed.append(foreign.resume({"observedAt": format_timestamp(datetime.fromtimestamp(6100, UTC))}, 6200))

    assert [True, False, False] == resumed
    assert [3, 3, None, None] == [one.count_last_hour(6200) for one in (first, second, late, foreign)]


def test_what_another_counted_before_the_last_hour_is_not_missed():
    """It would have a poll due at once, again and again, where the other does not forget it."""
    other, one = DeletionCounter(assume_none=True), DeletionCounter(assume_none=True)
    other.count_deleted(1, 2000, ["old"])
    other.count_deleted(1, 6000, ["new"])

    assert {"new": 100} == one.find_missed_minutes({"deletions": other.dump()}, 6100)
    assert [{}, {}] == [one.find_missed_minutes(meta, 6100) for meta in ({}, {"deletions": {"gone": ["new"]}})]


def test_deletions_of_a_storm_over_a_restart():
    """The ids of the latest thousand are kept; one of before is counted, though it is back."""
    first = DeletionCounter(assume_none=True)
    first.watch(5000)
    first.count_deleted(1200, 6000, [str(at) for at in range(1200)])
    meta = {"deletions": first.dump(), "observedAt": format_timestamp(datetime.fromtimestamp(6100, UTC))}
    second = DeletionCounter()
    second.resume(json.loads(json.dumps(meta)), 6200)
    second.take_back(["1199", "200", "199"])

    assert 1198 == second.count_last_hour(6200)


def test_the_latest_deletions_are_kept_over_two_restarts():
    """OPA gives ids back in the order of their names, whenever they were counted."""
    first = DeletionCounter(assume_none=True)
    first.watch(5000)
    first.count_deleted(1, 6060, ["a"])
    first.count_deleted(600, 6000, [f"b{at}" for at in range(600)])
    meta = {"deletions": first.dump(), "observedAt": format_timestamp(datetime.fromtimestamp(6100, UTC))}
    second = DeletionCounter()
    second.resume(json.loads(json.dumps(meta, sort_keys=True)), 6120)
    second.count_deleted(600, 6120, [f"c{at}" for at in range(600)])

    assert {"a", "c599"} <= second.dump()["gone"].keys()
