"""`warden settings propose`: what is proposed is valid, fits what is there, and denies nothing of it."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from warden.base.errors import ConfigurationError
from warden.commands.scan import command as scan
from warden.commands.settings import command as settings
from warden.commands.settings.propose import command as propose
from warden.demo.estate import OBSERVED_AT, iter_estate
from warden.policy.bundle.settings import load_settings
from warden.state.snapshot.directory import write_snapshot

pytestmark = [pytest.mark.opa, pytest.mark.spark, pytest.mark.slow]

# Of the estate one class that breaks rules and one that breaks fewer; a cluster with no class of its own beside them.
_CLUSTERS = ("dev-eu", "dev-lab", "prod-edge", "prod-us")
_LIMITS = {"95": 0.05, "99": 0.01, "100": 0.0}


@dataclass(frozen=True)
class Proposed:
    """A snapshot, what is proposed for it, and what was printed."""

    snapshot: Path
    states: dict[str, Any]
    file: Path
    printed: str

    @property
    def impact(self) -> str:
        """What lies beside the proposal."""
        return self.file.with_suffix(".impact.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def proposed(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Proposed:
    """A proposal for four clusters of the estate."""
    directory = tmp_path_factory.mktemp("proposed")
    snapshot, file = directory / "snapshot", directory / "proposed.yaml"
    states = {name: state for name, state in iter_estate(240, seed=3) if name in _CLUSTERS}
    for name, state in states.items():
        write_snapshot(snapshot, name, state, day=OBSERVED_AT.date(), format="jsonl")
    done = CliRunner().invoke(
        propose, [str(snapshot), "--out", str(file)], standalone_mode=False, catch_exceptions=False
    )
    return Proposed(snapshot, states, file, done.stdout)


def test_a_scan_with_it_has_no_denials(proposed: Proposed, tmp_path: Path, spark: Any) -> None:
    """Every violation of a rule that was counted is a warning or recorded; none needs a waiver."""
    arguments = [str(proposed.snapshot), "--out", str(tmp_path), "--run-id", "x", "--no-cache"]
    CliRunner().invoke(
        scan, [*arguments, "--settings", str(proposed.file)], standalone_mode=False, catch_exceptions=False
    )
    findings = [row.asDict() for row in spark.read.parquet(str(tmp_path / "x" / "findings")).collect()]
    effects = Counter(row["effect"] for row in findings)

    assert effects
    assert {"deny", "waived"}.isdisjoint(effects)
    assert [] == load_settings(proposed.file).get("waivers", [])
    assert ": 0 waivers, " in proposed.printed


def test_it_is_valid(proposed: Proposed) -> None:
    """As a build checks it."""
    done = CliRunner().invoke(settings, ["validate", str(proposed.file)], standalone_mode=False, catch_exceptions=False)

    assert f"{proposed.file}: valid\n" == done.stdout


@pytest.mark.parametrize(("rule", "field", "greatest"), [("KFK-SIZ-001", "numPartitions", True),
                                                         ("KFK-DUR-001", "replicationFactor", False)])  # fmt: skip
def test_bounds(proposed: Proposed, rule: str, field: str, greatest: bool) -> None:
    """They are those that so many topics of a class pass, counted here from the snapshot itself."""
    param = "max" if greatest else "min"
    lines = proposed.file.read_text(encoding="utf-8").splitlines()
    end = next(i for i, line in enumerate(lines) if line.startswith(f"  {rule}:"))
    shown = {}
    for line in reversed(lines[:end]):
        if not line.startswith("  #   "):
            break
        name, _, rest = line.removeprefix("  #   ").partition(": ")
        if rest.startswith(f"{param} that"):
            shown[name] = rest.partition(" pass: ")[2].split(", ")

    for pattern in ("dev-*", "prod-*"):
        topics = [
            topic[field]
            for cluster, state in proposed.states.items()
            if cluster.startswith(pattern[:-1])
            for topic in state["topics"].values()
        ]
        worst = sorted(topics, reverse=greatest)
        assert [str(worst[int(len(worst) * share)]) for share in _LIMITS.values()] == shown[pattern]


def test_what_it_would_change_lies_beside(proposed: Proposed) -> None:
    """The impact is of the proposal over what ships."""
    assert "### Impact of the policy change" in proposed.impact
    assert "| KFK-NAM-001 Topic name matches the convention | mode | everywhere | deny | dryrun |" in proposed.impact
    assert f"{proposed.file}: " in proposed.printed
    assert json.dumps("dev-*") in proposed.file.read_text(encoding="utf-8")


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    """Somebody may have written it."""
    (tmp_path / "own.yaml").write_text("rules: {}\n", encoding="utf-8")

    with pytest.raises(ConfigurationError, match=r"own\.yaml is there already: give --force"):
        CliRunner().invoke(
            propose, [str(tmp_path), "--out", str(tmp_path / "own.yaml")], standalone_mode=False, catch_exceptions=False
        )
