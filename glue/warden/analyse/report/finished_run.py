"""Results of a finished scan, read row by row from its directory, whatever its size."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from warden.analyse.report.controls import FrameworkEvidence
from warden.analyse.report.evidence import read_evidence
from warden.analyse.report.summary import RuleCount, Summary, parse_summary
from warden.analyse.scan.decision_rows import DENY, ERROR
from warden.base.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.dataset as ds

__all__ = ["FRAMEWORKS", "RULES", "ClusterCounts", "RulePasses", "Run", "open_run"]

RULES = "rules.json"
"""File of a run with the metadata of the rules that were evaluated: the answer of the entry point ``catalog/rules``."""

FRAMEWORKS = "frameworks.json"
"""File of a run with the frameworks of controls that its rules name, as ``bundle/catalog/controls`` has them."""

_FINDINGS = "findings.jsonl"


class RulePasses(NamedTuple):
    """How many resources a rule evaluated, how many break it with whatever effect, and how many pass."""

    evaluated: int
    broken: int
    passed: int


@dataclass(frozen=True)
class ClusterCounts:
    """One cluster in a run, on its newest day.

    Args:
        name: The cluster.
        day: The day.
        resources: How many there are a decision on.
        denied: Those that a rule denies.
        errors: Those that could not be evaluated.
    """

    name: str
    day: date
    resources: int
    denied: int
    errors: int

    @property
    def allowed(self) -> int:
        """Those that no rule denies."""
        return self.resources - self.denied - self.errors


@dataclass(frozen=True)
class Run:
    """A run.

    Args:
        directory: Where its results are.
        summary: Its figures.
        rules: Metadata of the rules by id, as ``catalog/rules`` gives it; empty where it is not known.
        frameworks: Frameworks of controls by name; empty where they are not known.
    """

    directory: Path
    summary: Summary
    rules: Mapping[str, Any] = field(default_factory=dict)
    frameworks: Mapping[str, Any] = field(default_factory=dict)

    @property
    def findings_path(self) -> Path:
        """The findings as JSON lines."""
        return self.directory / _FINDINGS

    def iter_findings(self) -> Iterator[dict[str, Any]]:
        """Yield every finding, most severe first.

        Raises:
            InputError: The file is missing or damaged.
        """
        try:
            with self.findings_path.open(encoding="utf-8") as lines:
                for line in lines:
                    yield _parse_finding(line)
        except OSError as error:
            raise InputError(f"{self.findings_path}: cannot be read ({error.strerror}): is this a run?") from error
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError(f"{self.findings_path}: not JSON lines ({error}): scan again") from error

    def iter_states(self) -> Iterator[tuple[dict[str, Any], str | None]]:
        """Yield every finding with its state since a baseline; None where the run is compared with none.

        Raises:
            InputError: The file is missing or damaged.
        """
        for finding in self.iter_findings():
            yield finding, None

    def list_rule_counts(self) -> list[RuleCount]:
        """Return the counts by rule of the findings that `iter_states` yields."""
        return self.summary.rules

    @property
    def baseline_summary(self) -> Summary | None:
        """The figures of the baseline that the run is compared with."""
        return None

    @property
    def whole_run(self) -> "Run":
        """The run with all of its findings."""
        return self

    @cached_property
    def evidence(self) -> list[FrameworkEvidence]:
        """What the run shows about controls, as `warden.analyse.report.evidence.read_evidence` has it; read once."""
        return read_evidence(self)

    @cached_property
    def decision_counts(self) -> Counter[tuple[str, date, str, str]]:
        """How many decisions there are of each cluster, day, kind and status; counted once.

        Raises:
            InputError: The decisions are missing or damaged.
        """
        return self.count_rows("decisions", ["cluster", "day", "kind", "status"])

    def read_clusters(self) -> list["ClusterCounts"]:
        """Return each cluster's newest day, which is what the report is about, by name.

        Raises:
            InputError: The decisions are missing or damaged.
        """
        counts: dict[tuple[str, date], Counter[str]] = {}
        for (cluster, day, _, status), count in self.decision_counts.items():
            counts.setdefault((cluster, day), Counter())[status] += count
        newest = {cluster: (cluster, day) for cluster, day in sorted(counts)}
        return [
            ClusterCounts(
                cluster, day, counts[cluster, day].total(), counts[cluster, day][DENY], counts[cluster, day][ERROR]
            )
            for cluster, day in newest.values()
        ]

    def iter_decisions(self, cluster: "ClusterCounts", status: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield the decision on every resource of a cluster, on those of one status only where that is given.

        Raises:
            InputError: The decisions are missing or damaged.
        """
        import pyarrow.dataset as ds

        rows_of = (ds.field("cluster") == cluster.name) & (ds.field("day") == cluster.day)
        rows_of = rows_of if status is None else rows_of & (ds.field("status") == status)
        with self._guard_read("decisions") as path:
            for batch in ds.dataset(path, format="parquet").to_batches(filter=rows_of, batch_size=4096):
                yield from batch.to_pylist()

    def iter_not_evaluated(self) -> Iterator[dict[str, Any]]:
        """Yield the decision on what could not be evaluated, each with its ``error``."""
        for cluster in self.read_clusters():
            if cluster.errors:
                yield from self.iter_decisions(cluster, ERROR)

    def read_passes(self) -> dict[str, RulePasses]:
        """Return, by rule, how often it was evaluated; empty where the run does not say."""
        if not (self.directory / "passes").is_dir():
            return {}
        newest = {(cluster.name, cluster.day) for cluster in self.read_clusters()}
        by_rule: dict[str, RulePasses] = {}
        for row in self.read_table("passes", ["cluster", "day", "rule", "evaluated", "broken", "passed"]).to_pylist():
            if (row["cluster"], row["day"]) in newest:
                before = by_rule.get(row["rule"], RulePasses(0, 0, 0))
                by_rule[row["rule"]] = RulePasses(
                    *(n + row[name] for n, name in zip(before, RulePasses._fields, strict=True))
                )
        return dict(sorted(by_rule.items()))

    def read_table(self, name: str, columns: list[str]) -> "pa.Table":
        """Return columns of one of the run's tables that has few rows.

        Raises:
            InputError: It is missing, damaged or not Parquet.
        """
        import pyarrow.dataset as ds

        with self._guard_read(name) as path:
            return ds.dataset(path, format="parquet").to_table(columns=columns)

    def count_rows(
        self, name: str, columns: list[str], where: "ds.Expression | None" = None
    ) -> Counter[tuple[Any, ...]]:
        """Count the rows of one of the run's tables by their values in some columns, a piece of it in memory at a time.

        Args:
            name: The table.
            columns: The columns, which have few values together.
            where: Which rows; None for all.

        Raises:
            InputError: It is missing, damaged or not Parquet.
        """
        import pyarrow as pa
        import pyarrow.dataset as ds

        counts = Counter[tuple[Any, ...]]()
        with self._guard_read(name) as path:
            table = ds.dataset(path, format="parquet")
            for batch in table.to_batches(columns, filter=where, batch_readahead=1, fragment_readahead=1):
                counted = pa.Table.from_batches([batch]).group_by(columns).aggregate([([], "count_all")])
                for *values, count in zip(
                    *(counted[column].to_pylist() for column in (*columns, "count_all")), strict=True
                ):
                    counts[tuple(values)] += count
        return counts

    @contextmanager
    def _guard_read(self, name: str) -> Iterator[Path]:
        import pyarrow as pa

        path = self.directory / name
        if path.is_dir() and not any(path.glob("*.parquet")):
            raise InputError(f"{path}: not Parquet: a report needs a run of `warden scan` without --format")
        try:
            yield path
        except (OSError, pa.ArrowException) as error:
            raise InputError(f"{path}: cannot be read ({error}): is this a run?") from error


def open_run(directory: Path) -> Run:
    """Read what a run is about.

    Args:
        directory: A run's own directory, or one of runs whose link ``latest`` leads to it.

    Raises:
        InputError: There is no run, or its summary is damaged.
    """
    if not (directory / "summary.json").is_file() and (directory / "latest").exists():
        directory /= "latest"
    path = directory / "summary.json"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        rules, frameworks = _read_object(directory / RULES), _read_object(directory / FRAMEWORKS)
        return Run(directory, parse_summary(document), rules, frameworks)
    except OSError as error:
        raise InputError(f"{directory}: not a run, it has no summary.json: `warden scan` makes runs") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError(f"{path}: not the summary of a run ({error}): scan again") from error


def _read_object(path: Path) -> dict[str, Any]:
    """What a file says that an older Warden has not written."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def _parse_finding(line: str) -> dict[str, Any]:
    finding = json.loads(line)
    if not isinstance(finding, dict):
        raise TypeError("a line is not an object")
    return finding
