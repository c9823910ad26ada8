"""What OPA's responses make of a plan."""

import pytest

from tests.enforce.remediate.replica_sets import KEY, replica_set
from warden.enforce.remediate.plan import RemediationPlan
from warden.enforce.remediate.remediation import parse_remediation

PATCH = {"metadata": {"annotations": {"a": "2"}, "resourceVersion": "7", "uid": "u1"}}


@pytest.mark.parametrize(
    ("over", "errors"),
    [
        ({}, ()),
        ({"errors": ["no"]}, ("no",)),
        ({"patch": {"metadata": {**PATCH["metadata"], "uid": "u2"}}}, None),
        ({"patch": {"metadata": {**PATCH["metadata"], "resourceVersion": "8"}}}, None),
        ({"patch": {"metadata": {**PATCH["metadata"], "labels": {}}}}, None),
        ({"patch": {"metadata": {**PATCH["metadata"], "annotations": {"a": 2}}}}, None),
        ({"patch": {**PATCH, "spec": {}}}, None),
        ({"patch": 3}, None),
        ({"errors": "no"}, None),
        ({"annotations": None}, None),
    ],
)
def test_responses(over, errors):
    """A patch is taken only for this version of this object and its annotations; all else is an error."""
    answer = {"annotations": {"a": "2"}, "patch": PATCH, "errors": [], "warnings": [], **over}
    one = parse_remediation(KEY, replica_set(a="1"), answer)
    if errors == ():
        assert ({"a": "1"}, {"a": "2"}, ()) == (one.before, one.after, one.errors)
    else:
        assert one.patch is None
        assert (errors or ("the policy's response about this object cannot be read",)) == one.errors


def test_a_plan_names_a_refusal_once():
    """The same errors about an object are new once; others are new again, and a patch replaces them."""
    plan = RemediationPlan()
    answer: dict[str, object] = {"annotations": {}, "patch": None, "errors": ["a"], "warnings": []}
    refused = parse_remediation(KEY, replica_set(), answer)
    assert [refused] == plan.record_decisions([refused])
    assert [] == plan.record_decisions([refused])
    other = parse_remediation(KEY, replica_set(), {**answer, "errors": ["b"]})
    assert [other] == plan.record_decisions([other])
    mended = parse_remediation(KEY, replica_set(), {**answer, "errors": [], "patch": PATCH})
    plan.record_decisions([mended])
    assert ({KEY: mended}, {}) == (plan.pending, plan.refused)
    plan.retain_only([])
    assert {} == plan.pending
