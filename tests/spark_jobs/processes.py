"""What tests of scans in several processes share."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.fixtures.run.class_archives import quick_java
from warden.analyse.scan.plan import ScanPlan
from warden.demo.estate import OBSERVED_AT
from warden.policy.opa.endpoints import RemoteOpa

__all__ = ["CHECKOUT", "NOW", "environment", "reference", "rows", "until"]

NOW = f"{OBSERVED_AT:%Y-%m-%dT%H:%M:%SZ}"


def until(condition: Callable[[], Any], what: str) -> Any:
    """Wait until something is so."""
    return eventually(condition, what)


def rows(directory: Path) -> list[dict[str, Any]]:
    """The decisions of a run, in order."""
    import pyarrow.parquet as pq

    found: list[dict[str, Any]] = pq.read_table(directory / "decisions").to_pylist()
    return sorted(found, key=lambda row: (row["cluster"], row["kind"], row["resource"]))


def environment(*, modules: bool) -> dict[str, str]:
    """The environment of a process that has Warden's modules on its path, or not."""
    from warden.base.toolchain.java import find_java

    known = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "SPARK", "PYSPARK"))
    }
    known |= {"JAVA_HOME": str(find_java()), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    path = {"PYTHONPATH": os.pathsep.join([str(CHECKOUT / "glue"), str(CHECKOUT)])} if modules else {}
    return known | quick_java() | path


@pytest.fixture(scope="module")
def reference(spark: Any, scan_opa: RemoteOpa, estate_directory: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The decisions of a scan in this process."""
    from spark_jobs.scan.run_scan import run_scan

    out = tmp_path_factory.mktemp("reference")
    return rows(run_scan(spark, ScanPlan(estate_directory, out, now=OBSERVED_AT, run_id="r"), scan_opa).directory)
