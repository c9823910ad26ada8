"""A run's Reports, taken by a real API server with every field checked against the schema of openreports.io."""

import json
from contextlib import suppress
from typing import Any

import pytest

from tests.analyse.report.conftest import DECISIONS, FINDINGS, decision, violation, written_run
from tests.fixtures.conditions import eventually
from warden.analyse.report.finished_run import open_run
from warden.analyse.report.write import iter_report

pytestmark = pytest.mark.k8s

REPORTS = "/apis/openreports.io/v1alpha1/namespaces/default/reports"

_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}
_KINDS = ("pass", "fail", "warn", "error", "skip")


def _object(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **({"required": list(required)} if required else {})}


_REFERENCE = _object(
    **dict.fromkeys(("apiVersion", "fieldPath", "kind", "name", "namespace", "resourceVersion", "uid"), _TEXT)
)
_RESULT = _object(
    "policy",
    **dict.fromkeys(("source", "policy", "rule", "category", "message"), _TEXT),
    severity={**_TEXT, "enum": ["critical", "high", "low", "medium", "info"]},
    result={**_TEXT, "enum": list(_KINDS)},
    scored={"type": "boolean"},
    timestamp=_object("nanos", "seconds", nanos={**_NUMBER, "format": "int32"}, seconds={**_NUMBER, "format": "int64"}),
    resources={"type": "array", "items": _REFERENCE},
    properties={"type": "object", "additionalProperties": _TEXT},
)
# The fields of the documented Report, without the two selectors and the configuration.
_SCHEMA = _object(
    source=_TEXT,
    scope=_REFERENCE,
    summary=_object(**dict.fromkeys(_KINDS, _NUMBER)),
    results={"type": "array", "items": _RESULT},
)


@pytest.fixture(scope="module")
def apply(control_plane):
    """Defines the type, and sends one Report with strict validation; returns what the API server has stored."""
    names = {"plural": "reports", "singular": "report", "kind": "Report", "listKind": "ReportList"}
    version = {"name": "v1alpha1", "served": True, "storage": True, "schema": {"openAPIV3Schema": _SCHEMA}}
    spec = {"group": "openreports.io", "scope": "Namespaced", "names": names, "versions": [version]}
    definition = {"metadata": {"name": "reports.openreports.io"}, "spec": spec}
    control_plane.api("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition)

    def served() -> bool:
        with suppress(AssertionError):
            return bool(control_plane.api("GET", REPORTS))
        return False

    eventually(served, "Reports are served")
    return lambda report: control_plane.api("POST", f"{REPORTS}?fieldValidation=Strict", report)


def _items(run):
    return json.loads("".join(iter_report(open_run(run), "openreports")))["items"]


def test_every_report_is_taken_as_it_is(control_plane, apply, tmp_path):
    """Nothing is refused, and nothing is left out, of findings of every kind and of hostile names."""
    items = _items(written_run(tmp_path / "run", DECISIONS, FINDINGS))

    assert len(items) == 2
    for item in items:
        stored = apply(item)
        assert {name: stored[name] for name in item if name != "metadata"} == {
            name: value for name, value in item.items() if name != "metadata"
        }
    control_plane.api("DELETE", REPORTS)


def test_a_report_of_the_largest_size_is_taken(control_plane, apply, tmp_path):
    """A thousand results with long texts are an object that etcd takes."""
    text = "retention.ms is larger than the profile allows, see the page of the rule. " * 6
    decisions = [
        decision("c", f"{'t' * 240}{n}", violation("KFK-X", "high", message=text, fix=text[:200])) for n in range(1001)
    ]
    first, second = _items(written_run(tmp_path / "run", decisions, []))

    assert [len(apply(item)["results"]) for item in (first, second)] == [1000, 1]
    control_plane.api("DELETE", REPORTS)


def test_a_field_that_is_not_there_is_refused(apply, tmp_path):
    """The schema is a strict one: the tests above can fail."""
    [item] = _items(written_run(tmp_path / "run", [decision("c", "t", violation("KFK-X", "high"))], []))
    item["results"][0]["status"] = "fail"

    with pytest.raises(AssertionError, match=r"strict decoding error: unknown field .*status"):
        apply(item)
