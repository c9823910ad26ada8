"""However many rows have one reason, or one class: no query gathers all in one row, or orders all in one task."""

import json
from pathlib import Path
from typing import Any

import pytest

from warden.policy.opa.endpoints import RemoteOpa

pytestmark = pytest.mark.spark

_HELD = "the log does not show the input"


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The plans of all queries whose rows come to the driver from here on."""
    from pyspark.sql.classic.dataframe import DataFrame

    collected: list[str] = []
    collect = DataFrame.collect

    def record(frame: Any) -> Any:
        collected.append(frame._jdf.queryExecution().optimizedPlan().toString())
        return collect(frame)

    monkeypatch.setattr(DataFrame, "collect", record)
    return collected


@pytest.mark.opa
def test_decisions_that_are_not_replayed(spark: Any, scan_opa: RemoteOpa, plans: list[str], tmp_path: Path) -> None:
    """Of many with one reason the first thousand are named, each once, and all are counted."""
    from spark_jobs.analyse.impact import ImpactInputs, analyse

    ids = [f"d{number:04}" for number in range(1005)]
    with (tmp_path / "log").open("w", encoding="utf-8") as log:
        for id in reversed(ids):
            print(json.dumps({"decision_id": id, "path": "kafka/decision", "erased": ["/input"]}), file=log)
    impact = analyse(spark, ImpactInputs([tmp_path / "log"]), scan_opa, scan_opa, tmp_path / "out")

    assert [(_HELD, 1005, ids[:1000])] == [(each.reason, each.decisions, each.ids) for each in impact.not_evaluated]
    assert [] == [plan for plan in plans if "collect_set" in plan]


def test_bounds_of_a_class(spark: Any, plans: list[str], tmp_path: Path) -> None:
    """Shares of six resources: one has no limit, two have the same value, and one breaks nothing."""
    from spark_jobs.analyse.count_survey import count_survey
    from spark_jobs.common.frames import make_frame
    from spark_jobs.common.schemas import FINDING, NOT_EVALUATED, PASSES

    broken = {"a": "-1", "b": "3", "c": "2", "d": "2.000", "e": "1"}
    findings = [
        {"cluster": "c", "topic": name, "resource": name, "rule": "R", "message": f"it has {value}"}
        for name, value in broken.items()
    ]
    passes = [{"cluster": "c", "rule": "R", "evaluated": 6, "broken": 5, "passed": 1}]
    runs = {}
    for run in ("all", "greatest", "least"):
        runs[run] = tmp_path / run
        of_run = findings if run == "greatest" else []
        for name, rows, schema in (
            ("findings", of_run, FINDING),
            ("passes", passes, PASSES),
            ("not_evaluated", [], NOT_EVALUATED),
        ):
            make_frame(spark, rows, schema).write.parquet(str(runs[run] / name))
    bounds = [("R", "max", "greatest", "it has (-?[0-9.]+)")]
    shares = [100, 80, 60, 50, 30, 10]
    counted = count_survey(spark, runs, {"classes": {"c": "prod"}, "outliers": 3, "bounds": bounds, "shares": shares})

    found = {"100": "none", "80": "3", "60": "2", "50": "2", "30": "1", "10": "any"}
    rule = {"evaluated": 6, "broken": 5, "outliers": [], "bounds": {"max": found}}
    assert {"prod": {"unevaluated": 0, "rules": {"R": rule}}} == counted
    assert [] == [plan for plan in plans if "row_number" in plan and "share" in plan]
