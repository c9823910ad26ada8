"""How many objects are patched in a second and in an hour."""

import pytest

from warden.enforce.remediate.bucket import TokenBucket
from warden.enforce.remediate.config import Stop
from warden.enforce.remediate.hourly_limit import HourlyLimit


def test_token_bucket():
    """A burst at once, then so many a second; a clock that goes back gives nothing and takes nothing."""
    bucket = TokenBucket(2.0, 3)
    assert [True] * 3 + [False] == [bucket.take(10.0) for _ in range(4)]
    assert 0.5 == bucket.compute_wait(10.0)
    assert [True, False] == [bucket.take(10.5) for _ in range(2)]
    assert not bucket.take(4.0)
    assert [True, False] == [bucket.take(4.5) for _ in range(2)]
    assert [True] * 3 + [False] == [bucket.take(1000.0) for _ in range(4)]


def test_stop():
    """What is pending and what was patched in the hour count together; a tenth of many, and so many of few."""
    stop = HourlyLimit(Stop(share=0.1, at_least=5))
    assert stop.check(5, 8, 0.0) is None
    assert "6 of 8 objects would be patched and 0 were within the hour, more than 5" in str(stop.check(6, 8, 0.0))
    assert stop.check(100, 1000, 0.0) is None
    for _ in range(3):
        stop.count_patch(0.0)
    assert "3 of 8 objects would be patched and 3 were" in str(stop.check(3, 8, 3599.0))
    assert stop.check(3, 8, 3600.0) is None


def test_accept():
    """It is about what is to be patched at first; the next stop holds, whatever was patched before."""
    stop = HourlyLimit(Stop(share=0.0, at_least=2), accept=True)
    for pending in range(9, 0, -1):
        assert stop.check(pending, 9, 1.0) is None
        stop.count_patch(1.0)
    assert stop.check(0, 9, 2.0) is None
    assert stop.check(2, 9, 3.0) is None
    assert stop.check(3, 9, 4.0) is not None


@pytest.mark.parametrize("first", [0, 1, 5])
def test_accept_is_for_once(first):
    """Where nothing, or little, was held, or one object stays, a later mistake is held all the same."""
    stop = HourlyLimit(Stop(share=0.0, at_least=2), accept=True)
    stop.note_pending(first)
    for pending in range(first, 1, -1):
        assert stop.check(pending, 99, 0.0) is None
        stop.count_patch(0.0)
    stop.note_pending(min(first, 1))
    assert "99 of 99 objects would be patched and 0 were within" in str(stop.check(99, 99, 7 * 86400.0))


def test_a_stop_outlives_its_process():
    """The next one takes over what was patched; an age below 0, as after a clock that went back, counts as 0."""
    first = HourlyLimit(Stop(share=0.0, at_least=2))
    first.count_patch(100.0)
    first.count_patch(150.0)
    assert [60, 10] == first.list_ages(160.0)
    second = HourlyLimit(Stop(share=0.0, at_least=2))
    second.count_patch(5.0)
    second.restore([*first.list_ages(160.0), -3600, 4000], 5.0)
    assert "1 of 9 objects would be patched and 3 were" in str(second.check(1, 9, 5.0))
