"""The hooks of pre-commit, by pre-commit itself in a new repository."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.analyse.check.conftest import BAD
from tests.fixtures.checkout import CHECKOUT

GOOD = "topic: shop.orders.created\nnumPartitions: 3\nreplicationFactor: 3\nconfigs: {min.insync.replicas: 2}\n"

pytestmark = [pytest.mark.install, pytest.mark.opa]


def _git(directory: Path, *arguments: str) -> str:
    own = ("-c", "user.name=x", "-c", "user.email=x@example.com")
    done = subprocess.run(["git", *own, *arguments], cwd=directory, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_commit_is_decided_on(tmp_path: Path) -> None:
    """A file that is denied ends the commit with its line, settings that are wrong do; a good one is committed."""
    repository = tmp_path / "topics"
    repository.mkdir()
    hooks = {
        "repo": str(CHECKOUT),
        "rev": _git(CHECKOUT, "rev-parse", "HEAD"),
        "hooks": [{"id": "warden-check"}, {"id": "warden-settings"}],
    }
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [hooks]}))
    _git(repository, "init", "--quiet")
    environ = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "home")}

    def run(name: str, text: str) -> tuple[bool, str]:
        (repository / name).write_text(text)
        _git(repository, "add", name)
        command = [str(Path(sys.executable).parent / "pre-commit"), "run", "--files", name]
        done = subprocess.run(command, cwd=repository, env=environ, capture_output=True, text=True, check=False)
        return done.returncode == 0, done.stdout + done.stderr

    passed, said = run("good.yaml", GOOD)
    assert passed, said
    passed, said = run("bad.yaml", BAD)
    assert not passed
    assert any(line.startswith("bad.yaml:4") and "deny   KFK-RET-001" in line for line in said.splitlines()), said
    assert "warden settings validate" in said
    passed, said = run("settings.yaml", "rules: {KFK-SIZ-001: {params: {max: none}}}\n")
    assert not passed
    assert "settings.yaml" in said
