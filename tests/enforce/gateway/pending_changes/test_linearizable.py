"""Random clients at once, on one gateway and a real broker: the answers are those of one client after the other."""

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from socket import socket

import pytest

from tests.enforce.gateway.pending_changes.linearize import Model, Request, is_linearizable
from tests.enforce.gateway.pending_changes.test_order_of_changes import (
    CAP,
    capped,
    capped_broker,
    capped_opa,
    create,
    delete,
    grow,
    observe,
    set_config,
)
from tests.enforce.gateway.running import RunningGateway
from tests.enforce.gateway.test_faults import client
from tests.fixtures.patience import PATIENCE
from tests.fixtures.seed import SEED

__all__ = ["capped", "capped_broker", "capped_opa", "observe"]

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_CLIENTS = 4
_REQUESTS = 4  # of each client
_NAMES = ("a", "b", "c")
_KINDS = ("create", "create", "create", "grow", "delete", "configure")

_SEND: dict[str, Callable[[socket, Request], list[int]]] = {
    "create": lambda connected, one: create(connected, (one.topic, one.count)),
    "grow": lambda connected, one: grow(connected, one.topic, one.count),
    "delete": lambda connected, one: delete(connected, one.topic),
    "configure": lambda connected, one: set_config(connected, one.topic, "retention.ms", str(3_600_000 + one.count)),
}


def draw(rng: random.Random, number: int) -> Request:
    """A request that has not been sent yet."""
    kind = rng.choice(_KINDS)
    count = rng.choice((5, 15, 25, 40)) if kind in {"create", "grow"} else 0
    return Request(kind, f"round{'abcdefghij'[number % 10]}.{rng.choice(_NAMES)}", count, 0, 0, -1)


def carry_out(connected: socket, request: Request) -> Request:
    """Send a request: with its times and its answer."""
    sent = time.monotonic()
    (code,) = _SEND[request.kind](connected, request)
    return replace(request, sent=sent, answered=time.monotonic(), code=code)


def run_round(connections: Sequence[socket], plans: Sequence[Sequence[Request]]) -> list[Request]:
    """Have clients send what each has planned, all at once, and one remove what is left: all with their answers."""
    history, start = list[Request](), threading.Barrier(len(plans), timeout=PATIENCE)

    def use(connected: socket, plan: Sequence[Request]) -> None:
        start.wait()
        history.extend([carry_out(connected, request) for request in plan])

    threads = [threading.Thread(target=use, args=pair) for pair in zip(connections, plans, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    names = sorted({request.topic for plan in plans for request in plan})
    history += [carry_out(connections[0], Request("delete", name, 0, 0, 0, -1)) for name in names]
    assert sum(map(len, plans)) + len(names) == len(history)
    return history


@pytest.fixture
def connections(capped: RunningGateway) -> Iterator[list[socket]]:
    """Of each client one."""
    with ExitStack() as stack:
        yield [stack.enter_context(client(capped)) for _ in range(_CLIENTS)]


def _hold(connections: Sequence[socket], rounds: int) -> None:
    codes = Counter[tuple[str, int]]()
    for number in range(rounds):
        rng = random.Random(f"{SEED}/{number}")
        plans = [[draw(rng, number) for _ in range(_REQUESTS)] for _ in range(_CLIENTS)]
        history = run_round(connections, plans)
        codes.update((request.kind, request.code) for request in history)
        lines = "\n".join(map(str, sorted(history, key=lambda request: request.sent)))
        assert is_linearizable(history, Model(CAP)), f"round {number} of WARDEN_SEED={SEED}:\n{lines}"
    print(f"{rounds} rounds: {dict(sorted(codes.items()))}")
    assert {("create", 0), ("create", 36), ("create", 44), ("grow", 3), ("delete", 0), ("delete", 3)} <= codes.keys()


def test_sessions(connections: list[socket]) -> None:
    """A few; what a client is denied may have been under way beside it."""
    _hold(connections, 10)


@pytest.mark.slow
def test_more_sessions(connections: list[socket]) -> None:
    """Two hundred clients, four at once."""
    _hold(connections, 50)


_GONE = [("create", "a", 8, (0, 1), 0), ("delete", "a", 0, (2, 3), 0)]


def _request(kind: str, topic: str, count: int, between: tuple[float, float], code: int) -> Request:
    return Request(kind, topic, count, *between, code)


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        pytest.param([("create", "a", 5, (0, 1), 0), ("create", "a", 5, (2, 3), 36)], True, id="one-after-the-other"),
        pytest.param([("create", "a", 5, (0, 1), 36), ("create", "a", 5, (2, 3), 0)], False, id="known-too-early"),
        pytest.param([("create", "a", 5, (0, 3), 36), ("create", "a", 5, (2, 3), 0)], True, id="at-once"),
        pytest.param([("create", "a", 5, (0, 1), 0), ("create", "a", 5, (2, 3), 0)], False, id="made-twice"),
        pytest.param([("create", "a", 5, (0, 1), 0), ("delete", "a", 0, (2, 3), 3)], False, id="own-write-unread"),
        pytest.param([("create", "a", 8, (0, 3), 0), ("create", "b", 8, (1, 2), 0)], False, id="above-the-cap"),
        pytest.param([("create", "a", 8, (0, 3), 0), ("create", "b", 8, (1, 2), 44)], True, id="no-room"),
        pytest.param([("create", "a", 4, (0, 1), 0), ("create", "b", 4, (2, 3), 44)], False, id="room-denied"),
        pytest.param([("create", "a", 4, (0, 1), 0), ("grow", "a", 10, (2, 3), 0)], True, id="grown-to-the-cap"),
        pytest.param([("create", "a", 4, (0, 1), 0), ("grow", "a", 4, (2, 3), 0)], False, id="not-grown"),
        pytest.param([*_GONE, ("create", "b", 8, (4, 5), 0)], True, id="room-of-what-is-gone"),
        pytest.param([*_GONE, ("create", "b", 8, (4, 5), 44)], False, id="no-room-of-what-is-gone"),
        pytest.param([("grow", "a", 8, (0, 5), 3), ("create", "b", 8, (1, 2), 44)], True, id="under-way-counts"),
        pytest.param([("configure", "a", 0, (0, 1), 3), ("create", "a", 1, (0, 2), 0)], True, id="config-before"),
    ],
)  # fmt: skip
def test_the_search(history, expected):
    """With a cap of ten, what one client after the other could see is linearizable, and nothing else."""
    assert expected == is_linearizable([_request(*one) for one in history], Model(10))
