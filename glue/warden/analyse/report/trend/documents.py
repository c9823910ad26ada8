"""Trend and drift for programs: one JSON document, with the history of every finding, a piece at a time."""

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from warden.analyse.report.json_stream import iter_json_document
from warden.analyse.trend.drift import Drift
from warden.analyse.trend.summary import Trend

__all__ = ["iter_histories", "iter_json"]


def iter_histories(out: Path) -> Iterator[dict[str, Any]]:
    """Yield the history of every finding, as `spark_jobs.analyse.trend` left them in a directory."""
    import pyarrow.dataset as ds

    for batch in ds.dataset(out / "history", format="parquet").to_batches():
        for row in batch.to_pylist():
            yield {name: value.isoformat() if isinstance(value, date) else value for name, value in row.items()}


def iter_json(trend: Trend | None, drift: Sequence[Drift] | None, out: Path) -> Iterator[str]:
    """Yield the document: ``trend``, ``drift`` and ``findings``; null where it was not requested."""
    head = {
        "trend": None if trend is None else trend.to_document(),
        "drift": None if drift is None else [difference.to_document() for difference in drift],
    }
    yield from iter_json_document(head, "findings", () if trend is None else iter_histories(out))
