"""Controls that a site names: its METADATA and its frameworks are in the bundle, or refused by name."""

from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.analyse.scan.rule_metadata import read_rules_and_frameworks
from warden.base.errors import BundleError
from warden.policy.bundle.build import Bundle, build_bundle
from warden.policy.bundle.catalog import read_catalog
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.site_bundle import build_site_bundle
from warden.policy.bundle.site_controls import merge_frameworks, read_site_metadata
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_RULE = """package site.rules.acme

# METADATA
# title: No more
# custom:
#   id: ACME-1
#   operations: [CreateTopic]
#   controls: [ACME K-1, SOC2 A1.1]
deny contains violation if {
	input.topic == "x"
	violation := {"rule": "ACME-1", "severity": "low", "message": "no", "fix": "y", "path": ["topic"], "patch": []}
}
"""
_TABLE = """ACME: {title: Our own, form: "^K-[0-9]$", controls: {K-1: {title: Names, rules: [KFK-NAM-001]}}}
SOC2: {controls: {A1.1: {rules: [KFK-SIZ-007]}}}
"""


def _site(directory: Path, rule: str = _RULE, table: str = _TABLE) -> Path:
    (directory / "site" / "controls").mkdir(parents=True)
    (directory / "rule.rego").write_text(rule, encoding="utf-8")
    (directory / "site" / "controls" / "data.yaml").write_text(table, encoding="utf-8")
    return directory


def test_what_an_opa_says_of_them(opa_binary: Path, tmp_path: Path) -> None:
    """The rule with the library's, its framework with the shipped, and the rule among those that apply."""
    bundle = build_bundle(tmp_path / "b.tar.gz", site=[_site(tmp_path / "own")], opa=opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as opa, opa.build_client() as client:
        rules, frameworks = read_rules_and_frameworks(client)
        applicable = client.evaluate("kafka/applicable_rules", {"cluster": "a"})

    assert ["ACME K-1", "SOC2 A1.1"] == rules["ACME-1"]["controls"]
    assert "No more" == rules["ACME-1"]["title"]
    assert "SOC2 A1.2" in rules["KFK-DUR-001"]["controls"]
    assert "ACME-1" in applicable["CreateTopic"]
    assert {"title": "Names", "rules": ["KFK-NAM-001"]} == frameworks["ACME"]["controls"]["K-1"]
    shipped = read_catalog("controls")
    assert {**shipped["SOC2"]["controls"]["A1.1"], "rules": ["KFK-SIZ-007"]} == frameworks["SOC2"]["controls"]["A1.1"]
    assert shipped["PCI-DSS"] == frameworks["PCI-DSS"]


def test_without_a_site(opa_binary: Path, shipped_bundle: Bundle) -> None:
    """The shipped ones alone."""
    with LocalOpa(shipped_bundle, opa=opa_binary) as opa, opa.build_client() as client:
        assert read_catalog("controls") == read_rules_and_frameworks(client)[1]


def test_data_of_another_form_is_no_table(opa_binary: Path, tmp_path: Path) -> None:
    """Of what nobody checked, since it stands in another file, the shipped frameworks are left."""
    (tmp_path / "own" / "site").mkdir(parents=True)
    (tmp_path / "own" / "site" / "data.yaml").write_text("controls: {SOC2: {controls: {A1.1: x}}}\n", encoding="utf-8")
    bundle = build_bundle(tmp_path / "b.tar.gz", site=[tmp_path / "own"], opa=opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as opa, opa.build_client() as client:
        assert {"SOC2": {"controls": {"A1.1": "x"}}} == client.get_data(["site"])["controls"]
        assert read_catalog("controls") == read_rules_and_frameworks(client)[1]


@pytest.mark.parametrize(
    ("rule", "table", "message"),
    [
        (
            _RULE.replace("SOC2 A1.1", "SOC2 1.1"),
            _TABLE,
            "ACME-1: METADATA, custom.controls: SOC2 1.1: 1.1 is not an id of SOC2",
        ),
        (
            _RULE,
            "",
            "ACME-1: METADATA, custom.controls: ACME K-1: there is no framework ACME: use ISO27001, PCI-DSS, SOC2",
        ),
        (
            _RULE,
            _TABLE.replace("KFK-SIZ-007", "KFK-SIZ-700"),
            "data.site.controls.SOC2: controls.A1.1.rules: there is no rule KFK-SIZ-700",
        ),
    ],
)
def test_what_is_refused(opa_binary: Path, tmp_path: Path, rule: str, table: str, message: str) -> None:
    """With the rule or the framework named."""
    with pytest.raises(BundleError) as raised:
        build_bundle(tmp_path / "b.tar.gz", site=[_site(tmp_path / "own", rule, table)], opa=opa_binary)
    assert message == str(raised.value)


def test_a_site_s_own_bundle(opa_binary: Path, tmp_path: Path) -> None:
    """It has them too, for an OPA that loads it beside Warden's."""
    import tarfile

    site = _site(tmp_path / "own")
    bundle = build_site_bundle(tmp_path / "site.tar.gz", [site])
    with tarfile.open(bundle.path) as packed:
        assert {"/site/metadata/data.json", "/site/controls/data.yaml"} <= {*packed.getnames()}
    rules = read_rule_metadata(opa_binary, CHECKOUT / "policies")
    assert ["ACME-1"] == [*read_site_metadata(opa_binary, CHECKOUT / "policies", rules, [site])]


def test_every_shipped_control_is_named(opa_binary: Path) -> None:
    """The table has no control that no rule is about, and each title is there."""
    rules = read_rule_metadata(opa_binary, CHECKOUT / "policies").values()
    named = {control for rule in rules for control in rule["controls"]}
    table = read_catalog("controls")
    assert {f"{name} {id}" for name, framework in table.items() for id in framework["controls"]} == named
    assert merge_frameworks(table, {}) == table
