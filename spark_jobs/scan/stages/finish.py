"""The files of a run beside its tables: figures, what it cost, the rules it was decided by, and reports."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from spark_jobs.scan.phase_timer import PhaseTimer
from spark_jobs.scan.tables import copy_tables
from warden.analyse.report.finished_run import FRAMEWORKS, RULES, open_run
from warden.analyse.report.summary import Summary, parse_summary
from warden.analyse.report.write import FORMATS, write_report
from warden.analyse.scan.plan import PreparedScan
from warden.analyse.scan.scan_rules import ScanRules
from warden.base.version import __version__

__all__ = ["build_metrics", "copy_earlier_run", "write_documents"]


def copy_earlier_run(
    spark: SparkSession, earlier: Path, prepared: PreparedScan, directory: Path
) -> tuple[Summary, dict[str, Any]]:
    """Take over what an earlier run found, which evaluated the same by the same policy; as of a run of its own."""
    before, summary = _read_json(earlier / "metrics.json"), parse_summary(_read_json(earlier / "summary.json"))
    copy_tables(spark, earlier, directory, old=summary.run_id, new=prepared.job.run_id)
    evaluated_at = f"{prepared.now:%Y-%m-%dT%H:%M:%SZ}"
    counts = {"resources": before["resources"], "evaluated": 0, "batches": 0, "notEvaluated": before["notEvaluated"]}
    return replace(summary, run_id=prepared.job.run_id, evaluated_at=evaluated_at), counts


def write_documents(directory: Path, summary: Summary, metrics: Mapping[str, Any], rules: ScanRules) -> None:
    """Write the documents and the reports of a run to the directory of its tables."""
    _write_json(directory / "summary.json", summary.to_document())
    _write_json(directory / "metrics.json", metrics)
    for name, document in {RULES: rules.metadata, FRAMEWORKS: rules.frameworks}.items():
        (directory / name).write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    run = open_run(directory)
    for form in ("html", "controls"):
        write_report(run, form, directory / FORMATS[form])


def build_metrics(
    prepared: PreparedScan, counts: Mapping[str, Any], inputs: str | None, timer: PhaseTimer
) -> dict[str, Any]:
    """Return metrics.json.

    Args:
        prepared: The run.
        counts: What it took, in numbers.
        inputs: The hash of what it is about; None where there is none.
        timer: What it took, in seconds.
    """
    seconds = timer.measure_total()
    return {
        **counts,
        "version": __version__,
        "inputs": inputs,
        "notRemembered": list(prepared.policy.uncacheable_reasons),
        "brokersUnreadable": sum(scanned.unreadable_brokers for scanned in prepared.scanned),
        "days": prepared.days,
        "sample": prepared.plan.sample,
        "where": prepared.plan.where,
        "seconds": {name: round(passed, 2) for name, passed in timer.laps.items()} | {"total": round(seconds, 2)},
        "perSecond": round(counts["resources"] / seconds, 1),
    }


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _write_json(path: Path, document: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
