"""Runs over some days, written as scans leave them, and one Spark session."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.sessions import browser, spark

__all__ = ["browser", "spark"]


def violation(rule: str = "R", **fields: Any) -> dict[str, Any]:
    """A violation as in a verdict row."""
    known = {"mode": "deny", "severity": "high", "message": f"{rule} broken", "path": ["p"]}
    return {"rule": rule, **known, "fix": None, "patch": None, "waiver": None, **fields}


def verdict(topic: str, *violations: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A verdict row without what the run adds."""
    denies = any(each["mode"] == "deny" and not each["waiver"] for each in violations)
    known = {"cluster": "c", "owner": "o", "status": "DENY" if denies else "ALLOW", "error": None}
    return {"topic": topic, "violations": [*violations], **known, **fields}


def error(topic: str, **fields: Any) -> dict[str, Any]:
    """The verdict row of a topic that could not be judged."""
    return verdict(topic, status="ERROR", error="poison", **fields)


def write_run(
    out: Path, run_id: str, judged_at: str, verdicts: Sequence[dict[str, Any]], revision: str = "rev"
) -> None:
    """Write a run."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark.sql.pandas.types import to_arrow_schema

    from spark_jobs.schemas import VERDICT

    directory = out / run_id
    (directory / "verdicts").mkdir(parents=True)
    rows = [{**row, "run_id": run_id, "revision": revision} for row in verdicts]
    table = pa.Table.from_pylist(rows, schema=to_arrow_schema(VERDICT))
    pq.write_table(table, directory / "verdicts" / "part-0.parquet")
    summary = {"run_id": run_id, "judged_at": judged_at, "revision": revision}
    (directory / "summary.json").write_text(json.dumps(summary))
