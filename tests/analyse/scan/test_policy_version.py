"""The cache key of a policy: another policy is another context, and another time another validity window."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from warden.analyse.scan.dependencies import Dependencies
from warden.analyse.scan.policy_version import PolicyVersion
from warden.analyse.scan.site_rules import SiteRules, read_site_rules
from warden.base.errors import OpaRefused, OpaUndefined

NOW = datetime(2026, 11, 21, 2, 0, tzinfo=UTC)
PLAIN = {"AuditTopic": Dependencies({})}
SITE = SiteRules("1", "1", {})


def _policy(*dates: str) -> PolicyVersion:
    return PolicyVersion("r", None, dates, dependencies=PLAIN)


@pytest.mark.parametrize(
    ("policy", "same", "other"),
    [
        (_policy("2026-11-22"), "2026-11-21T23:59:59", "2026-11-22T00:00:00"),
        (_policy("2026-11-20", "2026-11-21"), "2036-11-21T00:00:00", "2026-11-20T23:59:59"),
        (replace(_policy(), dates=None), "2026-11-21T23:59:59", "2026-11-22T00:00:00"),
        (
            replace(_policy(), dependencies={"AuditTopic": Dependencies({}, clock=True)}),
            "2026-11-21T02:00:00",
            "2026-11-21T02:00:01",
        ),
    ],
    ids=["until a date", "from a date", "dates not reported", "the time is read"],
)
def test_validity_windows(policy: PolicyVersion, same: str, other: str) -> None:
    """A decision is remembered as long as the policy says the same, and no second longer."""
    times = [NOW, *(datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (same, other))]
    first, second, third = (policy.compute_validity_window("AuditTopic", time) for time in times)

    assert first == second != third


def test_contexts() -> None:
    """Another bundle is another policy, and so are other rules of a site's, or other data that they read."""
    policies = [
        PolicyVersion("r"),
        PolicyVersion("s"),
        PolicyVersion("r", SITE),
        PolicyVersion("r", replace(SITE, rules_hash="2", digest="2")),
        PolicyVersion("r", replace(SITE, digest="3")),
    ]

    assert [0, 1, 2, 3, 2] == [[other.rules_id for other in policies].index(policy.rules_id) for policy in policies]
    assert len(policies) == len({policy.context for policy in policies})
    assert policies[0].context == PolicyVersion("r", None, ["2026-01-01"]).context


class _Opa:
    """An OPA with modules and data, as `OpaClient` shows it."""

    def __init__(self, modules: dict[str, str], data: dict[str, Any], found: dict[str, Any] | None = None) -> None:
        nothing: dict[str, Any] = {"state": [], "clusters": [], "topic": False, "clock": False, "data": []}
        self._modules, self._data = modules, data
        self._found = {**nothing, "unstable": [], "unknown": [], **(found or {})}

    def list_policies(self) -> list[dict[str, Any]]:
        paths = {id: [{"value": "data"}, *({"value": name} for name in id.split("/"))] for id in self._modules}
        return [{"id": id, "raw": raw, "ast": {"package": {"path": paths[id]}}} for id, raw in self._modules.items()]

    def evaluate(self, path: str, document: dict[str, Any]) -> dict[str, Any]:
        assert "kafka/dependencies/found" == path
        assert {id for id in self._modules if not id.startswith("kafka")} == document["modules"].keys()
        return self._found

    def get_data(self, path: list[str]) -> Any:
        (root,) = path
        if root not in self._data:
            raise OpaUndefined(root)
        if isinstance(self._data[root], Exception):
            raise self._data[root]
        return self._data[root]


def _site(opa: Any) -> SiteRules:
    return read_site_rules(opa)


def test_site_rules_are_known_by_their_text_and_data() -> None:
    """Neither a revision nor what Warden's own modules say makes a difference; a rule or a number does."""
    modules, data = {"site/rules/a": "a", "kafka/b": "b"}, {"site": {"limit": 1}}
    site = _site(_Opa(modules, data))

    assert () == site.uncacheable_reasons
    assert site == _site(_Opa({**modules, "kafka/b": "c"}, data))
    assert site.rules_hash != _site(_Opa({**modules, "site/rules/a": "c"}, data)).rules_hash
    other = _site(_Opa(modules, {"site": {"limit": 2}}))
    assert (site.rules_hash, False) == (other.rules_hash, site.digest == other.digest)
    found = {"data": ["teams"]}
    assert 2 == len({_site(_Opa(modules, {**data, "teams": each}, found)).digest for each in (1, 2)})


@pytest.mark.parametrize(
    ("data", "found", "doubt"),
    [
        ({}, {"unknown": ["a reads x"]}, "a reads x"),
        ({}, {"unstable": ["a calls time.now_ns"]}, "a calls time.now_ns"),
        (
            {"teams": OpaRefused("no")},
            {"data": ["teams"]},
            "data.teams, which the site's rules read, cannot be read: no",
        ),
    ],
)
def test_doubts(data: dict[str, Any], found: dict[str, Any], doubt: str) -> None:
    """What may have changed unseen is not remembered, and a sentence says why."""
    assert (doubt,) == _site(_Opa({"site/a": "a"}, data, found)).uncacheable_reasons


def test_an_opa_that_shows_nothing() -> None:
    """Nothing is known of rules that this caller may not look at: everything is sent, and nothing remembered."""

    class Refusing(_Opa):
        def list_policies(self) -> list[dict[str, Any]]:
            raise OpaRefused("not with this token")

    site = _site(Refusing({}, {}))

    assert ["*"] == site.found["state"] == site.found["clusters"]
    assert ("what the site's rules read cannot be found out: not with this token",) == site.uncacheable_reasons
