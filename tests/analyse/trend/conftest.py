"""Runs over some days, written as scans leave them, and one Spark session."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def violation(rule: str = "R", **fields: Any) -> dict[str, Any]:
    """A violation as in a decision row."""
    known = {"effect": "deny", "severity": "high", "message": f"{rule} broken", "path": ["p"]}
    return {"rule": rule, **known, "fix": None, "patch": None, "waiver": None, **fields}


def decision(topic: str, *violations: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A decision row without what the run adds."""
    denies = any(each["effect"] == "deny" for each in violations)
    known = {"cluster": "c", "owner": "o", "status": "DENY" if denies else "ALLOW", "error": None}
    return {"topic": topic, "violations": [*violations], **known, **fields}


def error(topic: str, **fields: Any) -> dict[str, Any]:
    """The decision row of a topic that could not be evaluated."""
    return decision(topic, status="ERROR", error="poison", **fields)


def write_run(
    out: Path, run_id: str, evaluated_at: str, decisions: Sequence[dict[str, Any]], revision: str = "rev"
) -> None:
    """Write a run."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark.sql.pandas.types import to_arrow_schema

    from spark_jobs.common.schemas import RESOURCE_DECISION

    directory = out / run_id
    (directory / "decisions").mkdir(parents=True)
    rows = [{**row, "run_id": run_id, "revision": revision} for row in decisions]
    table = pa.Table.from_pylist(rows, schema=to_arrow_schema(RESOURCE_DECISION))
    pq.write_table(table, directory / "decisions" / "part-0.parquet")
    summary = {"run_id": run_id, "evaluated_at": evaluated_at, "revision": revision}
    (directory / "summary.json").write_text(json.dumps(summary))
