"""`warden test`: a site's tests see the rules, the library and the settings that they will decide with."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from warden.base.errors import BundleError
from warden.commands.test import command
from warden.policy.bundle.site_tests import run_site_tests

pytestmark = [pytest.mark.opa, pytest.mark.slow]

_RULE = """package site.rules.acme

deny contains violation if {
	input.operation == "CreateTopic"
	input.requested.numPartitions > 5
	violation := {"rule": "ACME-1", "severity": "medium", "message": "too many", "fix": "less", "path": [], "patch": []}
}
"""
_UNIT = """package site.rules.acme_test

test_few if count(data.site.rules.acme.deny) == 0 with input as {"operation": "CreateTopic"}

test_wrong if {
	print("seen", 1)
	1 == 2
}
"""
_WHOLE = """package site.tests.acme

test_decision if {
	decision := data.kafka.decision with input as {
		"operation": "CreateTopic",
		"cluster": "dev",
		"enforcementPoint": "ci",
		"request": {"topic": "shop.orders.placed", "numPartitions": 60, "replicationFactor": 3},
		"clusterState": {"clusterSize": 3},
	}
	{"ACME-1", "KFK-SIZ-001"} - {violation.rule | some violation in decision.violations} == set()
}
"""


def _site(directory: Path, **files: str) -> Path:
    directory.mkdir()
    for name, text in files.items():
        (directory / f"{name}.rego").write_text(text, encoding="utf-8")
    return directory


def test_tests_of_a_rule_and_of_the_decision(tmp_path: Path) -> None:
    """Under settings that let 50 partitions pass, and no more; a failure has its place and what it printed."""
    site = _site(tmp_path / "acme", rule=_RULE, rule_test=_UNIT, whole_test=_WHOLE)
    settings = tmp_path / "settings.yaml"
    settings.write_text("rules: {KFK-SIZ-001: {params: {max: 50}}}\n", encoding="utf-8")

    arguments = [str(site), "--settings", str(settings)]
    failed = CliRunner().invoke(command, arguments, standalone_mode=False, catch_exceptions=False)
    passed = CliRunner().invoke(
        command, [*arguments, "--run", "few|decision"], standalone_mode=False, catch_exceptions=False
    )

    place = f"{site}/rule_test.rego:5: site.rules.acme_test.test_wrong fails\n  seen 1\n2 of 3 pass\n"
    assert (1, place) == (failed.return_value, failed.stdout)
    assert (0, "2 of 2 pass\n") == (passed.return_value, passed.stdout)


def test_what_cannot_be_tested(tmp_path: Path) -> None:
    """A directory without tests, and a test that does not compile, which is named by its own path."""
    with pytest.raises(BundleError, match=r"no test: write rule_test\.rego beside a rule"):
        run_site_tests([_site(tmp_path / "none", rule=_RULE)])
    broken = _site(tmp_path / "broken", rule=_RULE, a_test="package site.tests.a\n\ntest_a if nothing(1)\n")
    with pytest.raises(BundleError, match="undefined function nothing") as raised:
        run_site_tests([broken])

    assert f"{broken}/a_test.rego:3" in str(raised.value)
