"""The Lease as others leave it; tests/k8s/remediation has an API server."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from warden.base.errors import KubernetesError
from warden.enforce.remediate import leadership as module
from warden.enforce.remediate.config import LeaseEntry, Stop
from warden.enforce.remediate.hourly_limit import HourlyLimit
from warden.enforce.remediate.leadership import Leadership

if TYPE_CHECKING:
    from warden.state.sources.kubernetes.api import ApiServer


class _Api:
    """Has a Lease that nobody holds, with a note of past patches."""

    def __init__(self, note):
        self._note = note

    def get(self, path):
        return {"metadata": {"annotations": {"remediation.warden.io/patches": self._note}}, "spec": {}}

    def send(self, method, path, document):
        return document


@pytest.mark.parametrize("note", ["", "x", "[]", "{}", '{"a": 1}', pytest.param("[" * 90_000, id="nested too deeply")])
def test_a_note_of_no_patches(note):
    """Whatever stands there, the Lease is taken, and no patch counts."""
    leadership = Leadership(LeaseEntry(), "me")

    assert leadership.acquire_or_renew(cast("ApiServer", _Api(note)), list)
    assert [] == leadership.ages


class _SharedLease:
    """A Lease that several share, and that can be out of reach."""

    def __init__(self):
        self.lease, self.is_away = {}, False

    def get(self, path):
        if self.is_away or not self.lease:
            raise KubernetesError("away", status=500 if self.is_away else 404)
        return self.lease

    def send(self, method, path, document):
        self.lease = document


class _Remediator:
    """One that patches while it leads."""

    def __init__(self, name, lease):
        self.leadership, self._lease = Leadership(LeaseEntry(), name), cast("ApiServer", lease)
        self.limit = HourlyLimit(Stop())

    def patch(self, clock, count):
        """Patch so many objects."""
        for _ in range(count):
            self.limit.count_patch(clock[0])

    def turn(self, clock):
        """Take or renew the Lease, and return how many patches count."""
        if self.leadership.acquire_or_renew(self._lease, lambda: self.limit.list_ages(clock[0])):
            self.limit.restore(self.leadership.ages, clock[0])
        return len(self.limit.list_ages(clock[0]))


@pytest.fixture
def clock(monkeypatch):
    """Seconds, as the Lease counts them."""
    now = [1000.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_a_lapse_counts_nothing_twice(clock):
    """A Lease that ran out while the API server was away has the patches of its holder once."""
    lease = _SharedLease()
    one = _Remediator("one", lease)
    assert 0 == one.turn(clock)
    one.patch(clock, 3)
    for _ in range(3):
        clock[0] += 4
        assert 3 == one.turn(clock)
        clock[0] += 30
        assert not one.leadership.is_leader()
        assert 3 == one.turn(clock)


def test_what_two_have_patched(clock):
    """Who takes over from another one counts the other's patches, and its own that the other knew of once."""
    lease = _SharedLease()
    one, two = _Remediator("one", lease), _Remediator("two", lease)
    one.turn(clock)
    one.patch(clock, 3)
    clock[0] += 4
    one.turn(clock)
    clock[0] += 1
    one.patch(clock, 1)  # of which nobody else knows
    two.turn(clock)
    clock[0] += 30
    assert 3 == two.turn(clock)
    two.patch(clock, 2)
    clock[0] += 4
    assert 5 == two.turn(clock)
    one.turn(clock)
    clock[0] += 30
    assert 6 == one.turn(clock)
