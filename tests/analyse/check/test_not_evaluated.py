"""Rules that are not evaluated, and those that are though something is not known."""

import json
from pathlib import Path

import pytest

from tests.analyse.check.conftest import GOOD, Check

pytestmark = pytest.mark.opa


def test_one_replica(check: Check) -> None:
    """Too few replicas are named in a pull request, though a fix would say more of a cluster that is known."""
    Path("one.yaml").write_text(GOOD.replace("numPartitions: 3", "numPartitions: 3\nreplicationFactor: 1"))
    result = check("one.yaml", "--output", "json")
    (declaration,) = json.loads(result.output)["declarations"]
    rows = declaration["decision"]["notEvaluated"]

    assert "KFK-DUR-001" in {violation["rule"] for violation in declaration["decision"]["violations"]}
    assert not {"KFK-DUR-001", "KFK-DUR-003", "KFK-GOV-001"} & {row["rule"] for row in rows}
