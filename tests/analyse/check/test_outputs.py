"""`warden check` for other programs: GitLab's code quality, and places and fingerprints of SARIF."""

import json
from pathlib import Path

import pytest

from tests.analyse.check.conftest import BAD, Check

pytestmark = pytest.mark.opa


def test_gitlab(check: Check) -> None:
    """Code quality: an array, also of nothing; two equal findings have fingerprints of their own."""
    Path("twice.yaml").write_text("a: [\n---\nb: [\n")
    entries = json.loads(check("bad.yaml", "twice.yaml", "--output", "gitlab").output)
    size = next(entry for entry in entries if entry["check_name"] == "KFK-SIZ-001")
    moved = Path("bad.yaml")
    moved.write_text(f"# a line\n{BAD}")
    again = json.loads(check("bad.yaml", "--output", "gitlab").output)

    assert {"path": "bad.yaml", "lines": {"begin": 2}} == size["location"]
    assert ("major", "shop.bad: 30 partitions are above") == (size["severity"], size["description"][:33])
    assert len(entries) == len({entry["fingerprint"] for entry in entries})
    assert size["fingerprint"] in {entry["fingerprint"] for entry in again}
    assert {"major", "info"} <= {entry["severity"] for entry in entries}


def test_places_of_sarif(check: Check) -> None:
    """A place is a reference of RFC 3986, and no two results are taken for one."""
    Path("my dir").mkdir()
    Path("my dir/a b#1%.yaml").write_text("a: [\n---\nb: [\n")
    (run,) = json.loads(check("my dir", "--output", "sarif").output)["runs"]

    assert {"my%20dir/a%20b%231%25.yaml"} == {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]
    }
    prints = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
    assert len(prints) == len(set(prints)) > 1
