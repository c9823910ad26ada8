"""Figures of tables that are made up."""

from pathlib import Path
from typing import Any

import pytest

from tests.analyse.report.conftest import decision, violation, written_run
from warden.analyse.report.compare import Comparison
from warden.analyse.report.finished_run import open_run

pytestmark = pytest.mark.spark

# Topic → how many violations of which severity it has; the worst first.
_WORST: dict[str, dict[str, int]] = {
    "one-critical": {"critical": 1},
    "high-and-medium": {"high": 1, "medium": 1},
    "high-and-low": {"high": 1, "low": 30, "info": 30},
    "many-medium": {"medium": 11},
    "one-medium": {"medium": 1},
    "many-low": {"low": 11},
    "a-low-and-info": {"low": 1, "info": 1},
    "b-low-and-info": {"low": 1, "info": 1},
    "low": {"low": 1},
    "info": {"info": 1},
}


def _decide(topic: str) -> dict[str, Any]:
    broken = [
        violation(f"KFK-{severity}", severity, path=[str(number)])
        for severity, count in _WORST[topic].items()
        for number in range(count)
    ]
    return decision("c", topic, *broken)


def test_worst(spark: Any, tmp_path: Path) -> None:
    """However many lesser violations there are, they weigh less than one that is more severe; so they do where new."""
    from spark_jobs.common.schemas import FINDING, NOT_EVALUATED, RESOURCE_DECISION
    from spark_jobs.scan.aggregate import count_figures
    from spark_jobs.scan.table_rows import count_resources
    from spark_jobs.scan.tables import Tables

    decisions = [*map(_decide, sorted(_WORST)), decision("c", "fine")]
    findings = [{**row, "day": row["day"].isoformat(), **each} for row in decisions for each in row["violations"]]
    run = open_run(written_run(tmp_path / "run", decisions, findings))
    before = open_run(written_run(tmp_path / "before", [], []))
    read = spark.read.schema(RESOURCE_DECISION).parquet(str(tmp_path / "run" / "decisions"))
    found = spark.read.schema(FINDING).parquet(str(tmp_path / "run" / "findings"))
    tables = Tables(read, count_resources(read), found, spark.createDataFrame([], NOT_EVALUATED))
    worst = count_figures(tables)["worst"]

    assert [*_WORST] == [row["topic"] for row in worst]
    assert [*_WORST] == [row["topic"] for row in Comparison(before, run).select_worst(len(_WORST))]
