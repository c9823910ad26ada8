"""The embedded estate: twelve clusters and twenty thousand topics, made from a seed, the same bytes on every machine.

It stands in for a real estate where there is none at hand, in `warden run`, in tests and in benchmarks. Sizes are
skewed as they are in life: a few clusters and a few teams hold most of the topics. Faults come from the table in
`warden.demo.faults`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

from warden.base.errors import InputError
from warden.demo.faults import FAULTS
from warden.state.snapshot.layout import Format

__all__ = ["CLUSTERS", "OBSERVED_AT", "TOPICS", "ClusterPlan", "iter_estate", "write_estate"]

TOPICS = 20_000
OBSERVED_AT = datetime(2026, 11, 21, 2, 0, tzinfo=UTC)

_ENVIRONMENTS = ("prod", "staging", "test", "dev")


@dataclass(frozen=True)
class ClusterPlan:
    """One cluster of the estate.

    Args:
        name: Environment and region, such as ``prod-eu``.
        share: Its part of all topics, in per cent.
        brokers: Number of brokers, spread over three racks.
    """

    name: str
    share: int
    brokers: int


CLUSTERS: tuple[ClusterPlan, ...] = (
    ClusterPlan("prod-eu", 24, 15),
    ClusterPlan("prod-us", 17, 12),
    ClusterPlan("prod-ap", 8, 9),
    ClusterPlan("prod-edge", 3, 6),
    ClusterPlan("staging-eu", 10, 6),
    ClusterPlan("staging-us", 7, 6),
    ClusterPlan("staging-ap", 3, 3),
    ClusterPlan("test-eu", 9, 6),
    ClusterPlan("test-us", 4, 3),
    ClusterPlan("dev-eu", 8, 3),
    ClusterPlan("dev-us", 5, 3),
    ClusterPlan("dev-lab", 2, 3),
)

_DEFAULTS = {
    "auto.create.topics.enable": "false",
    "cleanup.policy": "delete",
    "compression.type": "producer",
    "default.replication.factor": "3",
    "max.message.bytes": "1048588",
    "min.insync.replicas": "2",
    "num.partitions": "6",
    "retention.bytes": "-1",
    "retention.ms": "604800000",
    "segment.bytes": "1073741824",
    "segment.ms": "604800000",
    "unclean.leader.election.enable": "false",
}

# team → its domains; the order is the order of size
_TEAMS: dict[str, tuple[str, ...]] = {
    "orders": ("checkout", "basket", "fulfilment", "returns"),
    "payments": ("cards", "ledger", "payouts", "disputes"),
    "clickstream": ("web", "app", "search"),
    "inventory": ("stock", "warehouse", "forecast"),
    "logistics": ("shipments", "routes", "carriers"),
    "customers": ("profile", "consent", "loyalty"),
    "pricing": ("offers", "promotions", "tax"),
    "catalogue": ("products", "media", "reviews"),
    "fraud": ("signals", "cases"),
    "risk": ("exposure", "limits", "audit"),
    "marketing": ("campaigns", "segments"),
    "devices": ("telemetry", "firmware", "alerts"),
    "billing": ("invoices", "dunning"),
    "identity": ("logins", "sessions"),
    "search": ("index", "queries"),
    "recommendations": ("features", "models"),
    "support": ("tickets", "calls"),
    "finance": ("bookings", "treasury"),
    "partners": ("feeds", "settlement"),
    "platform": ("metrics", "traces", "deployments"),
    "compliance": ("screening", "reports"),
    "legal": ("holds",),
    "hr": ("directory",),
    "facilities": ("badges",),
}

_ENTITIES = (
    "order", "line-item", "payment", "refund", "invoice", "customer", "address", "session", "page-view", "event",
    "snapshot", "price", "stock-level", "shipment", "parcel", "route", "device", "reading", "alert", "case", "decision",
    "score", "feature", "model", "campaign", "click", "impression", "ticket", "message", "document", "contract",
    "balance", "entry", "transfer", "limit", "consent", "login", "metric", "audit-record", "correction",
)  # fmt: skip
_KINDS = (
    "created", "updated", "deleted", "state", "changelog", "dlq", "retry", "enriched", "raw", "v1", "v2", "v3",
    "commands", "hourly",
)  # fmt: skip
_PARTITIONS = ((1, 3, 6, 12, 24, 48, 96), (8, 22, 34, 22, 9, 4, 1))
_DATA_CLASSES = (("internal", "confidential", "public", "personal"), (60, 22, 8, 10))
_CONFIGS: tuple[tuple[dict[str, str], int], ...] = (
    ({}, 42),
    ({"retention.ms": "259200000"}, 14),
    ({"retention.ms": "1209600000"}, 8),
    ({"retention.ms": "2592000000"}, 5),
    ({"retention.ms": "86400000", "segment.ms": "3600000"}, 6),
    ({"cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.3"}, 13),
    ({"cleanup.policy": "compact,delete", "retention.ms": "1209600000"}, 4),
    ({"max.message.bytes": "5242880"}, 4),
    ({"compression.type": "zstd"}, 4),
)
_INTERNAL = ("__consumer_offsets", "__transaction_state")


def iter_estate(
    topics: int = TOPICS, *, seed: int = 1, observed_at: datetime = OBSERVED_AT
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (cluster name, contract cluster state) for each of the twelve clusters.

    Args:
        topics: How many topics in all, internal ones included.
        seed: Same seed, same estate.
        observed_at: Time of the observation, UTC.

    Raises:
        InputError: ``topics`` is too small to give each cluster its internal topics and one more.
    """
    counts = _compute_counts(topics)
    if min(counts) <= len(_INTERNAL):
        raise InputError(f"an estate of {topics} topics is too small for {len(CLUSTERS)} clusters: use at least 200")
    for plan, count in zip(CLUSTERS, counts, strict=True):
        yield plan.name, _build_cluster(plan, count, Random(f"{seed}/{plan.name}"), observed_at)


