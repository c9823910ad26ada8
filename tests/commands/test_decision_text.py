"""A decision for a person: what counts, and what becomes of a waiver."""

import json

import pytest
import yaml

from tests.fixtures.settings import few_rules
from warden.policy.contract.decision_text import iter_decision_lines

_WAIVER = {"id": "W-17", "owner": "risk", "reason": "legal hold", "expires": "2026-11-20", "expired": False}
_EXPIRED = {**_WAIVER, "expired": True}


def _decision(effect, waiver, errors=(), warnings=()):
    violation = {
        "effect": effect,
        "rule": "R",
        "severity": "high",
        "message": "wrong",
        "fix": "mend it",
        "waiver": waiver,
    }
    error = {"code": 44, "name": "POLICY_VIOLATION", "message": "; ".join(errors)} if errors else None
    lists = {"errors": list(errors), "warnings": list(warnings), "violations": [violation]}
    return {"allowed": not errors, "error": error, **lists}


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (_decision("deny", None, ["R: wrong"]), "deny R high: wrong"),
        (_decision("waived", _WAIVER), "waived R high: wrong (waiver W-17 until 2026-11-20)"),
        (_decision("deny", _EXPIRED, ["R: wrong"]), "deny R high: wrong (waiver W-17 expired on 2026-11-20)"),
        (_decision("warn", _EXPIRED, (), ["R: wrong"]), "warn R high: wrong (waiver W-17 expired on 2026-11-20)"),
        (_decision("dryrun", _EXPIRED), "dryrun R high: wrong (waiver W-17 expired on 2026-11-20)"),
    ],
    ids=["none", "holds", "expired", "expired-warn", "expired-dryrun"],
)
def test_a_waiver(decision, expected):
    """A violation shows its effect, and its waiver with its end."""
    assert f"  {expected}" == list(iter_decision_lines(decision, dryrun=True))[1]


def test_what_no_violation_says():
    """Kafka's own refusals, and warnings such as those of a state's age; those of violations are not reported twice."""
    decision = _decision("warn", None, ["Topic 'a' already exists."], ["R: wrong", "freshness: the state is old"])
    decision["error"]["name"] = "TOPIC_ALREADY_EXISTS"
    lines = [
        "denied: TOPIC_ALREADY_EXISTS",
        "  Topic 'a' already exists.",
        "  warn R high: wrong",
        "    fix: mend it",
        "  warn freshness: the state is old",
    ]

    assert lines == list(iter_decision_lines(decision))


def test_what_denies_comes_first():
    """Then warnings, then what is waived; what is in dry run where it is wanted."""
    (found,) = _decision("warn", None)["violations"]
    found |= {"cause": "found", "before": "wrong", "rule": "F"}
    mixed = [found, *(_decision(effect, None)["violations"][0] for effect in ("dryrun", "waived", "deny"))]
    decision = _decision("deny", None, ["R: wrong"], ["F: wrong (so before the change)"]) | {"violations": mixed}

    effects = [line.split()[0] for line in list(iter_decision_lines(decision))[1::2]]
    assert ["deny", "warn", "waived"] == effects
    assert "  warn F high: wrong (so before the change)" in list(iter_decision_lines(decision))
    assert "  dryrun R high: wrong" == list(iter_decision_lines(decision, dryrun=True))[7]


@pytest.mark.opa
def test_waivers_as_opa_evaluates_them(warden, tmp_path):
    """Of two waivers, one holds and one has ended: each by the decision's own time, whatever today is."""
    settings = few_rules(tmp_path / "settings.yaml")
    waivers = [
        {"id": "W-17", "rule": "KFK-SIZ-001", "expires": "2026-11-20"},
        {"id": "W-18", "rule": "KFK-NAM-001", "expires": "2026-11-21"},
    ]
    given = [{**waiver, "owner": "risk", "reason": "legal hold"} for waiver in waivers]
    settings.write_text(yaml.safe_dump({**yaml.safe_load(settings.read_text()), "waivers": given}))
    document = {
        "operation": "CreateTopic",
        "cluster": "c",
        "now": "2026-11-21T10:00:00Z",
        "request": {"topic": "BAD", "numPartitions": 11, "replicationFactor": 1},
        "clusterState": {"clusterSize": 1},
    }
    path = tmp_path / "request.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    status, printed, _ = warden("decide", "--settings", str(settings), str(path))
    name = 'topic name "BAD" does not match the convention ^[a-z]+(\\.[a-z]+)+$'
    lines = [line for line in printed.splitlines() if line.startswith(("denied", "  deny", "  waived"))]

    assert 1 == status
    assert [
        "denied: POLICY_VIOLATION",
        "  deny KFK-SIZ-001 high: 11 partitions are above the maximum of 10 (waiver W-17 expired on 2026-11-20)",
        f"  waived KFK-NAM-001 medium: {name} (waiver W-18 until 2026-11-21)",
    ] == lines


def test_names_of_strangers() -> None:
    """Whatever a message quotes, what is said of it is one line: a second one could be a command to who reads it."""
    decision = _decision("deny", None, ["a\n::error::b\r\x1b[2J\u2028\x85"])
    decision["violations"][0] |= {"message": "c\n::error::d", "fix": "e\n::error::f\tg"}
    lines = list(iter_decision_lines(decision, dryrun=True))

    assert ["denied: POLICY_VIOLATION", "  deny R high: c�::error::d", "    fix: e�::error::f�g"] == lines[:3]
    assert 4 == len(lines) == len("\n".join(lines).splitlines())
