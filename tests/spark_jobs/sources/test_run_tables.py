"""The tables of a run by Spark's own means: the format that it finds, its options, and runs of an older Warden."""

import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.errors import PySparkException

from spark_jobs.scan.run_scan import run_scan
from tests.fixtures.checkout import CHECKOUT
from warden.analyse.scan.plan import ScanPlan
from warden.demo.estate import OBSERVED_AT
from warden.policy.opa.endpoints import RemoteOpa

pytestmark = [pytest.mark.spark, pytest.mark.opa]

_TABLES = ("decisions", "findings", "passes", "not_evaluated")


@pytest.fixture(scope="module")
def runs(spark: Any, scan_opa: RemoteOpa, estate_directory: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with one run, which is the latest."""
    directory = tmp_path_factory.mktemp("site") / "build" / "runs"
    run_scan(spark, ScanPlan(estate_directory, directory, now=OBSERVED_AT, run_id="nightly"), scan_opa)
    return directory


@pytest.mark.parametrize("table", _TABLES)
def test_rows_are_those_of_the_files(spark: Any, runs: Path, table: str) -> None:
    """Of the latest run and of one by name, with the same columns and types."""
    written = spark.read.parquet(str(runs / "nightly" / table))
    for directory in (runs, runs / "nightly"):
        read = spark.read.format("warden").option("run", str(directory)).option("table", table).load()
        assert written.schema == read.schema
        assert sorted(map(str, written.collect())) == sorted(map(str, read.collect()))
    assert table == "not_evaluated" or written.count()


def test_findings_are_what_is_read_first(spark: Any, runs: Path) -> None:
    """Without an option, and with the directory as `load` takes one."""
    read = spark.read.format("warden").load(str(runs))
    assert read.count() == len((runs / "nightly" / "findings.jsonl").read_text(encoding="utf-8").splitlines())


def test_a_run_of_an_older_warden(spark: Any, runs: Path, tmp_path: Path) -> None:
    """A column that was not there is null."""
    (tmp_path / "findings").mkdir()
    (tmp_path / "summary.json").write_bytes((runs / "nightly" / "summary.json").read_bytes())
    whole = pq.read_table(runs / "nightly" / "findings", partitioning=None)
    pq.write_table(whole.drop_columns(["cause", "before"]), tmp_path / "findings" / "a.parquet")
    rows = spark.read.format("warden").option("run", str(tmp_path)).load().select("rule", "cause", "before").collect()
    assert sorted(whole["rule"].to_pylist()) == sorted(row.rule for row in rows)
    assert {(None, None)} == {(row.cause, row.before) for row in rows}


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "no run is named: write"),
        ({"run": "nowhere"}, "nowhere: not a run, it has no summary.json"),
        (
            {"run": "s3a://estate/runs"},
            'read its files as they are, as spark.read.parquet("s3a://estate/runs/RUN/findi',
        ),
        ({"run": "nowhere", "table": "history"}, "unknown table history: write one of decisions, findings"),
        ({"rum": "build/runs"}, "unknown option rum: write run, the nearest of path, run, table"),
    ],
)
def test_what_cannot_be_read(spark: Any, options: dict[str, str], text: str) -> None:
    """The message names the option, and what to write."""
    with pytest.raises(PySparkException, match=re.escape(text)):
        spark.read.format("warden").options(**options).load().count()


def test_another_format(spark: Any, runs: Path, tmp_path: Path) -> None:
    """Tables that are not Parquet are named, and are not taken for empty ones."""
    (tmp_path / "findings").mkdir()
    (tmp_path / "summary.json").write_bytes((runs / "nightly" / "summary.json").read_bytes())
    (tmp_path / "findings" / "part-0.json").write_text("{}\n")
    with pytest.raises(PySparkException, match="its tables are not Parquet"):
        spark.read.format("warden").option("run", str(tmp_path)).load().count()


def test_the_page(spark: Any, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the page about tables shows works, and shows rules: Spark's own directory is where it was started."""
    page = (CHECKOUT / "docs" / "reference" / "tables.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    for block in blocks:
        exec(compile(block.replace("build/runs", str(runs)), "tables.md", "exec"), {})
    assert 2 == len(blocks)
    assert "KFK-" in capsys.readouterr().out
