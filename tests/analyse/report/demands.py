"""What a reader of a format demands, as pairs: how to see that it is fulfilled, and how to spoil it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from warden.analyse.report.finished_run import open_run
from warden.analyse.report.write import iter_report

__all__ = ["Demands", "evaluate"]

Demands = Mapping[str, tuple[Callable[[Any], bool], Callable[[Any], Any]]]
"""Demand → whether a report fulfils it, and what takes just that from a report."""


def evaluate(demands: Demands, demand: str, run: Path, format: str, parsed: Callable[[str], Any]) -> tuple[bool, bool]:
    """Return whether a report fulfils a demand, and whether it still does once it is spoilt in this one thing."""
    check, spoil = demands[demand]
    text = "".join(iter_report(open_run(run), format))
    report, spoilt = parsed(text), parsed(text)
    spoil(spoilt)
    return check(report), check(spoilt)
