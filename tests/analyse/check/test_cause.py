"""`warden check` on what was so before a change, and the order in which text has what it finds."""

import json
from pathlib import Path

import pytest
from click.testing import Result

from tests.analyse.check.conftest import Check
from tests.analyse.check.test_command import state

pytestmark = pytest.mark.opa

_SHORT = "topic: shop.good\nnumPartitions: {partitions}\nconfigs: {{retention.ms: {retention}}}\n"


def altered(check: Check, *arguments: str, retention: int = 500, partitions: int = 3) -> Result:
    """The check of a file about a topic whose retention is 10 ms, where the least that is allowed is 1000."""
    Path("short.yaml").write_text(_SHORT.format(retention=retention, partitions=partitions))
    known = {"numPartitions": 3, "replicationFactor": 1, "configs": {"retention.ms": "10"}}
    Path("state.json").write_text(json.dumps(state(shop_good=known)))
    return check("short.yaml", "--state", "state.json", *arguments)


@pytest.mark.parametrize(
    ("point", "retention", "level", "cause", "status"),
    [
        ("ci", 500, "warning", "found", 0),
        ("ci", 5, "error", "caused", 1),
        ("frozen", 500, "warning", "found", 1),
    ],
)
def test_what_was_found_before(check: Check, point: str, retention: int, level: str, cause: str, status: int) -> None:
    """It is no error in SARIF, also where it denies; and all forms say that it was so before."""
    arguments = ("--enforcement-point", point)
    said = altered(check, *arguments, "--output", "sarif", retention=retention)
    results = json.loads(said.output)["runs"][0]["results"]

    assert [(level, cause)] == [
        (one["level"], one["properties"]["cause"]) for one in results if one["ruleId"] == "KFK-RET-001"
    ]
    assert status == said.return_value
    for output in ("text", "junit", "github", "gitlab", "markdown"):
        shown = altered(check, *arguments, "--output", output, retention=retention).output
        assert (cause == "found") == ("better than before the change: retention.ms 10 is" in shown)


def test_what_denies_comes_first(check: Check) -> None:
    """Whatever the lines; what is in dry run is there only where it is wanted."""

    def marks(*arguments: str) -> list[str]:
        lines = altered(check, "bad.yaml", *arguments, partitions=4).output.splitlines()
        return [line.split()[1] for line in lines if ".yaml:" in line]

    assert ["deny", "deny", "warn"] == marks()
    assert ["deny", "deny", "warn", "note"] == marks("--dryrun")[:4]
