"""What a store costs, in steps that do not move with the machine."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from warden.enforce.client_configs.sqlite_store import SqliteStore
from warden.enforce.client_configs.store import StoredEntity


def test_what_an_alteration_costs_does_not_grow_with_the_store(tmp_path: Path) -> None:
    """As many steps of SQLite's machine among 20,000 entities as among 1,000, for all that a service does."""
    steps = [_steps(tmp_path / f"{count}.db", count) for count in (1_000, 20_000)]
    assert steps[0] == steps[1]
    assert all(0 < count < 1_000 for count in steps[0].values())


def _steps(path: Path, count: int) -> dict[str, int]:
    """How many steps SQLite takes for each thing that a service does, with so many entities stored."""
    found: dict[str, int] = {}
    with closing(SqliteStore(path)) as store:
        store.write(
            {(f"user-{number // 10}", f"client-{number}"): StoredEntity({"acks": "1"}, 0) for number in range(count)}
        )
        store.take_changes()
        key, taken = ("user-50", "client-500"), [0]

        def step() -> int:
            taken[0] += 1
            return 0

        version = store.read([key])["user-50"]["client-500"].version
        things: dict[str, Callable[[], object]] = {
            "resolve": lambda: store.read([key, ("user-50", "")]),
            "alter": lambda: store.write({key: StoredEntity({"acks": "0"}, version)}),
            "look": store.take_changes,
            "describe a user": lambda: store.read([("user-50", None)]),
            "describe a client": lambda: store.read([(None, "client-500")]),
        }
        store._database.set_progress_handler(step, 1)
        for name, thing in things.items():
            taken[0] = 0
            thing()
            found[name] = taken[0]
    return found
