"""The settings of two bundles side by side."""

from warden.analyse.impact.settings import compare_settings

BEFORE = {
    "rules": {
        "KFK-A": {"mode": "deny", "params": {"max": 100, "names": ["a"]}},
        "KFK-B": {"mode": "deny", "params": {}},
        "KFK-SAME": {"mode": "warn", "params": {"x": 1}},
    },
    "clusters": [{"match": {"name": "dev-*"}, "rules": {"KFK-A": {"params": {"max": 1000}}}}],
    "enforcementPoints": {"ci": {"KFK-A": {"mode": "warn"}}},
    "waivers": [{"id": "W-1", "expires": "2027-01-01"}],
    "superUsers": [],
    "compiled": {"whatever": 1},
}
AFTER = {
    "rules": {
        "KFK-A": {"mode": "warn", "params": {"max": 50, "names": ["a", "b"]}, "enforceFrom": "2027-01-01"},
        "KFK-C": {"mode": "deny", "params": {"y": 1}},
        "KFK-SAME": {"mode": "warn", "params": {"x": 1}},
    },
    "clusters": [
        {
            "match": {"name": "dev-*"},
            "rules": {"KFK-A": {"params": {"max": 900}}},
            "freshness": {"default": {"then": "deny"}},
        }
    ],
    "enforcementPoints": {},
    "waivers": [{"id": "W-1", "expires": "2027-06-01"}, {"id": "W-2", "rule": "KFK-A"}],
    "superUsers": ["User:admin"],
}


def test_every_value_that_differs() -> None:
    """Each by itself, rules first; a rule that came or went is one line, not one for each of its parameters."""
    assert [
        "KFK-A enforceFrom added: 2027-01-01",
        "KFK-A max 100 → 50",
        "KFK-A mode deny → warn",
        'KFK-A names ["a"] → ["a", "b"]',
        'KFK-A max (clusters {"name": "dev-*"}) 1000 → 900',
        "KFK-A mode (enforcement point ci) removed: warn",
        "KFK-B removed",
        "KFK-C added",
        'freshness default (clusters {"name": "dev-*"}) added: {"then": "deny"}',
        'superUsers [] → ["User:admin"]',
        'waiver W-1 {"expires": "2027-01-01", "id": "W-1"} → {"expires": "2027-06-01", "id": "W-1"}',
        'waiver W-2 added: {"id": "W-2", "rule": "KFK-A"}',
    ] == [change.words for change in compare_settings(BEFORE, AFTER)]


def test_the_same_settings() -> None:
    """Nothing differs from itself."""
    assert [] == compare_settings(BEFORE, BEFORE)
