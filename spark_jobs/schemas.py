"""The columns of everything the jobs read and write; a change here is a change of the product's public API.

Topic and cluster rows are those of a snapshot directory (`warden.snapshot.layout`), with the partition columns that
Spark finds in the path.
"""

from typing import Final

from pyspark.sql import types as T

__all__ = ["CLUSTER", "DECISION", "FINDING", "ITEM", "PARTITION", "TOPIC", "VERDICT", "VIOLATION", "WAIVER"]

_TEXT: Final = T.StringType()
_FLAG: Final = T.BooleanType()
_INT: Final = T.IntegerType()
_INTS: Final = T.ArrayType(_INT)

PARTITION: Final = T.StructType([T.StructField("day", T.DateType()), T.StructField("cluster", _TEXT)])

CLUSTER: Final = T.StructType([T.StructField("state", _TEXT)])

TOPIC: Final = T.StructType(
    [
        T.StructField("topic", _TEXT),
        T.StructField("numPartitions", _INT),
        T.StructField("replicationFactor", _INT),
        T.StructField("replicasAssignments", T.MapType(_TEXT, _INTS)),
        T.StructField("configs", T.MapType(_TEXT, _TEXT)),
        T.StructField("labels", T.MapType(_TEXT, _TEXT)),
        T.StructField("internal", _FLAG),
        T.StructField("markedForDeletion", _FLAG),
        T.StructField(
            "reassigning",
            T.MapType(_TEXT, T.StructType([T.StructField("adding", _INTS), T.StructField("removing", _INTS)])),
        ),
    ]
)

# What goes to Python: nothing but text.
ITEM: Final = T.StructType([T.StructField(name, _TEXT) for name in ("cluster", "key", "owner", "item")])

WAIVER: Final = T.StructType([T.StructField(name, _TEXT) for name in ("id", "owner", "reason", "ticket", "expires")])

VIOLATION: Final = T.StructType(
    [
        T.StructField("rule", _TEXT),
        T.StructField("mode", _TEXT),
        T.StructField("severity", _TEXT),
        T.StructField("message", _TEXT),
        T.StructField("path", T.ArrayType(_TEXT)),
        T.StructField("fix", _TEXT),
        T.StructField("patch", _TEXT),
        T.StructField("waiver", WAIVER),
    ]
)

# One row for each resource: run_id, revision, cluster, topic, owner, status (ALLOW, DENY, ERROR), violations, error.
VERDICT: Final = T.StructType(
    [
        T.StructField("run_id", _TEXT),
        T.StructField("revision", _TEXT),
        T.StructField("cluster", _TEXT),
        T.StructField("topic", _TEXT),
        T.StructField("owner", _TEXT),
        T.StructField("status", _TEXT),
        T.StructField("violations", T.ArrayType(VIOLATION)),
        T.StructField("error", _TEXT),
    ]
)

# One row for each violation.
FINDING: Final = T.StructType([*VERDICT.fields[:5], *VIOLATION.fields])

# One row for each decision in OPA's decision log. `item` is the JSON text of the decision input as it was logged, to be
# merged over `common` where that is not null (a batch, whose item was sent under `key`); `result` is the decision, null
# where OPA failed and `error` says why. `masked` names what the log does not show as it was. `timestamp` is RFC 3339,
# the time of the decision where the input has no `now`. Where `problem` is set the rest is not to be relied on.
DECISION: Final = T.StructType(
    [
        *[T.StructField(name, _TEXT) for name in ("decision_id", "timestamp", "path", "revision", "requested_by")],
        *[T.StructField(name, _TEXT) for name in ("key", "common", "item", "result", "error")],
        T.StructField("masked", T.ArrayType(_TEXT)),
        T.StructField("problem", _TEXT),
    ]
)
