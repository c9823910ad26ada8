"""Runs in tables of a lakehouse: once each, whole or not seen, and no table of a newer Warden or of another owner."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.lakehouse import find_lakehouse_jars, find_older_spark
from tests.fixtures.run.unfetched import skip_unfetched
from tests.spark_jobs.processes import CHECKOUT, environment
from warden.analyse.report.finished_run import open_run
from warden.analyse.scan.table_place import parse_table_place
from warden.base.errors import ConfigurationError
from warden.policy.opa.endpoints import RemoteOpa


@pytest.fixture(scope="module")
def seen(scan_opa: RemoteOpa, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `tests.spark_jobs.scan.lakehouse_scan` has seen, and the rows of the run itself, by table."""
    import pyarrow.parquet as pq

    with skip_unfetched():
        spark, jars = find_older_spark(), find_lakehouse_jars()
    directory, known = tmp_path_factory.mktemp("lakehouse"), environment(modules=True)
    known["WARDEN_OPA_QUERY_TOKEN"] = scan_opa.token or ""
    known["PYTHONPATH"] = os.pathsep.join([str(spark), known["PYTHONPATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "tests.spark_jobs.scan.lakehouse_scan", directory, scan_opa.url, *jars],
        env=known,
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stderr
    run = open_run(directory / "runs" / "r").directory
    rows = {name: pq.read_table(run / name).num_rows for name in ("decisions", "findings", "passes", "not_evaluated")}
    return {**json.loads(done.stdout), "rows": rows | {"runs": 1}}


@pytest.mark.spark
@pytest.mark.opa
@pytest.mark.cluster
@pytest.mark.parametrize(("format", "scanned"), [("delta", "r"), ("iceberg", "s")])
def test_tables(seen: dict[str, Any], format: str, scanned: str) -> None:
    """A scan's run is in real tables, an older one too; written twice it is there once, and half of it is not seen."""
    found, rows = seen[format], {name: count for name, count in seen["rows"].items() if count}

    assert [scanned] == found["scanned"]
    assert rows.keys() >= {"decisions", "findings", "passes", "runs"}
    both = {name: dict.fromkeys("rs", rows[name]) if name in rows else {} for name in seen["rows"]}
    assert both == found["twice"] == found["again"]
    assert [["s"]] * 3 == found["killed"]
    assert found["newer"].startswith("its table passes has warden.schema_version 2, and Warden ")
    assert "its table passes is not Warden's, as it lacks warden.schema_version: name another place" == found["foreign"]
    assert found["older"]


@pytest.mark.spark
@pytest.mark.parametrize(
    ("place", "said"),
    [
        (
            "delta:tables",
            r"this Spark .* cannot use tables of Delta .* spark\.jars\.packages=io\.delta:delta-spark_4",
        ),
        (
            "iceberg:lake.a",
            r"this Spark .* cannot use tables of Iceberg .* --conf spark\.sql\.catalog\.lake=org\.",
        ),
    ],
)
def test_a_session_without_the_format(spark: Any, place: str, said: str) -> None:
    """The message says what to write."""
    from spark_jobs.scan.lakehouse import prepare_tables

    with pytest.raises(ConfigurationError, match=f"^--tables {place.partition(':')[0]}:.*: {said}"):
        prepare_tables(spark, parse_table_place(place))


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("delta:s3a://estate/warden/", "delta.`s3a://estate/warden/runs`"),
        ("delta:/a`b", "delta.`/a``b/runs`"),
        ("delta:tables", f"delta.`{Path('tables').absolute()}/runs`"),
        ("iceberg:lake.estate.warden", "`lake`.`estate`.`warden`.`runs`"),
    ],
)
def test_places(text: str, table: str) -> None:
    """Each has the names of its tables in SQL."""
    assert table == parse_table_place(text).name_table("runs")


@pytest.mark.parametrize("text", ["", "delta", "delta:", "iceberg:lake", "iceberg:a.b; DROP", "hudi:x", "s3a://x"])
def test_no_places(text: str) -> None:
    """The message says what to write."""
    with pytest.raises(ConfigurationError, match="write delta:DIRECTORY, delta:s3a://BUCKET/DIRECTORY or iceberg:"):
        parse_table_place(text)
