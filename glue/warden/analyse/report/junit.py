"""JUnit XML of a scan: a suite for each cluster, a test case for each resource, which fails by what denies it.

The time of one case is not measured: readers that want one get 0.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from warden.analyse.report.finding import format_subject
from warden.analyse.report.finished_run import ClusterCounts, Run
from warden.analyse.report.junit_xml import DECLARATION, Problem, format_case, format_counts, format_opening_tag
from warden.analyse.scan.decision_rows import ERROR
from warden.policy.contract.effect import format_message

__all__ = ["iter_junit"]


def iter_junit(run: Run) -> Iterator[str]:
    """Yield the pieces of a run's test report."""
    clusters = run.read_clusters()
    totals = format_counts(
        *(sum(getattr(counts, name) for counts in clusters) for name in ("resources", "denied", "errors"))
    )
    yield DECLARATION
    yield format_opening_tag(
        "testsuites", {"name": f"warden {run.summary.run_id}", **totals, "time": str(run.summary.seconds)}
    )
    for cluster in clusters:
        yield from _iter_suite(run, cluster)
    yield "</testsuites>\n"


def _iter_suite(run: Run, cluster: ClusterCounts) -> Iterator[str]:
    totals = format_counts(cluster.resources, cluster.denied, cluster.errors)
    at = run.summary.evaluated_at.rstrip("Z")
    yield format_opening_tag(
        "testsuite", {"name": cluster.name, **totals, "skipped": "0", "time": "0", "timestamp": at}
    )
    for decision in run.iter_decisions(cluster):
        yield _format_decision_case(decision)
    yield "</testsuite>\n"


def _format_decision_case(decision: Mapping[str, Any]) -> str:
    denying = [violation for violation in decision["violations"] if violation["effect"] == "deny"]
    others = [violation for violation in decision["violations"] if violation["effect"] != "deny"]
    rules = ", ".join(sorted({violation["rule"] for violation in denying}))
    return format_case(
        {"classname": decision["cluster"], "name": format_subject(decision), "time": "0"},
        error=Problem(decision["error"], "not evaluated") if decision["status"] == ERROR else None,
        failure=Problem(rules, denying[0]["rule"], _format_violations(denying)) if denying else None,
        output=_format_violations(others),
    )


def _format_violations(violations: Iterable[Mapping[str, Any]]) -> str:
    return "\n".join(_format_violation(violation) for violation in violations)


def _format_violation(violation: Mapping[str, Any]) -> str:
    effect, waiver = violation["effect"], violation["waiver"]
    how = {"deny": "", "waived": f" (waived by {waiver['id']})" if waiver else ""}.get(effect, f" ({effect})")
    fix = f"\n  fix: {violation['fix']}" if violation["fix"] else ""
    return f"{violation['severity']} {violation['rule']}{how}: {format_message(violation)}{fix}"