def write_estate(directory: Path, topics: int = TOPICS, *, seed: int = 1, format: Format = "jsonl") -> int:
    """Write the estate as a snapshot directory and return its number of topics.

    Raises:
        InputError: As `iter_estate`, or the directory cannot be written.
    """
    from warden.state.snapshot.directory import write_snapshot

    written = 0
    for cluster, state in iter_estate(topics, seed=seed):
        write_snapshot(directory, cluster, state, day=OBSERVED_AT.date(), format=format)
        written += len(state["topics"])
    return written


def _compute_counts(topics: int) -> list[int]:
    """Split ``topics`` by share, exactly."""
    ends = [topics * end // 100 for end in accumulate(plan.share for plan in CLUSTERS)]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]


def _build_cluster(plan: ClusterPlan, count: int, random: Random, observed_at: datetime) -> dict[str, Any]:
    # Where the replicas of a partition may be: each broker with the next two, so that they are in three racks.
    assignments = [[(first + k) % plan.brokers + 1 for k in range(3)] for first in range(plan.brokers)]
    topics = {name: _build_internal_topic(assignments) for name in _INTERNAL}
    while len(topics) < count:
        name, topic = _build_topic(random, plan, assignments)
        topics.setdefault(name, topic)
    return {
        "clusterSize": plan.brokers,
        "brokers": {str(b): _build_broker(plan, b) for b in range(1, plan.brokers + 1)},
        "defaults": _DEFAULTS,
        "topics": topics,
        "totals": _compute_totals(topics),
        "groups": {},
        "acls": {},
        "quotas": {},
        "clientConfigs": {},
        "meta": {
            "revision": f"estate-{observed_at:%Y%m%dT%H%M%SZ}",
            "observedAt": f"{observed_at:%Y-%m-%dT%H:%M:%SZ}",
            "topics": len(topics),
            "source": "embedded estate",
        },
    }


def _build_broker(plan: ClusterPlan, broker: int) -> dict[str, Any]:
    return {"host": f"kafka-{broker}.{plan.name}.example", "rack": "abc"[(broker - 1) % 3], "configs": {}}


def _build_internal_topic(assignments: list[list[int]]) -> dict[str, Any]:
    configs = {"cleanup.policy": "compact", "segment.bytes": "104857600"}
    return {**_build_shape(50, assignments, 0), "configs": configs, "labels": {}, "internal": True}


def _build_topic(random: Random, plan: ClusterPlan, assignments: list[list[int]]) -> tuple[str, dict[str, Any]]:
    team = _TEAM_NAMES[int(len(_TEAM_NAMES) * random.random() ** 2.2)]
    domain = random.choice(_TEAMS[team])
    name = proper = f"{team}.{domain}.{random.choice(_ENTITIES)}.{random.choice(_KINDS)}"
    topic = {
        **_build_shape(random.choices(*_PARTITIONS)[0], assignments, random.randrange(len(assignments))),
        "configs": dict(random.choices(_CONFIG_CHOICES, _CONFIG_WEIGHTS)[0]),
        "labels": {"owner": team, "domain": domain, "dataClass": random.choices(*_DATA_CLASSES)[0]},
        "internal": False,
    }
    environment = _ENVIRONMENTS.index(plan.name.partition("-")[0])
    for fault in FAULTS:
        if random.random() * 1000 < fault.per_mille[environment]:
            if fault.rename:
                name = fault.rename(random, proper)
            if fault.change:
                fault.change(random, topic)
    return name, topic


def _build_shape(partitions: int, assignments: list[list[int]], first: int) -> dict[str, Any]:
    return {
        "numPartitions": partitions,
        "replicationFactor": 3,
        "replicasAssignments": {str(p): assignments[(first + p) % len(assignments)] for p in range(partitions)},
        "markedForDeletion": False,
        "reassigning": {},
    }


def _compute_totals(topics: dict[str, dict[str, Any]]) -> dict[str, Any]:
    owners: dict[str, dict[str, int]] = {}
    whole = {"topics": 0, "partitions": 0, "replicas": 0}
    for topic in topics.values():
        own = {"topics": 0, "partitions": 0, "replicas": 0}
        for counted in (whole, owners.setdefault(topic["labels"]["owner"], own) if "owner" in topic["labels"] else own):
            counted["topics"] += 1
            counted["partitions"] += topic["numPartitions"]
            counted["replicas"] += topic["numPartitions"] * topic["replicationFactor"]
    return {**whole, "byOwner": owners, "byPrincipal": {}}


_TEAM_NAMES = tuple(_TEAMS)
_CONFIG_CHOICES = [configs for configs, _ in _CONFIGS]
_CONFIG_WEIGHTS = [weight for _, weight in _CONFIGS]
