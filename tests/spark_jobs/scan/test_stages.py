"""The stages of a scan by themselves: what each hands on, from rows that are made up."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from warden.analyse.scan.evaluate import ScanJob
from warden.base.errors import ConfigurationError

pytestmark = pytest.mark.spark

DAY, LATER = date(2026, 11, 21), date(2026, 11, 22)


def _rows(spark: Any, *rows: dict[str, Any]) -> Any:
    """Rows of a run; each is a topic of one day unless it says otherwise."""
    from spark_jobs.common.schemas import ROW
    from spark_jobs.scan.row_counts import count_rows
    from spark_jobs.scan.stages.read import Rows

    usual = {"day": DAY, "cluster": "c", "kind": "topic", "common": "shared", "path": "kafka/decisions"}
    whole = [dict.fromkeys(ROW.names) | usual | {"id": id, "resource": f"t{id}"} | row for id, row in enumerate(rows)]
    frame = spark.createDataFrame([tuple(row[name] for name in ROW.names) for row in whole], ROW)
    return Rows(frame, count_rows(frame, days=2))


def _known(spark: Any, **statuses: str) -> Any:
    from spark_jobs.common.schemas import INPUT_DECISION

    return spark.createDataFrame([(hash, status, [], None, None) for hash, status in statuses.items()], INPUT_DECISION)


def _ids(frame: Any) -> list[int]:
    return sorted(row["id"] for row in frame.select("id").collect())


def test_divide(spark: Any) -> None:
    """Of each distinct input that is not cached one row is chosen, with its parts; damaged rows are neither."""
    from spark_jobs.scan.stages.divide import divide_rows

    part = {"labels_part": "labels"}
    rows = _rows(
        spark,
        {"hash": "a", "item": "x", **part},
        {"hash": "b", "item": "y", **part},
        {"hash": "a", "item": "x", **part},
        {"hash": "c", "item": "z", "configs_part": "configs"},
        {"problem": "cut off"},
    )
    with divide_rows(rows, _known(spark, c="ALLOW")) as inputs:
        assert (2, 1, 1, 3) == (inputs.count, inputs.part_count, inputs.new_part_count, inputs.total)
        assert ([0, 1], [2, 3]) == (_ids(inputs.chosen), _ids(inputs.others))
        assert ["labels"] == [row["item"] for row in inputs.parts.collect()]
    with divide_rows(rows, None) as inputs:
        assert ([0, 1, 3], [2]) == (_ids(inputs.chosen), _ids(inputs.others))


def test_join_of_what_is_cached(spark: Any, tmp_path: Path) -> None:
    """OPA decides nothing where all is known; each day of a row has its decision, and what is damaged an error."""
    from spark_jobs.common.progress import Counter
    from spark_jobs.scan.stages.ask import ask_opa
    from spark_jobs.scan.stages.divide import divide_rows
    from spark_jobs.scan.stages.join import join_decisions
    from warden.policy.opa.endpoints import RemoteOpa

    rows = _rows(
        spark, {"hash": "a", "item": "x", "other_days": [LATER]}, {"hash": "b", "item": "y"}, {"problem": "cut off"}
    )
    job = ScanJob(run_id="r", revision="1", shared_inputs={})
    with divide_rows(rows, _known(spark, a="DENY", b="ALLOW")) as inputs:
        answers = ask_opa(spark, job, inputs, RemoteOpa("http://127.0.0.1:9", None), Counter.create(spark), tmp_path)
        fresh = join_decisions(spark, job, answers, tmp_path / "decisions")

    found = spark.read.parquet(str(tmp_path / "decisions")).select("topic", "day", "status", "error").collect()
    assert (None, None, 0) == (fresh, answers.rows, inputs.total)
    assert {
        ("t0", DAY, "DENY", None),
        ("t0", LATER, "DENY", None),
        ("t1", DAY, "ALLOW", None),
        ("t2", DAY, "ERROR", "cut off"),
    } == {tuple(row) for row in found}


@pytest.mark.parametrize("format", ["parquet", "csv", "json", "orc"])
def test_a_format_that_spark_has(spark: Any, tmp_path: Path, format: str) -> None:
    """It is tried with the columns of each table, and nothing is left of that."""
    from spark_jobs.scan.tables import check_format

    check_format(spark, tmp_path, format)

    assert [] == [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("format", "said"), [("avro", "Failed to find data source: avro"), ("text", "The Text datasource")]
)
def test_a_format_that_spark_lacks(spark: Any, tmp_path: Path, format: str, said: str) -> None:
    """The option is named, and what to write."""
    from spark_jobs.scan.tables import check_format

    advice = (
        f"^--format {format}: Spark cannot write the tables so: write parquet, json, csv or orc, or give .*: .*{said}"
    )
    with pytest.raises(ConfigurationError, match=advice):
        check_format(spark, tmp_path, format)

    assert [] == [*tmp_path.iterdir()]
