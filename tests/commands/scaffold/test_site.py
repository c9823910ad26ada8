"""`warden init` and `warden new rule`: what they write does at once what its own CI asks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.commands.conftest import Run
from tests.docs.console import copy_checkout
from tests.fixtures.schemas import validator
from warden.base.errors import ConfigurationError
from warden.base.toolchain.opa import find_opa
from warden.commands.scaffold.rule import write_rule
from warden.commands.scaffold.site import write_site
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.opa import run_opa
from warden.policy.contract.schemas import read_schema


def _run(directory: Path, *command: str, path: Path | None = None, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command with `warden` of this checkout first on its path."""
    places = os.pathsep.join([*([str(path)] if path else []), os.environ["PATH"]])
    return subprocess.run(
        command,
        cwd=directory,
        env={**os.environ, **environ, "PATH": places},
        capture_output=True,
        text=True,
        check=False,
    )


def _program(directory: Path) -> Path:
    """A directory with the program `warden`."""
    program = directory / "bin" / "warden"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m warden "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return program.parent


def test_a_repository(tmp_path: Path) -> None:
    """Each file is there once, declarations and settings are as their schemas say; nothing is written over."""
    written = write_site(tmp_path)
    names = {path.relative_to(tmp_path).as_posix() for path in written}

    assert {".github/workflows/policy.yaml", ".gitlab-ci.yml", ".pre-commit-config.yaml", "ci/check.sh"} <= names
    assert {"policies/site/rules/names.rego", "policies/site/rules/names_test.rego", "settings.yaml"} <= names
    for name, schema in (("settings.yaml", "settings"), ("topics/orders.yaml", "topics")):
        text = (tmp_path / name).read_text(encoding="utf-8")
        line, _, _ = text.partition("\n")
        reference = (tmp_path / name).parent / line.removeprefix("# yaml-language-server: $schema=")
        validator(read_schema(schema)).validate(yaml.safe_load(text))
        assert reference.resolve() in {path.resolve() for path in written}
    with pytest.raises(ConfigurationError, match="there already: take another name, or remove it"):
        write_site(tmp_path)


@pytest.mark.docs
def test_its_ci_commands_with_a_rule_more(tmp_path: Path) -> None:
    """A rule is added, its test runs, and it denies what the first one lets pass."""
    write_site(tmp_path / "repo")
    rules = tmp_path / "repo" / "policies" / "site" / "rules"
    for suffix in ("", "_test"):
        text = (rules / f"names{suffix}.rego").read_text(encoding="utf-8")
        more = text.replace("rules.names", "rules.more").replace("names.", "more.").replace("SITE-NAM-001", "SITE-2")
        more = more.replace('"test"', '"shop.orders.created"').replace("test_names", "test_more")
        (rules / f"more{suffix}.rego").write_text(more, encoding="utf-8")
    bin = _program(tmp_path)
    denied = _run(tmp_path, "sh", "repo/ci/check.sh", path=bin)
    for path in rules.glob("more*"):
        path.unlink()
    allowed = _run(tmp_path, "sh", "repo/ci/check.sh", path=bin)

    assert 1 == denied.returncode, denied.stdout + denied.stderr
    assert "SITE-2" in denied.stdout
    assert "2 of 2 pass" in denied.stdout
    assert (0, "1 declaration decided, 0 denied") == (allowed.returncode, allowed.stdout.splitlines()[-1])


