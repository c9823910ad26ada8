"""Two real OPAs with the same bundle and tokens, each with a replica of its own, and a client of both in a thread."""

import asyncio
import json
import logging
import os
import signal
import threading
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry

from tests.fixtures.conditions import eventually
from tests.fixtures.pausing import pause
from warden.base.process.closing import ManagedProgram
from warden.policy.bundle.build import Bundle
from warden.policy.failover.checks import HealthChecks, build_decision_check
from warden.policy.failover.client import FailoverClient
from warden.policy.failover.metrics import FailoverReporter
from warden.policy.failover.ranking import OpaRanking
from warden.policy.failover.settings import FailoverSettings
from warden.policy.opa.local import LocalOpa

__all__ = ["CHECK_TOPIC", "CLUSTER", "Pair", "RunningClient", "build_state", "write_state"]

CLUSTER = "pair"
CHECK_TOPIC = "warden.failover.check"
"""The topic that checks are about."""


class Pair(ManagedProgram):
    """Two OPAs; what becomes of each is a test's to say.

    Args:
        bundle: Of both.
        opa: OPA's program.
        tokens: Beside it the query token is written.

    Attributes:
        opas: Both, the preferred one first.
    """

    def __init__(self, bundle: Bundle, opa: Path, tokens: Path) -> None:
        self.opas = [LocalOpa(bundle, opa=opa) for _ in range(2)]
        self.opas[1].tokens = self.opas[0].tokens
        self.token = tokens / "query.token"
        self.token.write_text(self.opas[0].tokens.query, encoding="utf-8")
        self.paused: set[int] = set()

    def start(self) -> None:
        """Start both, each with a state."""
        for opa in self.opas:
            opa.start()
            opa.wait_ready(120)
        for at in range(2):
            self.write(at)

    def stop(self) -> None:
        """Stop both."""
        for at, opa in enumerate(self.opas):
            self.resume(at)
            opa.stop()

    def kill(self, at: int) -> None:
        """Kill one by SIGKILL, with its state."""
        self.resume(at)
        if self.opas[at].is_alive:
            os.kill(self.opas[at].pid, signal.SIGKILL)
            eventually(lambda: not self.opas[at].is_alive, "it has ended")

    def pause(self, at: int) -> None:
        """Have one hang: SIGSTOP."""
        pause(self.opas[at].pid)
        self.paused.add(at)

    def resume(self, at: int) -> None:
        """Let one go on."""
        if at in self.paused:
            os.kill(self.opas[at].pid, signal.SIGCONT)
            self.paused.remove(at)

    def restart(self, at: int) -> None:
        """Start one again, without a state."""
        self.paused.discard(at)
        self.opas[at].restart(120)

    def write(self, at: int, age: float = 0.0) -> None:
        """Write the state of the cluster into one, as it was some seconds ago."""
        write_state(self.opas[at], build_state({"old.topic": 1}, age))

    def settings(self, timeout: float = 20.0, **more: Any) -> FailoverSettings:
        """Return settings of both."""
        urls = [opa.url for opa in self.opas]
        document = {"urls": tuple(urls), "timeout": timeout, "token": _secret(self.token), **more}
        return FailoverSettings.model_validate(document, by_name=True)

    def count(self, at: int) -> int:
        """Return how many decisions one has been called for, checks apart, as its decision log says."""
        lines = self.opas[at].log.read_text(encoding="utf-8").splitlines()
        documents = [json.loads(line) for line in lines if '"decision_id"' in line]
        return sum(
            CHECK_TOPIC not in json.dumps(one.get("input")) for one in documents if "kafka" in one.get("path", "")
        )


class RunningClient(ManagedProgram):
    """A `FailoverClient` with its checks, which run in a thread.

    Args:
        settings: Which OPAs.
    """

    def __init__(self, settings: FailoverSettings) -> None:
        self.registry = CollectorRegistry()
        report = FailoverReporter(
            logging.getLogger("warden.pair"), self.registry, "pair", settings.addresses, [CLUSTER]
        )
        self.ranking = OpaRanking(settings.addresses, [CLUSTER], settings.behind_seconds, report)
        self.client = FailoverClient(settings, self.ranking, settings.build_floor())
        self._settings = settings
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._run(),))

    def start(self) -> None:
        """Begin to check."""
        self._thread.start()

    def stop(self) -> None:
        """End."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._over.set)
            self._thread.join()
        self._loop.close()
        self.client.close()

    def order(self) -> list[int]:
        """Return the places of the OPAs in the order in which they would be called now."""
        return [self.ranking.urls.index(url) for url in self.ranking.rank_urls(CLUSTER)]

    def decide(self, topic: str, **more: Any) -> tuple[bool, str | None]:
        """Return whether a topic may be made, and the name of the error."""
        request = {"topic": topic, "numPartitions": 1, "replicationFactor": 1}
        document = {"operation": "CreateTopic", "cluster": CLUSTER, "enforcementPoint": "service", "request": request}
        decision = self.client.decide(document | more)
        return decision["allowed"], (decision["error"] or {}).get("name")

    def value(self, name: str, **labels: str) -> float:
        """Return the value of a metric."""
        return self.registry.get_sample_value(name, labels) or 0.0

    async def _run(self) -> None:
        check = build_decision_check(self.client.ask_one, (CLUSTER,), "service")
        async with HealthChecks(self.ranking, check, self._settings.timeout):
            await self._over.wait()


def build_state(topics: Mapping[str, int], age: float = 0.0, observed: datetime | None = None) -> dict[str, Any]:
    """Return the state of a cluster with topics of so many partitions, as it was some seconds ago, or at a time."""
    stored = {
        name: {
            "numPartitions": count,
            "replicasAssignments": {str(at): [1] for at in range(count)},
            "configs": {}, "labels": {}, "internal": False, "markedForDeletion": False, "reassigning": {},
        }
        for name, count in topics.items()
    }  # fmt: skip
    total = sum(topics.values())
    totals = {"topics": len(topics), "partitions": total, "replicas": total, "byBroker": {}, "byOwner": {}}
    observed = observed or datetime.now(UTC) - timedelta(seconds=age)
    return {
        "clusterSize": 1, "brokers": {}, "defaults": {}, "topics": stored, "namesByMetric": {},
        "totals": totals | {"byPrincipal": {}}, "deletions": {"lastHour": 0}, "consumers": {}, "writes": {},
        "meta": {"observedAt": observed.isoformat().replace("+00:00", "Z")},
    }  # fmt: skip


def write_state(opa: LocalOpa, state: Mapping[str, Any] | None, cluster: str = CLUSTER) -> None:
    """Write the state of a cluster into an OPA, as its replicator."""
    with opa.build_client(opa.tokens.replicator) as client:
        client.put_data(["clusters", cluster], state)


def _secret(path: Path) -> Any:
    from warden.base.files.secret import Secret

    return Secret("token", None, path)
