"""How long a decision takes with few and with many topics replicated: two OPAs on one machine, called in turn."""

import statistics
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any

from tests.bench.decisions.decision_inputs import CLUSTER, decision_inputs, state
from warden.policy.bundle.build import Bundle
from warden.policy.opa.local import LocalOpa

__all__ = ["in_turn", "measure_latency"]


def measure_latency(bundle: Bundle, *, topics: tuple[int, int] = (100, 100_000), calls: int = 4000) -> dict[str, Any]:
    """Ask an OPA with few topics and one with many, in turn, so that what disturbs the machine disturbs both.

    Args:
        bundle: A signed bundle.
        topics: How many topics each of the two holds.
        calls: Decisions of each, over one kept connection.

    Returns:
        Number of topics → ``p50Ms`` and ``p99Ms``; and ``p99Ratio``, that of many to that of few.
    """
    document = decision_inputs()["CreateTopic"]
    with ExitStack() as stack:
        asks: dict[str, Callable[[], Any]] = {}
        for count in topics:
            server = stack.enter_context(LocalOpa(bundle))
            with server.build_client(server.tokens.replicator) as replicator:
                replicator.put_data(["clusters", CLUSTER], state(count))
            client = stack.enter_context(server.build_client())
            asks[str(count)] = partial(client.decide, document)
        taken = in_turn(asks, calls)
    found: dict[str, Any] = {}
    for name, seconds in taken.items():
        points = statistics.quantiles(seconds, n=100)
        found[name] = {"p50Ms": 1000 * points[49], "p99Ms": 1000 * points[98]}
    few, many = (found[str(count)]["p99Ms"] for count in topics)
    return {**found, "p99Ratio": many / few}


def in_turn(asks: Mapping[str, Callable[[], Any]], calls: int) -> dict[str, list[float]]:
    """Return the seconds of each call of each, the first twentieth left out while they warm up."""
    taken: dict[str, list[float]] = {name: [] for name in asks}
    for turn in range(calls + calls // 20):
        for name, ask in asks.items():
            started = time.perf_counter()
            ask()
            if turn >= calls // 20:
                taken[name].append(time.perf_counter() - started)
    return taken
