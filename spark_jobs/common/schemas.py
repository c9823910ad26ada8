"""Columns of scans, their sources and tables; a change here is a change of the public API. Analyses have their own.

Topic and cluster rows are those of a snapshot directory (`warden.state.snapshot.layout`), with the partition columns
that Spark finds in the path.
"""

from typing import Final

from pyspark.sql import types as T

__all__ = [
    "CLUSTER",
    "FINDING",
    "INPUT_DECISION",
    "ITEM",
    "LOGGED_DECISION",
    "NOT_EVALUATED",
    "PARTITION",
    "PARTS",
    "PASSES",
    "RESOURCE_DECISION",
    "ROW",
    "ROW_WITHOUT_ID",
    "RUNS",
    "RUN_TABLES",
    "TABLES_VERSION",
    "TOPIC",
    "VIOLATION",
    "WAIVER",
    "build_texts",
]

_TEXT: Final = T.StringType()
_FLAG: Final = T.BooleanType()
_INT: Final = T.IntegerType()
_LONG: Final = T.LongType()
_INTS: Final = T.ArrayType(_INT)


def build_texts(*names: str) -> list[T.StructField]:
    """Return columns of text."""
    return [T.StructField(name, _TEXT) for name in names]


_DAY: Final = T.StructField("day", T.DateType())

PARTITION: Final = T.StructType([_DAY, *build_texts("cluster")])

CLUSTER: Final = T.StructType(build_texts("state"))

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

# What goes to Python: nothing but text, in the order of `warden.analyse.scan.batches.Row`.
ITEM: Final = T.StructType(build_texts("common", "hash", "item", "path"))

# What many topics share, where audits are cut into parts: the inputs about labels and about configs, else nulls.
PARTS: Final = ["labels_part", "configs_part"]

# A resource to evaluate, while a run lasts: which it is, its input, and the hash of all that its decision depends on
# besides the policy. `kind` is topic, broker, acl or client; `problem` says why there is no input; `other_days` are
# the days besides `day` that have the same, null where none have. Where audits are cut into parts the
# input is a topic's name.
ROW: Final = T.StructType(
    [
        T.StructField("id", _LONG),
        *PARTITION.fields,
        T.StructField("other_days", T.ArrayType(T.DateType())),
        *build_texts("kind", "resource", "owner", "common", "item", "path", *PARTS, "hash", "problem"),
    ]
)

# What a row has before it is written, and gets its id.
ROW_WITHOUT_ID: Final = [name for name in ROW.names if name != "id"]

# `expired` is true once the waiver has ended; the violation's effect is `waived` only while it holds.
WAIVER: Final = T.StructType(
    [*build_texts("id", "owner", "reason", "ticket", "expires"), T.StructField("expired", T.BooleanType())]
)

# `path` leads to the value in the resource, `actual` is its JSON text, null where the value is a default; `patch` is
# the JSON text of a JSON Patch; `cause` is `found` or `caused`, `before` what a found one said before the change.
VIOLATION: Final = T.StructType(
    [
        *build_texts("rule", "effect", "severity", "message"),
        T.StructField("path", T.ArrayType(_TEXT)),
        *build_texts("actual", "fix", "patch"),
        T.StructField("waiver", WAIVER),
        *build_texts("cause", "before"),
    ]
)

# What comes from Python, and what is cached: the decision of one distinct input. `item` is there for an ERROR only.
INPUT_DECISION: Final = T.StructType(
    [*build_texts("hash", "status"), T.StructField("violations", T.ArrayType(VIOLATION)), *build_texts("error", "item")]
)

# One row for each resource: status is ALLOW, DENY or ERROR; `topic` is the name of a topic, null for a broker;
# `input_hash` is the same for inputs that get the same decision under one revision; `input` is there for an ERROR only.
RESOURCE_DECISION: Final = T.StructType(
    [
        *build_texts("run_id", "revision", "cluster", "topic", "owner", "status"),
        T.StructField("violations", T.ArrayType(VIOLATION)),
        *build_texts("error"),
        _DAY,
        *build_texts("kind", "resource", "input_hash", "input"),
    ]
)

# One row for each violation.
FINDING: Final = T.StructType(
    [
        *build_texts("run_id", "revision", "cluster", "topic", "owner"),
        *VIOLATION.fields,
        _DAY,
        *build_texts("kind", "resource", "input_hash"),
    ]
)

# Resources, and lines of a source, that could not be evaluated, with the reason and the input.
NOT_EVALUATED: Final = T.StructType(
    [*build_texts("run_id", "revision", "cluster"), _DAY, *build_texts("kind", "resource", "owner", "reason", "input")]
)

# How often each rule was evaluated: resources evaluated, those that break it with whatever effect, and those that pass.
PASSES: Final = T.StructType(
    [
        *build_texts("run_id", "revision", "cluster"),
        _DAY,
        *build_texts("kind", "rule"),
        T.StructField("evaluated", _LONG),
        T.StructField("broken", _LONG),
        T.StructField("passed", _LONG),
    ]
)

# One row for each decision in OPA's decision log. `item` is the JSON text of the decision input as it was logged, to be
# merged over `common` where that is not null (a batch, whose item was sent under `key`); `result` is the decision, null
# where OPA failed and `error` says why. `masked` names what the log does not show as it was. `timestamp` is RFC 3339,
# the time of the decision where the input has no `now`. Where `problem` is set the rest is not to be relied on.
# `members` is what a batch says besides `items` and `common` where it has an order, as JSON text: its items are decided
# together; null where each is decided for itself.
LOGGED_DECISION: Final = T.StructType(
    [
        *build_texts("decision_id", "timestamp", "path", "revision", "requested_by", "key", "common", "item"),
        *build_texts("result", "error"),
        T.StructField("masked", T.ArrayType(_TEXT)),
        *build_texts("problem", "members"),
    ]
)

RUN_TABLES: Final = {
    "decisions": RESOURCE_DECISION,
    "findings": FINDING,
    "passes": PASSES,
    "not_evaluated": NOT_EVALUATED,
}
"""The tables of a run, each a directory that is called so."""

# One row for each run that the tables of a lakehouse have as a whole.
RUNS: Final = T.StructType(build_texts("run_id", "revision", "evaluated_at", "source", "version"))

TABLES_VERSION: Final = 1
"""Version of the columns of `RUN_TABLES` and `RUNS` in a lakehouse: one more where a column is added."""
