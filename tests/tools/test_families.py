"""What evaluates the families of rules is what the table of operations says."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.families import command, render_families
from warden.base.resources import find_shipped

pytestmark = pytest.mark.opa


def test_the_file_is_what_the_table_makes(opa_binary: Path) -> None:
    """The committed file is the one that `python -m tools.families` writes."""
    policies = find_shipped("policies")

    assert render_families(opa_binary, policies) == (policies / "kafka/rules/families.rego").read_text("utf-8")


def test_a_file_that_is_out_of_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--check names it and writes nothing; without it the file is written, and then it is up to date."""
    policies = tmp_path / "policies"
    for name in ("checks/families", "kafka/operations"):
        (policies / name).mkdir(parents=True)
        for path in (find_shipped("policies") / name).glob("*.rego"):
            (policies / name / path.name).write_bytes(path.read_bytes())
    (policies / "kafka/rules").mkdir()
    file = policies / "kafka/rules/families.rego"
    monkeypatch.setattr("tools.families.find_shipped", lambda _: policies)
    run = CliRunner().invoke
    checked = run(command, ["--check"], standalone_mode=False)

    assert (1, f"{file} is out of date: run `python -m tools.families`\n") == (checked.return_value, checked.stderr)
    assert not file.exists()
    assert 0 == run(command, [], standalone_mode=False).return_value
    assert (0, "") == (
        (again := run(command, ["--check"], standalone_mode=False)).return_value,
        again.output,
    )
