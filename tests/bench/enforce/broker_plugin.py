"""`python -m tests.bench.enforce.broker_plugin`: what the plugin costs a broker, beside one without it, in one run.

Both are broker and controller in one and get the same requests by turns; the policy is the profile `single-broker`. The
large request makes nothing (`validateOnly`), but the controller asks about each of its topics all the same.
"""

import itertools
import json
import statistics
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, Final

from tests.enforce.broker_plugin.figures import jmx_options, read_figures
from tests.enforce.broker_plugin.inside import Inside, plugin_properties
from tests.fixtures.brokers.tools import run_tool
from tests.oracle.broker import Broker
from tools.broker_plugin import build_plugin
from warden.base.http.ports import list_free_ports
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa
from warden.state.sources.kafka.login.connection import Connection, connect

_REQUESTS: Final = 300
_MANY: Final = (4_900, 10_000)  # Kafka itself takes no request that makes 10,000 records
_RECORDS: Final = 300_000
_PATIENCE: Final = 600.0
_QUEUE: Final = "kafka.controller:type=ControllerEventManager,name="
_AUTHORIZER: Final = "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
# Every principal has to be authorized, and none is refused for want of an ACL.
_OPEN: Final = {"allow.everyone.if.no.acl.found": "true", "super.users": "User:nobody"}


@dataclass
class _Side:
    """A broker, and what was measured of it; milliseconds.

    Args:
        broker: The broker.
        jmx: Port of its figures.
        connection: To it.
    """

    broker: LocalBroker
    jmx: int
    connection: Connection
    single: list[float] = field(default_factory=list)
    produced: list[float] = field(default_factory=list)

    def create(self, names: list[str], *, validate_only: bool = False) -> tuple[float, Counter[int]]:
        """Create topics; return how long it took, and how many answers had which code."""
        topic = {"numPartitions": 1, "replicationFactor": 1, "assignments": [], "configs": []}
        request = {"topics": [{**topic, "name": name} for name in names], "validateOnly": validate_only}
        started = time.perf_counter()
        response = Broker(self.connection).send("CreateTopics", {**request, "timeoutMs": int(_PATIENCE * 1000)})
        taken = (time.perf_counter() - started) * 1000
        return taken, Counter(answer.error_code for answer in response.topics)

    def produce(self, topic: str) -> None:
        """Send records by Kafka's own tool, and keep how many there were a second."""
        options = ["--num-records", str(_RECORDS), "--record-size", "100", "--throughput", "-1"]
        said = run_tool(self.broker, "ProducerPerformance", "--topic", topic, *options)
        rates = [part for part in said.splitlines()[-1].split(", ") if part.endswith("MB/sec)")]
        self.produced.append(float(rates[0].split(" ")[0]))

    def queue(self) -> dict[str, dict[str, float]]:
        """What the controller shows of its events: how long they wait, and how long each takes."""
        shown = {
            name: read_figures(self.jmx, f"{_QUEUE}{name}")
            for name in ("EventQueueTimeMs", "EventQueueProcessingTimeMs")
        }
        wanted = {"50thPercentile": "p50", "99thPercentile": "p99", "Max": "max"}
        return {
            name: {short: float(figures[long]) for long, short in wanted.items()} for name, figures in shown.items()
        }


def measure() -> dict[str, Any]:
    """Return the figures of both brokers, ``without`` the plugin and ``with`` it."""
    with TemporaryDirectory(prefix="warden-bench-") as name, ExitStack() as stack:
        sides = _start(stack, Path(name))
        for side in sides.values():
            side.create([f"warm.up{number}.made" for number in range(20)])
        for number in range(_REQUESTS):
            for side in sides.values():
                taken, codes = side.create([f"shop.orders{number}.made"])
                assert codes == {0: 1}, codes
                side.single.append(taken)
        found: dict[str, dict[str, Any]] = {
            who: {"single": _summarise(side.single), **side.queue()} for who, side in sides.items()
        }
        for side in sides.values():
            side.create(["shop.payments.made"])
        for _ in range(3):
            for side in sides.values():
                side.produce("shop.payments.made")
        for who, side in sides.items():
            found[who]["recordsPerSecond"] = max(side.produced)
            found[who]["many"] = [_measure_many(side, topics) for topics in _MANY]
    return found


def _start(stack: ExitStack, directory: Path) -> dict[str, _Side]:
    (directory / "settings.yaml").write_text("freshness: {default: {maxAgeSeconds: 86400}}\n", encoding="utf-8")
    bundle = build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml", profile="single-broker")
    opa = stack.enter_context(LocalOpa(bundle))
    inside = {**plugin_properties(opa, directory / "token", budget_ms="2000", request_budget_ms="500"), **_OPEN}
    sides = {}
    for who, properties, jars in (
        ("without", {"authorizer.class.name": _AUTHORIZER, **_OPEN}, []),
        ("with", inside, [build_plugin(directory / "plugin.jar")]),
    ):
        (jmx,) = list_free_ports(1)
        options = jmx_options(jmx)
        broker = stack.enter_context(LocalBroker(properties=properties, jars=jars, options=options, heap=1024))
        connection = stack.enter_context(connect(broker.bootstrap_servers, timeout=_PATIENCE))
        sides[who] = _Side(broker, jmx, connection)
    Inside(sides["with"].broker, opa, directory).replicate()
    return sides


def _measure_many(side: _Side, topics: int) -> dict[str, Any]:
    """Send a large request, and meanwhile one small one after the other, each of which waits for the controller."""
    waits: list[float] = []
    begun, over = Event(), Event()

    def create_others() -> None:
        with connect(side.broker.bootstrap_servers, timeout=_PATIENCE) as connection:
            other = _Side(side.broker, side.jmx, connection)
            numbers = itertools.count()
            while not over.is_set():
                waits.append(other.create([f"shop.beside{next(numbers)}.made"], validate_only=True)[0])
                begun.set()

    beside = Thread(target=create_others)
    beside.start()
    try:
        if not begun.wait(_PATIENCE):
            raise RuntimeError("the client beside the large request has no answer")
        taken, codes = side.create([f"shop.many{number}.made" for number in range(topics)], validate_only=True)
    finally:
        over.set()
        beside.join()
    answers = {str(code): number for code, number in sorted(codes.items())}
    longest = round(max(waits), 1)
    found = {"topics": topics, "ms": round(taken, 1), "answersByCode": answers, "longestWaitOfAnotherMs": longest}
    return {**found, **side.queue()}


def _summarise(taken: list[float]) -> dict[str, float]:
    points = statistics.quantiles(taken, n=100)
    return {"p50Ms": round(points[49], 2), "p99Ms": round(points[98], 2), "maxMs": round(max(taken), 2)}


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
