"""Decisions as typed values."""

from typing import Any

import pytest

from warden import Decision, KafkaRefusal, Violation
from warden.base.errors import OpaUndefined

_ALLOWED: dict[str, Any] = {
    "allowed": True,
    "errors": [],
    "error": None,
    "violations": [],
    "warnings": [],
    "annotations": {},
    "stateAge": None,
    "revision": "r1",
}
_DENIED: dict[str, Any] = {
    "allowed": False,
    "errors": ["KFK-DUR-001: too few"],
    "error": {"code": 44, "name": "POLICY_VIOLATION", "message": "KFK-DUR-001: too few"},
    "violations": [
        {
            "rule": "KFK-DUR-001",
            "effect": "deny",
            "severity": "critical",
            "message": "too few",
            "path": ["replicationFactor"],
            "fix": "use three",
            "patch": [{"op": "replace", "path": "/replicationFactor", "value": 3}],
            "waiver": None,
            "addedLater": 1,
        }
    ],
    "warnings": ["KFK-GOV-001: no owner"],
    "annotations": {"configs": {"min.insync.replicas": "2"}},
    "stateAge": 1.5,
    "revision": "r1",
    "addedLater": True,
}


def test_a_denial():
    """Every field of the contract has its typed place; what a newer bundle adds is kept aside."""
    decision = Decision.from_document(_DENIED)

    assert (
        Decision(
            allowed=False,
            errors=("KFK-DUR-001: too few",),
            error=KafkaRefusal(44, "POLICY_VIOLATION", "KFK-DUR-001: too few"),
            violations=(
                Violation(
                    rule="KFK-DUR-001",
                    effect="deny",
                    severity="critical",
                    message="too few",
                    fix="use three",
                    path=("replicationFactor",),
                    patch=({"op": "replace", "path": "/replicationFactor", "value": 3},),
                ),
            ),
            warnings=("KFK-GOV-001: no owner",),
            annotations={"configs": {"min.insync.replicas": "2"}},
            state_age=1.5,
            revision="r1",
            document={},
        )
        == decision
    )
    assert _DENIED is decision.document


@pytest.mark.parametrize(("document", "truth"), [(_ALLOWED, True), (_DENIED, False)])
def test_truth_is_allowance(document, truth):
    """`if decision:` means what it reads like."""
    assert truth is bool(Decision.from_document(document))


@pytest.mark.parametrize(
    "document",
    [
        pytest.param({}, id="nothing"),
        pytest.param(None, id="null"),
        pytest.param([], id="a list"),
        pytest.param({**_ALLOWED, "errors": ["no"]}, id="allowed with errors"),
        pytest.param({**_ALLOWED, "error": _DENIED["error"]}, id="allowed with an error"),
        pytest.param({**_DENIED, "errors": []}, id="denied without errors"),
        pytest.param({**_DENIED, "error": None}, id="denied without an error"),
        pytest.param({**_ALLOWED, "allowed": "true"}, id="allowed in words"),
        pytest.param({**_DENIED, "error": {"code": 44}}, id="half an error"),
        pytest.param({**_DENIED, "violations": [{"rule": "R"}]}, id="half a violation"),
        pytest.param({**_ALLOWED, "violations": _DENIED["violations"]}, id="allowed with a violation that denies"),
        pytest.param({**_DENIED, "violations": [{**_DENIED["violations"][0], "effect": "x"}]}, id="unknown effect"),
        pytest.param({**_DENIED, "violations": None}, id="no list of violations"),
        pytest.param({**_DENIED, "errors": [1]}, id="errors that are not texts"),
        pytest.param({**_DENIED, "error": {"code": 0, "name": "NONE", "message": ""}}, id="denied with no error"),
        pytest.param({name: _ALLOWED[name] for name in _ALLOWED if name != "error"}, id="without its error"),
    ],
)
def test_what_is_no_decision_decides_nothing(document):
    """What is not a decision, or contradicts itself, is neither allowed nor denied."""
    with pytest.raises(OpaUndefined):
        Decision.from_document(document)
