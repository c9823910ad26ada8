"""Findings of a run compared with those of an earlier one, its baseline.

A finding is the same by its cluster, resource, rule and path (`compute_fingerprint`); its message and value may change.
Both runs' findings are held in a temporary data base of SQLite, which goes to disk where memory is short.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from warden.analyse.report.finding import compute_fingerprint, format_subject
from warden.analyse.report.finished_run import Run
from warden.analyse.scan.decision_rows import ERROR
from warden.base.errors import InputError
from warden.policy.contract.effect import EFFECTS
from warden.policy.contract.severities import SEVERITIES, rank_severity

__all__ = ["NEW", "UNCHANGED", "UPDATED", "Comparison", "EndedFindings"]

NEW: Final = "new"
"""State of a finding that the baseline has not, or only with a weaker effect or a lower severity."""

UPDATED: Final = "updated"
"""State of a finding that the baseline has with another message or value."""

UNCHANGED: Final = "unchanged"
"""State of a finding that the baseline has with the same message and value."""

_EFFECTS: Final = tuple(EFFECTS)
# As the worst resources of a whole run: most of the highest severity first, of equals most of the next one.
_WORST_FIRST: Final = ", ".join(f"sum(grade = {grade}) DESC" for grade in range(len(SEVERITIES)))
_TABLE: Final = """(
    digest BLOB PRIMARY KEY, fingerprint TEXT, effect INTEGER, grade INTEGER, cluster TEXT, subject TEXT, kind TEXT,
    owner TEXT, rule TEXT, severity TEXT, state TEXT
) WITHOUT ROWID"""

# Of findings that are one by their fingerprint (two bad entries of a list), the most severe ones belong together.
_PAIR: Final = f"""
UPDATE found SET state = '{UNCHANGED}' WHERE digest IN (SELECT digest FROM base);
UPDATE base SET state = '{UNCHANGED}' WHERE digest IN (SELECT digest FROM found);
CREATE TEMPORARY TABLE pairs AS
    SELECT f.digest AS found, b.digest AS base, f.effect < b.effect OR f.grade < b.grade AS worse
    FROM (SELECT *, row_number() OVER each AS number FROM found WHERE state IS NULL
          WINDOW each AS (PARTITION BY fingerprint ORDER BY effect, grade, digest)) AS f
    JOIN (SELECT *, row_number() OVER each AS number FROM base WHERE state IS NULL
          WINDOW each AS (PARTITION BY fingerprint ORDER BY effect, grade, digest)) AS b
    USING (fingerprint, number);
