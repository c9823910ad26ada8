"""How long to wait, and when to give up: arithmetic without a clock."""

from datetime import UTC, datetime

import pytest

from warden.base.errors import ConfigurationError
from warden.policy.opa.retry import RetryPolicy, Timeout, parse_retry_after

RETRIES = RetryPolicy(attempts=5, base=0.1, maximum=0.3)
IMPOSSIBLE = "RetryPolicy(attempts=0, base=0.1, maximum=2.0)"
NOW = datetime(2026, 11, 21, 10, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("attempt", "left", "requested", "expected"),
    [
        (1, 60, None, 0.1),
        (2, 60, None, 0.2),
        (3, 60, None, 0.3),  # 0.4 is above the maximum
        (4, 60, None, 0.3),
        (5, 60, None, None),  # that was the last attempt
        (6, 60, None, None),
        (1, 0.1, None, None),  # the pause would use up what is left
        (1, 0.11, None, 0.1),
        (1, 60, 7.0, 7.0),  # the server knows better than the maximum
        (1, 60, 0.0, 0.0),
        (1, 7, 7.0, None),
        (5, 60, 7.0, None),
    ],
)
def test_pause(attempt, left, requested, expected):
    """The longest pause doubles up to the maximum, and ends with the attempts or the time left."""
    assert expected == RETRIES.compute_pause(attempt, left, requested, jitter=lambda _, longest: longest)


def test_jitter_is_drawn_from_zero():
    """Callers that failed together draw from the whole range, so that they do not return together."""
    drawn: list[tuple[float, float]] = []

    def draw(low: float, high: float) -> float:
        drawn.append((low, high))
        return low

    assert 0.0 == RETRIES.compute_pause(2, 60, jitter=draw)
    assert [(0.0, 0.2)] == drawn


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (None, None),
        ("3", 3.0),
        (" 0 ", 0.0),
        ("Sat, 21 Nov 2026 10:00:05 GMT", 5.0),
        ("Sat, 21 Nov 2026 09:59:00 GMT", 0.0),  # past
        ("-3", None),
        ("1.5", None),
        ("soon", None),
        ("", None),
    ],
)
def test_retry_after(header, expected):
    """Both forms of RFC 9110 are read, and nonsense counts as absent."""
    assert expected == parse_retry_after(header, NOW)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Timeout(read=0), "timeout read is 0: give a number of seconds above 0"),
        (lambda: Timeout(total=-1), "timeout total is -1: give a number of seconds above 0"),
        (
            lambda: RetryPolicy(0),
            f"{IMPOSSIBLE} cannot be followed: give at least 1 attempt and no negative pause",
        ),
    ],
)
def test_limits_that_make_no_sense(make, text):
    """A limit that cannot be kept is refused where it is given."""
    with pytest.raises(ConfigurationError) as caught:
        make()

    assert text == str(caught.value)
