"""Who is woken by a change: whose configs it may concern, and nobody else."""

import asyncio

import pytest

from warden.enforce.service.long_poll import ClientChanges
from warden.state.sources.kafka.client_configs.records import EntityKey

WAITING = [("alice", "app"), ("alice", "other"), ("alice", ""), ("bob", "app")]


@pytest.mark.parametrize(
    ("changed", "woken"),
    [
        ({("alice", "app")}, {("alice", "app")}),
        ({("alice", "")}, {("alice", "app"), ("alice", "other"), ("alice", "")}),
        ({("alice", "x"), ("carol", ""), ("bob", "app")}, {("bob", "app")}),
        (set(), set()),
        (None, set(WAITING)),
    ],
)
def test_who_is_woken(changed: set[EntityKey] | None, woken: set[EntityKey]) -> None:
    """A client by its own change and its user's; everybody where any may have changed."""

    async def wait() -> set[EntityKey]:
        changes = ClientChanges(asyncio.get_running_loop())
        events = {key: changes.get_event(*key) for key in WAITING}
        changes.announce(changed)
        await asyncio.sleep(0)
        assert all((changes.get_event(*key) is events[key]) == (key not in woken) for key in WAITING)
        return {key for key, event in events.items() if event.is_set() and await changes.wait(event, 30)}

    assert woken == asyncio.run(wait())


def test_nothing_is_kept_of_who_has_gone() -> None:
    """Clients that came once, each with another name, cost nothing afterwards."""

    async def ask() -> int:
        changes = ClientChanges(asyncio.get_running_loop())
        for number in range(1000):
            changes.get_event("alice", str(number))
        return sum(map(len, changes._events.values()))

    assert 0 == asyncio.run(ask())
