"""The part of `warden.analyse.proposal.propose` that needs Spark: scans under a survey's settings, and their counts."""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pyspark.sql import SparkSession

from spark_jobs.analyse.count_survey import count_survey
from spark_jobs.common.errors import translate_errors
from spark_jobs.common.job_opa import open_job_opa
from spark_jobs.scan.run_scan import run_scan
from warden.analyse.scan.plan import ScanPlan
from warden.policy.opa.session import OpaOptions

__all__ = ["count_snapshot"]


def count_snapshot(
    open_spark: Callable[[], AbstractContextManager[SparkSession]], snapshot: Path, survey: Mapping[str, Any]
) -> dict[str, Any]:
    """Scan a snapshot under each of a survey's settings, and count.

    A `warden.analyse.proposal.propose.Counting` where the first argument is given.

    Args:
        open_spark: Returns the session.
        snapshot: The snapshot directory.
        survey: What `checks.proposal.survey` returned.
    """
    with TemporaryDirectory(prefix="warden-propose-") as scratch, open_spark() as spark:
        runs = {}
        for name, settings in survey["settings"].items():
            file = Path(scratch) / f"{name}.yaml"
            file.write_text(json.dumps(settings), encoding="utf-8")
            with open_job_opa(spark, OpaOptions(settings=file)) as session:
                plan = ScanPlan(snapshot, Path(scratch) / "runs", run_id=name, remember=False)
                runs[name] = run_scan(spark, plan, session.endpoint, here=session.driver).directory
        with translate_errors():
            return count_survey(spark, runs, survey)
