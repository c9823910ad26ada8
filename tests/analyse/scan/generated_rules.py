"""Random rules of a site, and the data that they read, for what has to hold whatever they are."""

from typing import Any

from hypothesis import strategies as st

__all__ = ["ELSEWHERE", "site_data", "site_module", "site_modules"]

# What a rule of a site reads: expressions of Rego with one value or several.
_OF_THE_TOPIC = [
    "input.operation",
    "input.cluster",
    "input.topic",
    "input.request",
    "input.enforcementPoint",
    "input.requested.numPartitions",
    "input.requested.replicationFactor",
    "input.requested.configs",
    "input.current.values",
    "input.labels.owner",
    'input.effective.values["retention.ms"]',
    'object.get(input.labels, "tier", "none")',
    'startswith(input.topic, "shop")',
    "not_there(input.principal)",
]
_OF_THE_STATE = [
    "input.clusterState.totals",
    "input.clusterState.totals.topics",
    "input.clusterState.clusterSize",
    "input.clusterState.defaults",
    'input.clusterState.brokers["1"].rack',
    "input.clusterState.meta.observedAt",
    "input.clusterState.namesByMetric",
    "input.clusterState.users",
    "count(input.clusterState.topics)",
    "input.clusterState.topics[input.topic].numPartitions",
    'input.clusterState.topics["shop.orders"].labels',
    "{name | some name, topic in input.clusterState.topics; topic.numPartitions > 3}",
    'object.get(input, ["clusterState", "totals", "partitions"], 0)',
    'object.get(input.clusterState, "clusterSize", 0)',
    "state.totals",
    'cluster.part(input, "totals")',
    'cluster.topic(input, "shop.orders").configs',
    "cluster.topic(input, input.topic).labels",
    "cluster.topics(input, true, true)",
    'cluster.broker_default(input, "num.partitions")',
]
ELSEWHERE = [
    "data.clusters.b.topics[input.topic].numPartitions",
    'data.clusters["a"].totals.topics',
    "data.clusters[input.cluster].clusterSize",
    "{name | data.clusters[name].topics[input.topic]}",
    "{name | some name in ['a', 'b']; not data.clusters[name].topics[input.topic]}".replace("'", '"'),
    "count(data.clusters.c.topics)",
    "{name: state.totals.topics | some name, state in data.clusters}",
    "object.keys(clusters)",
    'cluster.topic({"cluster": "b"}, input.topic).labels',
    'cluster.part({"cluster": "c"}, "defaults")',
    'cluster.has_topics("d")',
]
"""What such a rule reads of other clusters."""
_SITE = ["data.site.limits.partitions", "data.site.limits[input.cluster]", "data.site.teams", "data.elsewhere.limit"]
_TIME = ["input.now", 'input.now > time.parse_rfc3339_ns("2026-11-21T03:00:00Z")', "time.now_ns() > 1"]
_OPEN = [
    '{input[name] | some name in ["topic", "cluster", "labels"]}',
    "[part | walk(input.clusterState, [_, part]); is_number(part)]",
    "[part | walk(input, [_, part]); is_boolean(part)]",
    "{name | some name, _ in input}",
    "handed(input)",
    '{input.clusterState[name] | some name in ["totals", "defaults"]}',
    '{data.clusters.b[name] | some name in ["totals", "clusterSize"]}',
]

_MODULE = """package site.rules.{name}

import data.clusters
import data.kafka.cluster
import input.clusterState as state

deny contains {{"rule": "SITE-{name}", "severity": "{severity}", "message": message}} if {{
{condition}
	value := {value}
	message := json.marshal(value)
}}

not_there(_) := "none"

handed(document) := document.clusterState.totals
"""
_CONDITIONS = [
    "",
    '\tinput.operation == "AuditTopic"\n',
    "\tinput.requested.numPartitions > 2\n",
    '\tstartswith(input.topic, "shop")\n',
    "\tinput.clusterState.totals.topics > 2\n",
    "\tnot data.clusters.b.topics[input.topic]\n",
    '\tinput.cluster in {"a", "b"}\n',
]


def site_module(name: str, value: str, severity: str = "high", condition: str = "") -> str:
    """A module whose rule denies by a value, and shows it."""
    return _MODULE.format(name=name, value=value, severity=severity, condition=condition)


@st.composite
def site_modules(draw: Any) -> dict[str, str]:
    """Up to three modules, each with a rule that denies by the value that it reads, and shows it."""
    modules = {}
    for name in ["one", "two", "three"][: draw(st.sampled_from([0, 1, 1, 2, 3]))]:
        kind = draw(
            st.sampled_from([_OF_THE_TOPIC, _OF_THE_STATE, _OF_THE_STATE, ELSEWHERE, ELSEWHERE, _SITE, _TIME, _OPEN])
        )
        severity, condition = draw(st.sampled_from(["high", "low"])), draw(st.sampled_from(_CONDITIONS))
        modules[f"site/{name}.rego"] = site_module(name, draw(st.sampled_from(kind)), severity, condition)
    return modules


def site_data() -> st.SearchStrategy[dict[str, Any]]:
    """What lies under ``data.site`` besides rules."""
    limits = st.fixed_dictionaries({"partitions": st.integers(1, 5), "a": st.integers(1, 5)})
    return st.fixed_dictionaries({"limits": limits}, optional={"teams": st.just(["shop"])})
