"""Which of several replicators leads."""

from datetime import UTC, datetime, timedelta

import pytest

from warden.base.timestamps import format_timestamp
from warden.state.lease import LeaseView

_NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def _meta(writer, seconds):
    return {
        "writer": {writer: "r"} if writer else {},
        "observedAt": format_timestamp(_NOON + timedelta(seconds=seconds)),
    }


def test_who_follows_takes_over_when_observations_stop():
    """A leader that is seen is followed, until nothing new came for the length of the lease."""
    lease = LeaseView("me", 10)
    observations = [
        (_meta("you", 0), 0.0),
        (_meta("you", 5), 5.0),
        (_meta("you", 5), 14.9),
        (_meta("you", 5), 15.0),
    ]

    leaders = [
        lease.find_leader(meta, now, _NOON + timedelta(seconds=now), wall=_NOON + timedelta(seconds=now))
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

    assert leader == LeaseView("me", 10).find_leader(meta, 0.0, now, wall=now)


def test_who_has_seen_nothing_new_takes_nothing_over():
    """Else a replicator that cannot reach the source either would put an older replica in the place of a newer one."""
    lease = LeaseView("me", 10)
    lease.find_leader(_meta("you", 0), 0.0, _NOON, wall=_NOON)

    assert lease.find_leader(_meta("you", 0), 100.0, _NOON, wall=_NOON) == "you"
    assert lease.find_leader(_meta("you", 0), 100.0, _NOON + timedelta(seconds=1), wall=_NOON) is None
