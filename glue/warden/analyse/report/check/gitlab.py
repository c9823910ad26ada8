"""The report of ``warden check`` as GitLab's code quality has it.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format: an array, also where there is nothing.
"""

import json
from pathlib import Path
from typing import Any

from warden.analyse.check.decisions import CheckFinding
from warden.analyse.check.result import CheckResult, format_finding, iter_fingerprints

__all__ = ["format_gitlab"]

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def format_gitlab(result: CheckResult) -> str:
    """Return the findings of all levels as a JSON array.

    Args:
        result: What there is to report.
    """
    entries = [_build_entry(finding, fingerprint) for finding, fingerprint in iter_fingerprints(result.iter_findings())]
    return json.dumps(entries, indent=2, ensure_ascii=False)


def _build_entry(finding: CheckFinding, fingerprint: str) -> dict[str, Any]:
    return {
        "description": format_finding(finding),
        "check_name": finding.rule,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.level],
        "location": {"path": Path(finding.file).as_posix(), "lines": {"begin": finding.line or 1}},
    }
