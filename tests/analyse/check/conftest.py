"""Files as people write them, and what is read in them."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from warden.analyse.check.files import read_paths
from warden.analyse.check.model import FileContents
from warden.policy.opa.local import LocalOpa

Read = Callable[..., FileContents]
Check = Callable[..., Result]
Commit = Callable[..., None]

GOOD = "topic: shop.good\nnumPartitions: 3\nconfigs: {retention.ms: 5000}\n"
BAD = "topic: shop.bad\nnumPartitions: 30\nconfigs:\n  retention.ms: 10\n"


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Writes a text to a file, ``f.yaml`` where no name is given, and reads it."""
    monkeypatch.chdir(tmp_path)

    def write_and_read(text: str | bytes, name: str = "f.yaml") -> FileContents:
        Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_paths([Path(name)])

    return write_and_read


@pytest.fixture
def check(few_opa: LocalOpa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Runs `warden check` in a directory with a good file and a bad one."""
    from warden.commands.check import command

    monkeypatch.chdir(tmp_path)
    Path("good.yaml").write_text(GOOD)
    Path("bad.yaml").write_text(BAD)
    options = ["--opa-url", few_opa.url, "--opa-token", few_opa.tokens.query]

    def run(*arguments: str, **more: Any) -> Result:
        return CliRunner().invoke(command, [*arguments, *options], standalone_mode=False, **more)

    return run


@pytest.fixture
def commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commit:
    """Commits files to a new repository, in which the test runs; a text of None removes a file."""
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]

    def git(*arguments: str) -> None:
        subprocess.run(["git", *who, *arguments], check=True, capture_output=True)

    git("init", "--quiet", "--initial-branch=main")

    def write(*, suffix: str = ".yaml", **files: str | None) -> None:
        for name, content in files.items():
            path = Path("topics", *name.split("__")).with_suffix(suffix)
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink()
            else:
                path.write_text(content)
        git("add", "--all")
        git("commit", "--quiet", "--allow-empty", "--message", "change")

    return write


@pytest.fixture
def check_diff(few_opa: LocalOpa) -> Check:
    """Runs `warden check --diff` on the last commit, in JSON."""
    from warden.commands.check import command

    options = ["--opa-url", few_opa.url, "--opa-token", few_opa.tokens.query]

    def run(*arguments: str, diff: str = "HEAD~1..HEAD") -> Result:
        given = ["--diff", diff, *(arguments or ("topics",)), *options]
        return CliRunner().invoke(command, given, standalone_mode=False)

    return run
