"""What Kubernetes demands of a Report: the CRD reports.openreports.io v1alpha1, and a true summary."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.analyse.report.demands import Demands, evaluate

_REPORT = {"apiVersion", "kind", "metadata", "source", "scope", "summary", "results"}
_RESULT = {"policy", "rule", "category", "severity", "timestamp", "result", "scored", "resources", "message"}


def results(document: Any) -> list[Any]:
    """All results of all reports."""
    return [result for item in document["items"] for result in item["results"]]


REPORT: Demands = {
    "the version and kind": (
        lambda document: all(
            (item["apiVersion"], item["kind"]) == ("openreports.io/v1alpha1", "Report") for item in document["items"]
        ),
        lambda document: document["items"][0].update(kind="ClusterReport"),
    ),
    "names that Kubernetes takes, once each": (
        lambda document: (
            all(re.fullmatch(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?", item["metadata"]["name"]) for item in document["items"])
            and len(document["items"]) == len({item["metadata"]["name"] for item in document["items"]})
        ),
        lambda document: document["items"][0]["metadata"].update(name="warden-DEV"),
    ),
    "fields that the schema knows": (
        lambda document: (
            all(item.keys() == _REPORT for item in document["items"])
            and all(result.keys() <= {*_RESULT, "properties"} for result in results(document))
        ),
        lambda document: results(document)[0].update(status="fail"),
    ),
    "a policy": (
        lambda document: all(result["policy"] for result in results(document)),
        lambda document: results(document)[0].update(policy=""),
    ),
    "results of a known kind": (
        lambda document: (
            {result["result"] for result in results(document)} <= {"pass", "fail", "warn", "error", "skip"}
        ),
        lambda document: results(document)[0].update(result="deny"),
    ),
    "severities of a known kind": (
        lambda document: (
            {result["severity"] for result in results(document) if "severity" in result}
            <= {"critical", "high", "medium", "low", "info"}
        ),
        lambda document: results(document)[0].update(severity="none"),
    ),
    "properties that are texts": (
        lambda document: all(
            isinstance(value, str) for result in results(document) for value in result["properties"].values()
        ),
        lambda document: results(document)[0]["properties"].update(path=["configs"]),
    ),
    "a time in seconds": (
        lambda document: all(
            result["timestamp"].keys() == {"seconds", "nanos"} and result["timestamp"]["seconds"] > 10**9
            for result in results(document)
        ),
        lambda document: results(document)[0].update(timestamp={"seconds": 0, "nanos": 0}),
    ),
    "resources with a kind and a name": (
        lambda document: all(
            each["kind"] and each["name"] for result in results(document) for each in result["resources"]
        ),
        lambda document: results(document)[0]["resources"][0].update(name=""),
    ),
    "a summary that is the results'": (
        lambda document: all(
            item["summary"][kind] == sum(result["result"] == kind for result in item["results"])
            for item in document["items"]
            for kind in ("fail", "warn", "error", "skip")
        ),
        lambda document: document["items"][0]["summary"].update(fail=99),
    ),
}


@pytest.mark.parametrize("demand", REPORT)
def test_what_readers_demand(run_directory: Path, demand: str) -> None:
    """A report fulfils it, and one that was spoilt in this one thing does not."""
    assert (True, False) == evaluate(REPORT, demand, run_directory, "openreports", json.loads)
