"""Two bundles, a real OPA's decision log, and one Spark session for all tests that need them."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml

from warden.analyse.impact.bundles import ComparedBundle, prepare_bundle
from warden.base.resources import find_shipped
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.per_host import HostOpa
from warden.policy.opa.session import start_opa

CANDIDATE = """
rules:
  KFK-SIZ-001: {params: {max: 50}}
  KFK-NAM-001: {mode: disabled}
"""
NOW = "2026-11-21T10:00:00Z"
STATE = {
    "clusterSize": 9,
    "defaults": {"min.insync.replicas": "2"},
    "totals": {"replicas": 16200, "byOwner": {"payments": {"topics": 120, "partitions": 1400}}},
    "meta": {"observedAt": "2026-11-21T09:59:58Z"},
    "topics": {},
}


def create(topic: str, partitions: int, **fields: Any) -> dict[str, Any]:
    """A request for a topic, allowed by the shipped settings up to 100 partitions."""
    request = {
        "topic": topic,
        "numPartitions": partitions,
        "replicationFactor": 3,
        "configs": {"retention.ms": "604800000"} | fields.pop("configs", {}),
        "labels": {"owner": "payments", "dataClass": "confidential"},
    }
    document = {
        "operation": "CreateTopic",
        "cluster": "prod-eu",
        "enforcementPoint": "ci",
        "now": NOW,
        "request": request,
    }
    return {**document, "clusterState": STATE, **fields}


@pytest.fixture(scope="session")
def sides(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> list[ComparedBundle]:
    """The shipped bundle, and one with other settings."""
    directory = tmp_path_factory.mktemp("impact")
    (directory / "candidate.yaml").write_text(CANDIDATE)
    return [
        prepare_bundle("baseline", None, None, None, directory / "baseline"),
        prepare_bundle("candidate", directory / "candidate.yaml", None, None, directory / "candidate"),
    ]


@pytest.fixture(scope="session")
def servers(sides: list[ComparedBundle]) -> Iterator[list[HostOpa]]:
    """An OPA with each."""
    with ExitStack() as stack:
        yield [stack.enter_context(start_opa(side.bundle.path)) for side in sides]


@pytest.fixture(scope="session")
def log(sides: list[ComparedBundle], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an OPA with the shipped bundle wrote to its log: one decision of each fate, a batch, and a group."""
    directory = tmp_path_factory.mktemp("log")
    config = yaml.safe_load(find_shipped("deploy/opa-config.yaml").read_text(encoding="utf-8"))
    (directory / "config.yaml").write_text(yaml.safe_dump({**config, "decision_logs": {"console": True}}))
    with LocalOpa(sides[0].bundle, config=directory / "config.yaml", directory=directory / "opa") as opa:
        with opa.build_client(opa.tokens.replicator) as replicator:
            replicator.put_data(["clusters", "replicated"], STATE)
        with opa.build_client() as client:
            client.decide(create("shop.orders.small", 12))
            client.decide(create("shop.orders.middling", 60))
            client.decide(create("shop.orders.large", 600))
            client.decide(create("shop.orders.Thin", 12))
            client.decide(create("shop.orders.secret", 60, configs={"sasl.jaas.config": "hidden"}))
            timeless = create("shop.orders.timeless", 60, cluster="replicated")
            del timeless["now"], timeless["clusterState"]
            client.decide(timeless)
            shared = create("x", 1)
            del shared["request"]
            sizes = {"a/1 %": 60, "c": 60, "d": 1}
            items = {key: {"request": create(f"shop.batch.{key[0]}", size)["request"]} for key, size in sizes.items()}
            client.decide_many(items, shared)
            group = create("x", 1, operation="DeleteGroup", principal={"type": "User", "name": "ops"})
            client.decide({**group, "request": {"group": "shop.readers"}})
    return opa.log
