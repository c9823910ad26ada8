"""Topics divided into the parts of their audits (docs/reference/contract.md), as JSON text made in the JVM.

A part carries what its rules read and no more, in one order, so that equal parts are equal texts. Nothing here takes a
function of elements, such as `exists`: Spark compiles rows that are made without, and interprets the others.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import Column
from pyspark.sql import functions as F

__all__ = ["build_name_item", "build_names_item", "build_shared_items", "read_columns"]


def read_columns(cut: Mapping[str, Any]) -> list[Column]:
    """What parts are made of, from the columns of `spark_jobs.common.schemas.TOPIC`.

    Args:
        cut: The answer of OPA to ``kafka/audit_parts/plan``.
    """
    return [
        *[F.col(name) for name in ("topic", "numPartitions", "configs", "labels", "internal")],
        _count_replicas(**cut["replicationFactor"]).alias("replicationFactor"),
    ]


def build_names_item() -> Column:
    """What `warden.analyse.scan.batches.NAMES` is evaluated a topic: ``{name: internal}``."""
    return F.to_json(F.create_map("topic", "internal"), _WITH_NULLS)


def build_name_item(*state: Column) -> Column:
    """The input about a topic's name alone.

    Args:
        state: Parts of the cluster's state that are about this name.
    """
    return _build_item("AuditTopicName", [F.col("topic"), F.col("internal")], state)


def build_shared_items(cut: Mapping[str, Any]) -> list[Column]:
    """Return the inputs about a topic's labels and about its configs and numbers.

    Args:
        cut: The answer of OPA to ``kafka/audit_parts/plan``. The rows have the `read_columns`.
    """
    named = cut["named"]
    waived = _has_prefix(F.col("topic"), named["prefixes"])
    overrides, internal = F.col("configs"), F.col("internal")
    looked_at = F.arrays_overlap(F.map_keys(overrides), _build_text_array(named["configs"]))
    of_labels = [_select_labels(cut["labels"]["labels"]), internal]
    of_configs = [
        F.col("numPartitions"),
        F.col("replicationFactor"),
        _sort_map(overrides).alias("configs"),
        _select_labels(cut["labels"]["configs"]),
        internal,
    ]
    return [
        _choose_item(F.lit(True) if named["labels"] else waived, "AuditTopicLabels", of_labels),
        _choose_item(waived | looked_at, "AuditTopicConfigs", of_configs),
    ]


_TEXTS = "map<string,string>"
# A config that is null is not one that is absent.
_WITH_NULLS = {"ignoreNullFields": "false"}


def _build_item(operation: str, fields: Sequence[Column], state: Sequence[Column] = ()) -> Column:
    more = [F.struct(*state).alias("clusterState")] if state else []
    return F.to_json(
        F.struct(F.lit(operation).alias("operation"), F.struct(*fields).alias("request"), *more), _WITH_NULLS
    )


def _choose_item(named: Column, operation: str, fields: Sequence[Column]) -> Column:
    return F.when(named, _build_item(operation, [F.col("topic"), *fields])).otherwise(_build_item(operation, fields))


def _has_prefix(name: Column, prefixes: Sequence[str]) -> Column:
    if not prefixes:
        return F.lit(False)
    return name.rlike("^(?:" + "|".join(re.escape(prefix) for prefix in prefixes) + ")")


def _select_labels(names: Sequence[str]) -> Column:
    """The labels of these names, those that the topic has."""
    labels, none = F.col("labels"), F.create_map().cast(_TEXTS)
    entries = [F.when(F.map_contains_key(labels, n), F.create_map(F.lit(n), labels[n])) for n in sorted(names)]
    chosen = F.map_concat(none, *[F.coalesce(entry, none) for entry in entries])
    return F.when(labels.isNotNull(), chosen).alias("labels")


def _sort_map(texts: Column) -> Column:
    return F.map_from_entries(F.sort_array(F.map_entries(texts)))


def _build_text_array(names: Sequence[str]) -> Column:
    return F.array(*[F.lit(name) for name in names]).cast("array<string>")


def _count_replicas(partition: str, without: str) -> Column:
    """Replicas of a partition less those of a field of its reassignment; 0 where there is no such partition."""
    replicas = F.col("replicasAssignments").getItem(partition)
    leaving = F.col("reassigning").getItem(partition).getField(without)
    staying = F.when(leaving.isNull(), replicas).otherwise(F.array_except(replicas, leaving))
    counted = F.when(replicas.isNull(), F.lit(0)).otherwise(F.size(staying))
    return F.when(F.col("replicasAssignments").isNotNull(), counted)
