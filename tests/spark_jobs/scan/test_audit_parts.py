"""Topics are cut into the parts of their audits as the policy in force wants it."""

import json
from typing import Any

import pytest

pytestmark = pytest.mark.spark

CUT = {
    "divisible": True,
    "labels": {"labels": ["owner"], "configs": ["tier", "class"]},
    "named": {"labels": False, "configs": [], "prefixes": []},
    "replicationFactor": {"partition": "0", "without": "removing"},
}
TOPIC = {
    "topic": "shop.orders",
    "numPartitions": 6,
    "replicationFactor": 9,
    "replicasAssignments": {"0": [1, 2, 3], "1": [2, 3, 1]},
    "configs": {"segment.ms": "7", "flush.ms": None, "a": "1"},
    "labels": {"tier": "gold", "owner": "shop", "class": "x", "other": "y"},
    "internal": False,
    "markedForDeletion": False,
    "reassigning": {},
}
LABELS = {"operation": "AuditTopicLabels", "request": {"labels": {"owner": "shop"}, "internal": False}}
CONFIGS = {
    "operation": "AuditTopicConfigs",
    "request": {
        "numPartitions": 6,
        "replicationFactor": 3,
        "configs": {"a": "1", "flush.ms": None, "segment.ms": "7"},
        "labels": {"class": "x", "tier": "gold"},
        "internal": False,
    },
}


def cut_into(spark: Any, topic: dict[str, Any], counted: dict[str, str] | None = None, **named: Any) -> list[Any]:
    """Return the parts of a topic that several topics may share."""
    from spark_jobs.common.schemas import TOPIC as COLUMNS
    from spark_jobs.scan.audit_parts import build_shared_items, read_columns

    cut = {**CUT, "named": {**CUT["named"], **named}}  # type: ignore[dict-item]  # a mapping, to this test
    cut |= {"replicationFactor": counted} if counted else {}
    frame = spark.createDataFrame([tuple(topic[name] for name in COLUMNS.names)], COLUMNS)
    return [json.loads(text) for text in frame.select(*read_columns(cut)).select(*build_shared_items(cut)).first()]


def with_name(part: dict[str, Any]) -> dict[str, Any]:
    """Return the part with the topic's name in its request."""
    return {**part, "request": {"topic": "shop.orders", **part["request"]}}


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({}, [LABELS, CONFIGS]),
        ({"labels": True}, [with_name(LABELS), CONFIGS]),
        ({"configs": ["flush.ms"]}, [LABELS, with_name(CONFIGS)]),
        ({"configs": ["flush.messages"]}, [LABELS, CONFIGS]),
        ({"prefixes": ["other", "shop."]}, [with_name(LABELS), with_name(CONFIGS)]),
        ({"prefixes": ["shopXo"]}, [LABELS, CONFIGS]),
        ({"prefixes": ["hop.orders", "shop.orders."]}, [LABELS, CONFIGS]),
        ({"prefixes": [""]}, [with_name(LABELS), with_name(CONFIGS)]),
    ],
)
def test_the_name_goes_where_it_is_looked_at(spark: Any, named: dict[str, Any], expected: list[Any]) -> None:
    """A part has the topic's name where a rule or a waiver looks at it, and nowhere else."""
    assert expected == cut_into(spark, TOPIC, **named)


def test_equal_parts_are_equal_texts(spark: Any) -> None:
    """The order in which configs and labels were written down makes no difference."""
    from spark_jobs.common.schemas import TOPIC as COLUMNS
    from spark_jobs.scan.audit_parts import build_shared_items, read_columns

    turned = {
        name: dict(reversed(value.items())) if isinstance(value, dict) else value for name, value in TOPIC.items()
    }
    frame = spark.createDataFrame([tuple(one[name] for name in COLUMNS.names) for one in (TOPIC, turned)], COLUMNS)

    one, other = frame.select(*read_columns(CUT)).select(*build_shared_items(CUT)).collect()
    assert tuple(one) == tuple(other)


@pytest.mark.parametrize(
    ("changed", "factor"),
    [
        ({"reassigning": {"0": {"adding": [4], "removing": [1, 2]}}}, 1),
        ({"reassigning": {"0": {"adding": [4], "removing": []}}}, 3),
        ({"reassigning": {"1": {"adding": [4], "removing": [1]}}}, 3),
        ({"reassigning": None}, 3),
        ({"replicasAssignments": {"1": [1]}}, 0),
        ({"replicasAssignments": {}}, 0),
        ({"replicasAssignments": None}, None),
    ],
)
def test_replication_factor(spark: Any, changed: dict[str, Any], factor: int | None) -> None:
    """As the policy counts it: what is being removed is gone; what is not known is null, which OPA refuses."""
    assert factor == cut_into(spark, {**TOPIC, **changed})[1]["request"]["replicationFactor"]


def test_replicas_are_counted_as_the_plan_says(spark: Any) -> None:
    """Which partition counts, and what of its reassignment does not, is the policy's to say."""
    topic = {**TOPIC, "reassigning": {"1": {"adding": [3], "removing": [1, 2]}}}
    parts = cut_into(spark, topic, counted={"partition": "1", "without": "adding"})
    assert parts[1]["request"]["replicationFactor"] == 2


def test_names(spark: Any) -> None:
    """A name goes alone, with the flag that names are evaluated by."""
    from spark_jobs.scan.audit_parts import build_names_item

    frame = spark.createDataFrame([('a "b"', False), ("c", None)], "topic string, internal boolean")
    assert [{'a "b"': False}, {"c": None}] == [json.loads(row[0]) for row in frame.select(build_names_item()).collect()]
