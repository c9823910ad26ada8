"""The report of ``warden check`` as GitLab's code quality has it.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format: an array, also where there is nothing.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from warden.analyse.check.decisions import CheckFinding
from warden.analyse.check.result import CheckResult, compute_fingerprint, format_finding

__all__ = ["format_gitlab"]

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def format_gitlab(result: CheckResult) -> str:
    """Return the findings of all levels as a JSON array.

    Args:
        result: What there is to report.
    """
    counts: Counter[str] = Counter()
    return json.dumps(
        [_build_entry(finding, counts) for finding in result.iter_findings()], indent=2, ensure_ascii=False
    )


def _build_entry(finding: CheckFinding, counts: Counter[str]) -> dict[str, Any]:
    same = compute_fingerprint(finding)
    occurrence = counts[same]  # GitLab takes two entries of one fingerprint for one
    counts[same] += 1
    return {
        "description": format_finding(finding),
        "check_name": finding.rule,
        "fingerprint": compute_fingerprint(finding, occurrence),
        "severity": _SEVERITIES[finding.level],
        "location": {"path": Path(finding.file).as_posix(), "lines": {"begin": finding.line or 1}},
    }