UPDATE found SET state = '{UPDATED}' WHERE digest IN (SELECT found FROM pairs WHERE NOT worse);
UPDATE base SET state = '{UPDATED}' WHERE digest IN (SELECT base FROM pairs);
UPDATE found SET state = '{NEW}' WHERE state IS NULL;
"""  # noqa: S608 - of constants alone


class EndedFindings(NamedTuple):
    """How many findings of a baseline a run has no more.

    Args:
        fixed: Those of resources that the run has evaluated.
        unknown: Those of resources that it has not evaluated, or has not seen.
    """

    fixed: int
    unknown: int


class Comparison:
    """What became of findings since a baseline.

    Args:
        baseline: The earlier run.
        run: The later one.

    Raises:
        InputError: Files of either are missing or damaged.
    """

    def __init__(self, baseline: Run, run: Run) -> None:
        self.baseline = baseline
        self._run = run
        self._database = sqlite3.connect("")  # a file that nobody sees, made where memory is short
        for name, side in (("base", baseline), ("found", run)):
            self._database.execute(f"CREATE TABLE {name} {_TABLE}")
            insert = f"INSERT OR IGNORE INTO {name} VALUES ({', '.join('?' * 11)})"  # noqa: S608 - of constants alone
            try:
                self._database.executemany(insert, _iter_rows(side.iter_findings()))
            except (KeyError, ValueError, TypeError, AttributeError, sqlite3.InterfaceError) as error:
                raise InputError(f"{side.findings_path}: not the findings of a run ({error!r}): scan again") from error
        self._database.executescript(_PAIR)

    def find_state(self, finding: Mapping[str, Any]) -> str:
        """Return the state of a finding of the later run, or of a violation that has its decision's fields."""
        digest = _hash_finding(finding, compute_fingerprint(finding))
        row = self._database.execute("SELECT state FROM found WHERE digest = ?", (digest,)).fetchone()
        return row[0] if row else NEW

    def count_states(self) -> dict[str, int]:
        """Return how many findings of the later run are in each state; all are there."""
        counts = dict(self._database.execute("SELECT state, count(*) FROM found GROUP BY state"))
        return {state: counts.get(state, 0) for state in (NEW, UPDATED, UNCHANGED)}

    def count_ended(self) -> EndedFindings:
        """Return how many of the baseline's findings are no more.

        Raises:
            InputError: The later run's decisions are missing or damaged.
        """
        where = "SELECT cluster, subject, count(*) FROM base WHERE state IS NULL GROUP BY cluster, subject"
        ended = {(cluster, subject): count for cluster, subject, count in self._database.execute(where)}
        fixed = 0
        for cluster in self._run.read_clusters() if ended else ():
            for row in self._run.iter_decisions(cluster):
                if row["status"] != ERROR:
                    fixed += ended.pop((cluster.name, format_subject(row)), 0)
        return EndedFindings(fixed, sum(ended.values()))

    def count_newly_denied(self, by: str, kind: str | None = None) -> dict[str | None, int]:
        """Return how many resources something new denies.

        Args:
            by: ``cluster`` or ``owner``.
            kind: Count resources of this kind alone.
        """
        which = f"state = '{NEW}' AND effect = 0" + (" AND kind = ?" if kind else "")
        query = (
            f"SELECT {by}, count(*) FROM (SELECT DISTINCT cluster, subject, owner FROM found WHERE {which}) GROUP BY 1"  # noqa: S608 - of constants alone
        )
        return dict(self._database.execute(query, (kind,) if kind else ()))

    def iter_new_counts(self) -> Iterator[dict[str, Any]]:
        """Yield how many findings are new, by rule, severity and effect, by cluster, and by owner and severity.

        The rows are those of ``findings`` that `warden.analyse.report.summary.summarise` sums up.
        """
        for names in (("rule", "severity", "effect"), ("cluster", "severity"), ("owner", "severity")):
            query = (
                f"SELECT {', '.join(names)}, count(*), count(DISTINCT cluster || char(0) || subject) "  # noqa: S608 - of constants
                f"FROM found WHERE state = '{NEW}' GROUP BY {', '.join(names)} ORDER BY {', '.join(names)}"
            )
            for row in self._database.execute(query):
                values = dict(zip(names, row, strict=False))
                yield {
                    **dict.fromkeys(("rule", "cluster", "owner")),
                    **values,
                    "effect": _EFFECTS[values["effect"]] if "effect" in values else None,
                    "by_rule": names[0] == "rule",
                    "by_cluster": names[0] == "cluster",
                    "findings": row[-2],
                    "topics": row[-1],
                }

    def select_worst(self, most: int) -> list[dict[str, Any]]:
        """Return the resources with the most severe new findings: cluster, topic, owner, status, rules."""
        query = f"""
            SELECT cluster, subject, min(owner), min(effect), group_concat(DISTINCT rule) FROM found
            WHERE state = '{NEW}' GROUP BY cluster, subject
            ORDER BY {_WORST_FIRST}, cluster, subject LIMIT ?"""  # noqa: S608 - of constants alone
        return [
            {
                "cluster": cluster,
                "topic": subject,
                "owner": owner,
                "status": "ALLOW" if effect else "DENY",
                "rules": sorted(rules.split(",")),
            }
            for cluster, subject, owner, effect, rules in self._database.execute(query, (most,))
        ]


def _iter_rows(findings: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    for finding in findings:
        fingerprint = compute_fingerprint(finding)
        yield (
            _hash_finding(finding, fingerprint),
            fingerprint,
            _EFFECTS.index(finding["effect"]),
            rank_severity(finding["severity"]),
            finding["cluster"],
            format_subject(finding),
            finding.get("kind") or "topic",
            finding.get("owner"),
            finding["rule"],
            finding["severity"],
            None,
        )


def _hash_finding(finding: Mapping[str, Any], fingerprint: str) -> bytes:
    parts = (fingerprint, *(finding.get(name) for name in ("effect", "severity", "message", "actual")))
    return hashlib.sha256(repr(parts).encode()).digest()[:16]