@pytest.mark.docs
def test_a_rule_of_the_library_passes_lint_and_its_test(tmp_path: Path) -> None:
    """In a clone: form, strict check and generated files are as `make lint` wants them; the rule's own test passes."""
    clone = copy_checkout(tmp_path)
    opa = str(find_opa())
    new = ("new", "rule", "KFK-NAM-099", "--family", "naming")
    commands = [
        (sys.executable, "-m", "warden", *new),
        (opa, "fmt", "--fail", "--list", "policies", "bundle"),
        (opa, "check", "--strict", "--bundle", "--schema", "schemas", "policies", "bundle"),
        (sys.executable, "-m", "tools.families", "--check"),
        (sys.executable, "-m", "tools.plain_data", "--check"),
        (sys.executable, "-m", "tools.pages", "--check"),
        (opa, "test", "--timeout", "60s", "--fail-on-empty", "--bundle", "policies", "bundle", "--run", "kfk_nam_099"),
    ]
    for command in commands:
        done = _run(clone, *command, PYTHONPATH="glue:.", WARDEN_OPA=opa)
        assert 0 == done.returncode, f"{command}: {done.stdout}{done.stderr}"


@pytest.mark.opa
def test_the_form_of_what_is_written(tmp_path: Path) -> None:
    """A rule of any family is as `opa fmt` writes it, and so are those of a site; the settings have it."""
    for name in ("naming", "sizing"):
        (tmp_path / "policies/kafka/rules" / name).mkdir(parents=True)
    settings = tmp_path / "bundle/settings/data.yaml"
    settings.parent.mkdir(parents=True)
    settings.write_text("# ours\nrules:\n  KFK-NAM-001: {mode: deny, params: {}}\n", encoding="utf-8")
    title = 'Names: no "test" topics # at all'
    write_rule(tmp_path, "KFK-SIZ-099", "sizing", title, known=())
    write_site(tmp_path / "site")

    assert "" == run_opa(find_opa(), "fmt", "--fail", "--list", str(tmp_path))
    assert title == read_rule_metadata(find_opa(), tmp_path / "policies")["KFK-SIZ-099"]["title"]
    rules = yaml.safe_load(settings.read_text(encoding="utf-8"))["rules"]
    assert {"KFK-SIZ-099": {"mode": "dryrun", "params": {"forbidden": []}}}.items() <= rules.items()


@pytest.mark.parametrize(
    ("id", "family", "said"),
    [
        ("KFK-NAM-001", "naming", "KFK-NAM-001 is taken"),
        ("NAM-1", "naming", "invalid rule id NAM-1: expected one such as KFK-NAM-099"),
        ("KFK-NAM-099", "none", "unknown family none: write one of naming"),
    ],
)
def test_what_is_no_rule(tmp_path: Path, id: str, family: str, said: str) -> None:
    """An id or a family that cannot be, and a directory that is no clone."""
    with pytest.raises(ConfigurationError, match="not a clone of Warden"):
        write_rule(tmp_path, id, family, "", known=())
    (tmp_path / "policies/kafka/rules/naming").mkdir(parents=True)
    (tmp_path / "bundle/settings").mkdir(parents=True)
    (tmp_path / "bundle/settings/data.yaml").write_text("rules:\n", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=said):
        write_rule(tmp_path, id, family, "", known={"KFK-NAM-001"})


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    """The file is named, and what to write."""
    (tmp_path / "file").touch()

    with pytest.raises(
        ConfigurationError, match=r"/file/\S+: cannot be written \(Not a directory\): name a directory "
    ):
        write_site(tmp_path / "file" / "site")


def test_a_place_that_takes_some(tmp_path: Path) -> None:
    """Where one file cannot be written none is left, so that the next call is not refused for those."""
    (tmp_path / "topics").touch()

    with pytest.raises(ConfigurationError, match=r"/topics/\S+: cannot be written"):
        write_site(tmp_path)
    assert [tmp_path / "topics"] == [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.opa
def test_a_clone_without_its_tools(warden: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What generates files fails there: the error names it, and is no defect of the command."""
    (tmp_path / "policies/kafka/rules/naming").mkdir(parents=True)
    (tmp_path / "bundle/settings").mkdir(parents=True)
    (tmp_path / "bundle/settings/data.yaml").write_text("\nrules:\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    status, _, said = warden("new", "rule", "KFK-NAM-099", "--family", "naming")

    assert (2, "warden: python -m tools.pages fails") == (status, said.partition(",")[0])
