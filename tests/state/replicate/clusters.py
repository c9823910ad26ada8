"""Replicating the tests' broker, and comparing OPA's replica with the cluster as it is read anew."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from tests.fixtures.brokers.three_brokers import Brokers
from tests.fixtures.patience import PATIENCE
from warden.base.errors import OpaError, WardenError
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa
from warden.state.replicate.config import read_config
from warden.state.replicate.replica import Replica
from warden.state.replicate.replicator import Replicator
from warden.state.sources.kafka.change_requests import send_change
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.read.collect import collect

_SAME = (
    "clusterSize",
    "brokers",
    "defaults",
    "features",
    "groups",
    "acls",
    "quotas",
    "users",
    "consumers",
    "namesByMetric",
    "resourceConfigs",
)


def write_config(
    directory: Path, opa: LocalOpa, broker: LocalBroker | Brokers, name: str, url: str = "", **more: Any
) -> Path:
    """A configuration file for one cluster, with quick intervals; ``owners`` among others may be given."""
    cluster = {"name": name, "bootstrapServers": broker.bootstrap_servers, "interval": 0.5, "activityInterval": 0.5}
    cluster |= {"timeout": PATIENCE, "lease": 3, "maxAge": 3, **more}
    token = directory / "token"
    token.write_text(opa.tokens.replicator)
    path = directory / f"{name}.yaml"
    path.write_text(yaml.safe_dump({"opa": {"url": url or opa.url, "token": {"file": "token"}}, "clusters": [cluster]}))
    return path


@contextmanager
def replicating(path: Path) -> Iterator[Replicator]:
    """A replicator in this process."""
    replicator = Replicator(read_config(path))
    assert replicator.is_alive  # its probes answer before
    replicator.start()
    try:
        yield replicator
    finally:
        replicator.stop()
    assert not replicator.is_alive


@contextmanager
def replicating_process(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """``warden replicate`` as a process of its own; killed at the end where it still runs."""
    command = [sys.executable, "-m", "warden", "replicate", "--config", str(path), "--listen", "127.0.0.1:0"]
    search = os.pathsep.join(str(place) for place in (Path("glue").resolve(), Path.cwd()))
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": search})
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def replica_of(client: OpaClient, name: str) -> dict[str, Any]:
    """OPA's replica; empty where there is none, or OPA cannot be reached."""
    try:
        found: dict[str, Any] = client.get_data(["clusters", name])
    except OpaError:
        return {}
    return found


def same(client: OpaClient, broker: LocalBroker, name: str) -> bool:
    """Whether OPA's replica equals the cluster as it is read anew, and its meta tells the truth about it."""
    replica = replica_of(client, name)
    try:
        state = collect(broker.bootstrap_servers, timeout=10)
    except WardenError:
        return False
    kept = set(_SAME) - set(replica.get("meta", {}).get("trimmed", ()))
    if not replica or any(replica.get(part) != state.get(part) for part in kept):
        return False
    bare = {key: {**topic, "labels": {}} for key, topic in replica["topics"].items()}
    for topic in bare.values():
        assert topic.pop("topicId")
    meta = replica.pop("meta")
    sums = ("topics", "partitions", "replicas", "byBroker")
    return bool(
        bare == state["topics"]
        and all(replica["totals"][key] == state["totals"][key] for key in sums)
        and meta["topics"] == len(bare)
        and meta["checksum"] == Replica(replica).checksum
        and meta["counts"] == {key: len(part) for key, part in replica.items() if isinstance(part, Mapping)}
    )


def create(connection: Connection, *names: str, partitions: int = 1, **configs: str) -> None:
    """Create topics; ``_`` in a config's name stands for ``.``."""
    given = [{"name": key.replace("_", "."), "value": value} for key, value in configs.items()]
    _done(
        connection,
        "CreateTopics",
        {
            "topics": [
                {"name": name, "numPartitions": partitions, "replicationFactor": 1, "assignments": [], "configs": given}
                for name in names
            ],
            "validateOnly": False,
        },
    )


def delete(connection: Connection, *names: str) -> None:
    """Delete topics."""
    connection.admin.delete_topics(list(names))


def alter(connection: Connection, name: str, **configs: str) -> None:
    """Set overrides of a topic."""
    given = [{"name": key.replace("_", "."), "configOperation": 0, "value": value} for key, value in configs.items()]
    resource = {"resourceType": 2, "resourceName": name, "configs": given}
    _done(connection, "IncrementalAlterConfigs", {"resources": [resource], "validateOnly": False})


def _done(connection: Connection, form: str, request: dict[str, Any]) -> None:
    refused = {name: error for name, error in send_change(connection, form, request).items() if error}
    assert not refused, json.dumps(refused)
