"""Pages about rules and profiles are those that METADATA, settings and examples make."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.fixtures.checkout import CHECKOUT
from tools.pages.__main__ import command
from tools.pages.profiles import render_profiles


def contents(directory: Path) -> dict[str, str]:
    """The files of a directory, by their path in it."""
    paths = (path for path in directory.rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): path.read_text("utf-8") for path in paths}


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A copy of what is committed."""
    reference, explain, policies = tmp_path / "docs/reference", tmp_path / "docs/explain", tmp_path / "policies"
    explain.mkdir(parents=True)
    policies.mkdir()
    shutil.copy(CHECKOUT / "policies/README.md", policies)
    shutil.copy(CHECKOUT / "docs/explain/architecture.md", explain)
    shutil.copytree(CHECKOUT / "docs/reference/rules", reference / "rules")
    for name in ("ecosystem.md", "openapi.yaml", "profiles.md", "python.md", "warden.1"):
        shutil.copy(CHECKOUT / "docs/reference" / name, reference)
    return reference


@pytest.mark.opa
def test_the_committed_pages_are_up_to_date(docs: Path) -> None:
    """`python -m tools.pages --check` finds nothing in docs, and writing leaves no difference."""
    before = contents(docs)
    runs = [
        CliRunner().invoke(command, [*options, "--docs", str(docs)], standalone_mode=False)
        for options in (["--check"], [])
    ]

    assert [(0, ""), (0, "")] == [(run.return_value, run.output) for run in runs]
    assert before == contents(docs)


@pytest.mark.opa
def test_stale_pages_are_named_and_then_written(docs: Path) -> None:
    """--check names a changed, a missing and a surplus page and leaves them alone; without it they are put right."""
    committed = contents(docs)
    changed, missing, surplus = docs / "profiles.md", docs / "rules" / "README.md", docs / "rules" / "KFK-OLD-001.md"
    changed.write_text("old", encoding="utf-8")
    missing.unlink()
    surplus.write_text("old", encoding="utf-8")
    stale = contents(docs)

    checked = CliRunner().invoke(command, ["--check", "--docs", str(docs)], standalone_mode=False)
    untouched = contents(docs)
    written = CliRunner().invoke(command, ["--docs", str(docs)], standalone_mode=False)

    sentences = {f"{path} is out of date: run `python -m tools.pages`" for path in (changed, missing, surplus)}
    assert (1, sentences) == (checked.return_value, set(checked.stderr.splitlines()))
    assert stale == untouched
    assert 0 == written.return_value
    assert committed == contents(docs)


def test_the_page_shows_modes_and_parameters() -> None:
    """Bold where a profile differs; parameters in a table, a bar in one escaped; no column where nothing does."""
    rules = {"KFK-DUR-001": {"title": "Copies", "severity": "critical"}}
    shipped = {"KFK-DUR-001": {"mode": "deny", "params": {"min": 3, "pattern": "a"}}}
    same = {"KFK-DUR-001": {"mode": "deny", "params": {"min": 3, "pattern": "a"}}}
    other = {"KFK-DUR-001": {"mode": "warn", "params": {"min": 3, "pattern": "a|b"}}}
    page = render_profiles(rules, shipped, [("same", "For all.", same), ("other", "For some.", other)])

    assert """## same

For all.

## other

For some.

| rule | parameter | shipped | here |
|---|---|---|---|
| KFK-DUR-001 | `pattern` | `"a"` | `"a\\|b"` |

## Modes

Bold where a profile differs from the shipped settings.

| rule |  | severity | shipped | other |
| --- | --- | --- | --- | --- |
| [KFK-DUR-001](rules/KFK-DUR-001.md) | Copies | critical | deny | **warn** |
""" == page[page.index("## same") :]
