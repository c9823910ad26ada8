"""JUnit XML: a suite for each cluster, a test case for each resource, which fails by what denies it.

The elements and attributes are those that Jenkins' schema knows (junit-10.xsd of its xUnit plugin), and GitLab reads:
testsuites, testsuite, testcase, failure, error, system-out. Nobody takes the time of one case: readers that want one
are told 0.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from warden.report.mode import mode_of, named
from warden.report.pieces import xml_text
from warden.report.run import ClusterOf, Run
from warden.scan.verdicts import ERROR

__all__ = ["junit"]


def junit(run: Run) -> Iterator[str]:
    """Yield the pieces of a run's test report."""
    clusters = run.clusters()
    counts = _counts(*(sum(getattr(each, name) for each in clusters) for name in ("resources", "denied", "errors")))
    known = {"name": f"warden {run.summary.run_id}", **counts, "time": str(run.summary.seconds)}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield _opened("testsuites", known)
    for cluster in clusters:
        yield from _suite(run, cluster)
    yield "</testsuites>\n"


def _suite(run: Run, cluster: ClusterOf) -> Iterator[str]:
    counts = _counts(cluster.resources, cluster.denied, cluster.errors)
    at = run.summary.judged_at.rstrip("Z")
    yield _opened("testsuite", {"name": cluster.name, **counts, "skipped": "0", "time": "0", "timestamp": at})
    for verdict in run.verdicts(cluster):
        yield from _case(verdict)
    yield "</testsuite>\n"


def _case(verdict: Mapping[str, Any]) -> Iterator[str]:
    opened = _opened("testcase", {"classname": verdict["cluster"], "name": named(verdict), "time": "0"})
    denying = [each for each in verdict["violations"] if mode_of(each) == "deny"]
    others = [each for each in verdict["violations"] if mode_of(each) != "deny"]
    parts = []
    if verdict["status"] == ERROR:
        parts.append(f'<error message={_quoted(verdict["error"])} type="not judged"/>\n')
    if denying:
        rules = ", ".join(sorted({each["rule"] for each in denying}))
        parts.append(f"<failure message={_quoted(rules)} type={_quoted(denying[0]['rule'])}>")
        parts.append(f"{escape(xml_text(_lines(denying)))}</failure>\n")
    if others:
        parts.append(f"<system-out>{escape(xml_text(_lines(others)))}</system-out>\n")
    yield f"{opened}{''.join(parts)}</testcase>\n" if parts else opened.replace(">\n", "/>\n")


def _lines(violations: Iterable[Mapping[str, Any]]) -> str:
    return "\n".join(_line(each) for each in violations)


def _line(violation: Mapping[str, Any]) -> str:
    mode, waiver = mode_of(violation), violation["waiver"]
    how = "" if mode == "deny" else f" ({mode}{' by ' + waiver['id'] if waiver else ''})"
    fix = f"\n  fix: {violation['fix']}" if violation["fix"] else ""
    return f"{violation['severity']} {violation['rule']}{how}: {violation['message']}{fix}"


def _counts(tests: int, failures: int, errors: int) -> dict[str, str]:
    return {"tests": str(tests), "failures": str(failures), "errors": str(errors)}


def _opened(name: str, attributes: Mapping[str, str]) -> str:
    return f"<{name}{''.join(f' {key}={_quoted(value)}' for key, value in attributes.items())}>\n"


def _quoted(value: str) -> str:
    return quoteattr(xml_text(value), {"\n": "&#10;", "\t": "&#9;"})
