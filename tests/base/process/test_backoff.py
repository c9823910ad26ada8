"""How long to wait before the next attempt."""

from hypothesis import given
from hypothesis import strategies as st

from warden.base.process.backoff import Backoff


@given(base=st.floats(0.05, 2), maximum=st.floats(2, 60), time=st.floats(0, 600))
def test_the_rate_of_attempts_is_bounded(base, maximum, time):
    """However the dice fall, within a time there are no more attempts than promised."""
    backoff, passed, attempts = Backoff(base, maximum, jitter=lambda low, _high: low), 0.0, 0
    while passed <= time:
        attempts += 1
        passed += backoff.compute_delay()

    assert attempts <= 1 + 2 * time / base


def test_pauses_double_up_to_a_limit_and_begin_anew():
    """As long as nothing succeeds."""
    backoff = Backoff(0.5, 3, jitter=lambda _low, high: high)

    assert [0.5, 1.0, 2.0, 3.0, 3.0] == [backoff.compute_delay() for _ in range(5)]
    backoff.reset()
    assert backoff.compute_delay() == 0.5
