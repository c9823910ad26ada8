"""`warden impact`, and the job for spark-submit, as a person starts them; the bundles that they compare."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.fixtures.checkout import CHECKOUT
from warden.analyse.impact.bundles import ComparedBundle, list_policy_changes, prepare_bundle
from warden.analyse.impact.settings import compare_settings
from warden.base.errors import ConfigurationError, InputError, SettingsError
from warden.base.resources import find_shipped
from warden.commands.impact import command
from warden.policy.opa.per_host import HostOpa

pytestmark = pytest.mark.opa


def started(*arguments: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run Python on this checkout."""
    path = os.pathsep.join([str(CHECKOUT / "glue"), str(CHECKOUT)])
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "100", "PYSPARK_PYTHON": sys.executable, **environ},
        capture_output=True, check=False, text=True,
    )  # fmt: skip


@pytest.mark.spark
def test_command(spark: Any, sides: list[ComparedBundle], log: Path) -> None:
    """Two bundle files and a log: Markdown on stdout, exit status 1 as something is denied."""
    bundles = ["--baseline", str(sides[0].bundle.path), "--candidate", str(sides[1].bundle.path)]
    options = [*bundles, "--decisions", str(log), "--output", "markdown", "--samples", "1"]
    done = CliRunner().invoke(command, options, standalone_mode=False, catch_exceptions=False)
    lines = done.stdout.splitlines()

    assert 1 == done.return_value
    assert "### Impact of the policy change" in lines
    sizing = "KFK-SIZ-001 Partitions within bounds"
    assert f"| {sizing} | high | 3 | 0 | 1 | 0 | 0 |" in lines
    assert "| payments | 7 | 3 | 1 | 1 |" in lines
    assert f"| {sizing} | max | 100 | 50 |" in lines
    assert "| KFK-NAM-001 Topic name matches the convention | mode | deny | disabled |" in lines
    assert any(line.startswith("| 1 | the log shows the input masked: /input |") for line in lines)


@pytest.mark.slow
@pytest.mark.spark
def test_job(servers: list[HostOpa], log: Path, tmp_path: Path) -> None:
    """The job uses OPAs that run already, writes every row, and prints the figures."""
    options = [
        "--baseline-url",
        servers[0].ensure_running(),
        "--candidate-url",
        servers[1].ensure_running(),
        "--decisions",
        str(log),
    ]
    options += ["--output", "json"]
    tokens = {
        f"WARDEN_{name}_TOKEN": each.tokens.query for name, each in zip(("BASELINE", "CANDIDATE"), servers, strict=True)
    }
    done = started(CHECKOUT / "spark_jobs/jobs/impact_analysis.py", *options, "--out", tmp_path / "out", **tokens)

    assert 1 == done.returncode, done.stderr
    assert [8, 3, 1, 1, 3] == [
        json.loads(done.stdout)["parts"][0][name] for name in ("evaluated", "denied", "allowed", "changed", "unchanged")
    ]
    assert ["changes", "not_evaluated"] == sorted(path.name for path in (tmp_path / "out").iterdir())


def test_bundles(sides: list[ComparedBundle], tmp_path: Path) -> None:
    """A bundle file keeps its revision and settings; a changed policy is named, with the settings that changed."""
    again = prepare_bundle("candidate", sides[1].bundle.path, None, None, tmp_path / "again")
    policies = tmp_path / "policies"
    shutil.copytree(find_shipped("policies"), policies)
    with (policies / "kafka/rules/sizing/partitions.rego").open("a") as file:
        file.write("\n# another word\n")
    edited = prepare_bundle("candidate", policies, None, "production", tmp_path / "edited")

    assert (sides[1].bundle.revision, sides[1].settings) == (again.bundle.revision, again.settings)
    assert [] == list_policy_changes(sides[1], again)
    assert [("kafka/rules/sizing/partitions.rego", "changed")] == list_policy_changes(sides[0], edited)
    changed = {change.words for change in compare_settings(sides[0].settings, edited.settings)}
    assert any(words.endswith("→ deny") for words in changed)
    assert {"KFK-SIZ-001 max 100 → 50", "KFK-NAM-001 mode deny → disabled"} == {
        change.words for change in compare_settings(sides[0].settings, sides[1].settings)
    }


def test_what_is_no_policy(tmp_path: Path) -> None:
    """One sentence each: nothing there, no bundle, settings given twice or for a bundle, a rule that is unknown."""
    settings, file, tree = tmp_path / "s.yaml", tmp_path / "b.tar.gz", tmp_path / "empty"
    settings.write_text("rules: {KFK-NO-999: {mode: deny}}\n")
    file.write_text("no archive")
    tree.mkdir()
    cases: list[tuple[Any, Any, type[Exception], str]] = [
        (tmp_path / "missing", None, InputError, "no such file or directory: name a bundle, settings or policies"),
        (file, None, InputError, "not a bundle"),
        (file, settings, ConfigurationError, "--candidate-settings is for policies that are built here"),
        (settings, settings, ConfigurationError, "are both settings: give one of them"),
        (settings, None, SettingsError, "KFK-NO-999"),
        (tree, None, InputError, "no policy in it: name a directory of Rego files"),
    ]
    for number, (path, own, kind, said) in enumerate(cases):
        with pytest.raises(kind, match=said):
            prepare_bundle("candidate", path, own, None, tmp_path / str(number))


def test_said_before_anything_is_started(tmp_path: Path) -> None:
    """Nothing to evaluate, a log that is not there, a directory that is not a snapshot."""
    for options, kind in (
        ([], ConfigurationError),
        (["--decisions", str(tmp_path / "missing")], InputError),
        (["--snapshot", str(tmp_path)], InputError),
        (["--baseline-url", "http://127.0.0.1:1"], ConfigurationError),
        (["--baseline-url", "http://x", "--candidate-url", "http://y", "--candidate", "."], ConfigurationError),
    ):
        with pytest.raises(kind):
            CliRunner().invoke(command, options, standalone_mode=False, catch_exceptions=False)
