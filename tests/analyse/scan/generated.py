"""Random settings, clusters and topics, for what has to hold whatever they are."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

__all__ = ["CLUSTERS", "NOW", "Estate", "changes", "estates", "settings"]

CLUSTERS = ("a", "b", "c")
NOW = datetime(2026, 11, 21, 2, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Estate:
    """The states of some clusters, and when they are evaluated.

    Args:
        states: The contract's cluster state by cluster.
        now: The time of the decisions.
    """

    states: dict[str, dict[str, Any]]
    now: datetime = field(default=NOW)


_NAMES = ["shop.orders", "shop_orders", "Bad.Name", "pay.paid", "__internal", "a.very.long.name.of.a.topic", "x" * 250]
_CONFIGS: dict[str, list[Any]] = {
    "retention.ms": ["-1", "1000", "604800000", "x"],
    "cleanup.policy": ["compact", "delete", "compact,delete", "delete,delete"],
    "min.insync.replicas": ["1", "2", "4"],
    "flush.ms": ["1"],
    "retention.bytes": ["-5"],
    "unknown.key": ["1"],
    "segment.ms": [None],
}


@st.composite
def _topic(draw: Any) -> dict[str, Any]:
    partitions, replicas = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    keys = draw(st.lists(st.sampled_from(sorted(_CONFIGS)), max_size=3, unique=True))
    assignments = {str(i): [1 + (i + j) % 3 for j in range(replicas)] for i in range(partitions)}
    moving = {"0": {"adding": [3], "removing": [1]}} if draw(st.integers(0, 5)) == 0 else {}
    return {
        "numPartitions": partitions,
        "replicationFactor": replicas,
        "replicasAssignments": assignments,
        "configs": {key: draw(st.sampled_from(_CONFIGS[key])) for key in keys},
        "labels": draw(st.dictionaries(st.sampled_from(["owner", "tier", "why"]), st.sampled_from(["shop", "gold"]))),
        "internal": draw(st.integers(0, 4)) == 0,
        "markedForDeletion": False,
        "reassigning": moving,
    }


def _clashes(topics: dict[str, Any]) -> dict[str, list[str]]:
    metrics: dict[str, list[str]] = {}
    for name in topics:
        metrics.setdefault(name.replace(".", "_"), []).append(name)
    return metrics


_ACL = {"resourceType": "TOPIC", "patternType": "LITERAL", "host": "*", "operation": "READ", "permissionType": "ALLOW"}


@st.composite
def _state(draw: Any) -> dict[str, Any]:
    topics = draw(st.dictionaries(st.sampled_from(_NAMES), _topic(), min_size=1, max_size=4))
    observed = NOW.replace(hour=draw(st.integers(0, 2)))
    racks = draw(st.sampled_from([["r1", "r2", "r3"], ["r1", "r1", "r1"], [None, None, None]]))
    state: dict[str, Any] = {
        "clusterSize": draw(st.integers(1, 3)),
        "brokers": {str(i + 1): {"rack": rack, "configs": {"a": str(i)}} for i, rack in enumerate(racks)},
        "defaults": draw(st.dictionaries(st.sampled_from(["num.partitions", "retention.ms"]), st.just("7"))),
        "topics": topics,
        "totals": {
            "topics": len(topics),
            "partitions": sum(topic["numPartitions"] for topic in topics.values()),
            "replicas": 9,
            "byBroker": {"1": 3, "2": 3, "3": draw(st.integers(1, 9))},
        },
        "namesByMetric": _clashes(topics),
        "meta": {"observedAt": f"{observed:%Y-%m-%dT%H:%M:%SZ}", "labels": draw(st.booleans())},
    }
    if draw(st.booleans()):
        state["users"] = {"alice": {}}
        acls = [
            {**_ACL, "principal": f"User:{user}", "resourceName": name}
            for user in ("alice", "bob")
            for name in _NAMES[:2]
        ]
        state["acls"] = {"User:alice": acls[:2], "User:bob": acls[2:]}
        state["clientConfigs"] = {"alice": {"": {"acks": draw(st.sampled_from(["0", "1", "all"]))}}}
    for part in draw(st.lists(st.sampled_from(["defaults", "totals", "namesByMetric"]), max_size=1)):
        del state[part]
    return state


def estates() -> st.SearchStrategy[Estate]:
    """Clusters with a few topics each, of the same few names."""
    return st.fixed_dictionaries(dict.fromkeys(CLUSTERS, _state())).map(Estate)


@st.composite
def changes(draw: Any, estate: Estate) -> Estate:
    """Return the estate with one thing changed, the time perhaps."""
    states = {name: dict(state) for name, state in estate.states.items()}
    cluster = draw(st.sampled_from(CLUSTERS))
    state, topics = states[cluster], dict(states[cluster]["topics"])
    what = draw(
        st.sampled_from(["topic", "gone", "totals", "size", "observed", "defaults", "now", "now", "now", "nothing"])
    )
    name = draw(st.sampled_from(sorted(topics)))
    if what == "topic":
        topics[name] = draw(_topic())
    elif what == "gone" and len(topics) > 1:
        del topics[name]
    elif what == "totals":
        state["totals"] = {**state.get("totals", {}), "topics": draw(st.integers(1, 9)), "replicas": 100_000}
    elif what == "size":
        state["clusterSize"] = draw(st.integers(1, 9))
    elif what == "observed":
        state["meta"] = {**state["meta"], "observedAt": "2026-11-20T00:00:00Z"}
    elif what == "defaults":
        state["defaults"] = {"retention.ms": draw(st.sampled_from(["8", "-1"]))}
    state["topics"] = topics
    hours = draw(st.sampled_from([2, 23, 24 * 30])) if what == "now" else 0
    return Estate(states, datetime.fromtimestamp(estate.now.timestamp() + 3600 * hours, UTC))


_RULES = {
    "KFK-DUR-001": {"min": 2, "max": 3},
    "KFK-SIZ-001": {"min": 1, "max": 2},
    "KFK-NAM-003": {"maxLength": 15},
    "KFK-GOV-001": {},
    "KFK-RET-001": {},
    "KFK-LST-001": {},
}


def settings(random: Any, kind: str) -> dict[str, Any]:
    """Return settings of a site: ``plain``, ``aged`` (audits have a limit of age) or ``elsewhere`` (GOV-005 is on).

    Args:
        random: A `random.Random`.
        kind: As above.
    """

    def modes() -> dict[str, Any]:
        chosen = random.sample(sorted(_RULES), 3)
        dated = {"mode": "deny", "enforceFrom": "2026-11-22"}
        return {
            id: {
                **random.choice([{"mode": "warn"}, {"mode": "dryrun"}, {"mode": "disabled"}, dated]),
                "params": _RULES[id],
            }
            for id in chosen
        }

    rows: list[dict[str, Any]] = [{"match": {"name": name}, "rules": modes()} for name in ("a", "b*")]
    waivers = [
        {"id": f"w{i}", "rule": rule, "owner": "o", "reason": "r", "ticket": "t", "expires": expires, "topic": topic}
        for i, (rule, expires, topic) in enumerate(
            [
                ("KFK-SIZ-001", "2026-12-01", "shop*"),
                ("KFK-NAM-003", "2026-11-21", "*"),
                ("KFK-DUR-001", "2026-11-01", "pay.paid"),
            ]
        )
    ]
    if kind == "aged":
        limits = [{"then": then, "maxAgeSeconds": seconds} for then, seconds in (("deny", 3600), ("warn", 5000))]
        for row, limit in zip(rows, limits, strict=True):
            row["freshness"] = {"operations": dict.fromkeys(["AuditTopic", "AuditBroker", "AuditAcl"], limit)}
    # Broken by most topics, so that it matters when a waiver ends and a denial begins.
    dated = {"mode": "deny", "enforceFrom": "2026-11-22", "params": {"min": 3, "max": 3}}
    rules = {**modes(), "KFK-SIZ-001": {"mode": "deny", "params": {"max": 1}}, "KFK-DUR-001": dated}
    if kind == "elsewhere":
        rules["KFK-GOV-005"] = {"mode": "deny", "params": {"order": ["a", "b", "c"]}}
    return {"rules": rules, "clusters": rows, "waivers": waivers}
