"""What evaluates the families of rules is what the table of operations says."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools.families import command, render_families
from warden.base.resources import find_shipped

pytestmark = pytest.mark.opa


def test_the_files_are_what_the_table_makes(opa_binary: Path) -> None:
    """The committed files are those that `python -m tools.families` writes."""
    texts = render_families(opa_binary, find_shipped("policies"))

    assert ["families.rego", "family_violations.rego"] == [path.name for path in texts]
    assert texts == {path: path.read_text("utf-8") for path in texts}


def test_files_that_are_out_of_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--check names them and writes nothing; without it they are written, and then they are up to date."""
    policies = tmp_path / "policies"
    for name in ("checks/families", "kafka/operations"):
        (policies / name).mkdir(parents=True)
        for path in (find_shipped("policies") / name).glob("*.rego"):
            (policies / name / path.name).write_bytes(path.read_bytes())
    (policies / "kafka/rules").mkdir()
    files = [policies / "kafka/rules" / name for name in ("families.rego", "family_violations.rego")]
    monkeypatch.setattr("tools.families.find_shipped", lambda _: policies)
    run = CliRunner().invoke
    checked = run(command, ["--check"], standalone_mode=False)

    said = "".join(f"{file} is out of date: run `python -m tools.families`\n" for file in files)
    assert (1, said) == (checked.return_value, checked.stderr)
    assert not any(file.exists() for file in files)
    assert 0 == run(command, [], standalone_mode=False).return_value
    assert (0, "") == (
        (again := run(command, ["--check"], standalone_mode=False)).return_value,
        again.output,
    )
