"""How soon a change of a real cluster is visible in a decision, against the interval of the looks."""

import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from warden.base.errors import ScanError
from warden.base.files.secret import Secret
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.connection_config import OpaConnectionConfig
from warden.policy.opa.local import LocalOpa
from warden.state.replicate.config import ReplicatedSource, ReplicationSettings, ReplicatorConfig
from warden.state.replicate.replicator import Replicator
from warden.state.sources.kafka.change_requests import send_change
from warden.state.sources.kafka.entry import KafkaEntry
from warden.state.sources.kafka.login.connection import Connection, connect
from warden.state.sources.kafka.source import KafkaSource

__all__ = ["visible"]

_INTERVAL = 1.0
_TOPICS = 200
_LIMIT = 60.0
_KEY = "unclean.leader.election.enable"


def visible(changes: int) -> dict[str, float]:
    """Alter configs of a broker's topics at random moments, and ask decisions until they show it.

    Returns:
        ``intervalSeconds``, ``p50``, ``p99`` and ``max`` in intervals, from Kafka's answer to the change on.
    """
    with TemporaryDirectory(prefix="warden-bench-") as name:
        path = Path(name)
        (path / "token").touch()
        with LocalOpa(build_bundle(path / "bundle.tar.gz")) as opa, LocalBroker() as broker:
            (path / "token").write_text(opa.tokens.replicator, encoding="utf-8")
            settings = OpaConnectionConfig(url=opa.url, token=Secret("bench", file=path / "token"))
            source = KafkaSource(
                KafkaEntry(name="bench", bootstrap_servers=broker.bootstrap_servers, interval=_INTERVAL)
            )
            replicator = Replicator(
                ReplicatorConfig(settings, (ReplicatedSource(source, ReplicationSettings(interval=_INTERVAL)),))
            )
            with connect(broker.bootstrap_servers) as connection, opa.build_client() as client:
                _create(connection)
                replicator.start()
                try:
                    _until(lambda: all(_paths(client, f"bench-{at}") != {"topic"} for at in (0, _TOPICS - 1)))
                    taken = sorted(_change(connection, client, number) for number in range(changes))
                finally:
                    replicator.stop()
    at = {"p50": len(taken) // 2, "p99": min(len(taken) - 1, int(len(taken) * 0.99)), "max": -1}
    found = {what: round(taken[place] / _INTERVAL, 2) for what, place in at.items()}
    return {"intervalSeconds": _INTERVAL, "changes": changes, **found, "mean": round(statistics.mean(taken), 2)}


def _change(connection: Connection, client: OpaClient, number: int) -> float:
    """Seconds from Kafka's answer to a change of configs until a decision complains of it."""
    time.sleep(random.uniform(0, _INTERVAL))
    config = {"name": _KEY, "configOperation": 0, "value": "true"}
    resource = {"resourceType": 2, "resourceName": f"bench-{number}", "configs": [config]}
    send_change(connection, "IncrementalAlterConfigs", {"resources": [resource], "validateOnly": False})
    begun = time.perf_counter()
    _until(lambda: _KEY in _paths(client, f"bench-{number}"))
    return time.perf_counter() - begun


def _paths(client: OpaClient, topic: str) -> set[str]:
    """What the violations of a topic as it stands are about; the topic itself where it is not known yet."""
    decision = client.decide({"operation": "AuditTopic", "cluster": "bench", "request": {"topic": topic}})
    if not decision["violations"] and not decision["allowed"]:
        return {"topic"}
    return {piece for violation in decision["violations"] for piece in violation["path"]}


def _create(connection: Connection) -> None:
    topics = [
        {"name": f"bench-{at}", "numPartitions": 1, "replicationFactor": 1, "assignments": [], "configs": []}
        for at in range(_TOPICS)
    ]
    send_change(connection, "CreateTopics", {"topics": topics, "validateOnly": False})


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _LIMIT
    while not holds():
        if time.monotonic() > deadline:
            raise ScanError(f"what was waited for did not come within {_LIMIT:g} s")
        time.sleep(0.005)
