"""Hooks of pre-commit, GitHub's action and GitLab's template: their commands, on files."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.analyse.check.conftest import BAD, GOOD
from tests.fixtures.checkout import CHECKOUT
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa


@pytest.fixture
def shell(few_opa: LocalOpa, tmp_path: Path):
    """Runs a command where a good and a bad file are, with `warden` on its path."""
    program = tmp_path / "bin" / "warden"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m warden "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "bad.yaml").write_text(BAD)
    opa = {"WARDEN_OPA_URL": few_opa.url, "WARDEN_OPA_QUERY_TOKEN": few_opa.tokens.query}
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"

    def run(command: str, **environ: str) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, **opa, "PATH": path, **environ}
        return subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
        )

    return run


def _read(path: str):
    return yaml.safe_load((CHECKOUT / path).read_text(encoding="utf-8"))


def test_hooks_of_pre_commit(shell, tmp_path) -> None:
    """pre-commit puts the names of changed files behind the entry."""
    check, settings = _read(".pre-commit-hooks.yaml")
    (tmp_path / "settings.yaml").write_text("rules: {KFK-SIZ-001: {params: {max: none}}}\n")

    assert [0, 1] == [shell(f"{check['entry']} {name}").returncode for name in ("good.yaml", "bad.yaml")]
    assert 2 == shell(f"{settings['entry']} settings.yaml").returncode


def test_action_of_github(shell) -> None:
    """It marks the lines, and fails where something is denied."""
    action = _read("deploy/ci/action.yml")
    install, check = action["runs"]["steps"]
    ended = shell(
        check["run"], WARDEN_OPTIONS=action["inputs"]["options"]["default"], WARDEN_PATHS="good.yaml bad.yaml"
    )

    assert set(check["env"]) == {"WARDEN_OPTIONS", "WARDEN_PATHS"}
    assert "inputs." not in install["run"] + check["run"]  # a text of others is a value there, never a command
    assert (1, True) == (ended.returncode, "::error file=bad.yaml,line=2," in ended.stdout), ended.stderr


def test_one_file_in_place_of_the_package(shell, tmp_path) -> None:
    """What both install is then the `warden` that PATH has."""
    program = tmp_path / "warden-linux-x86_64"
    program.write_text("#!/bin/sh\necho this one\n")
    install = _read("deploy/ci/action.yml")["runs"]["steps"][0]
    (before,) = _read("deploy/ci/gitlab.yml")["warden-check"]["before_script"]
    ended = shell(install["run"], FILE=program.name, GITHUB_PATH=str(tmp_path / "path"))
    assert 0 == ended.returncode, ended.stderr
    onto_path = f'PATH="$(cat path):$PATH"; {_SHOW}'

    assert "this one\n" == shell(onto_path).stdout
    assert "this one\n" == shell(f"{before}\n{_SHOW}", WARDEN_FILE=program.name).stdout


_SHOW = "hash -r; warden"


def test_template_of_gitlab(shell, tmp_path) -> None:
    """The report is there whatever is decided, and is the one that the template names."""
    job = _read("deploy/ci/gitlab.yml")["warden-check"]
    (command,) = job["script"]
    ended = shell(command, WARDEN_OPTIONS="", WARDEN_PATHS="bad.yaml")
    report = json.loads((tmp_path / job["artifacts"]["reports"]["codequality"]).read_text())

    assert 1 == ended.returncode, ended.stderr
    assert {"bad.yaml"} == {entry["location"]["path"] for entry in report}
    assert shlex.split(command)[:2] == ["warden", "check"]
