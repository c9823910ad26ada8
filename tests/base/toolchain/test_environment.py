"""The checkout's environment is made from the lock, once, by uv or pip."""

import hashlib
import runpy
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT

Script = Callable[[str, str], Path]

PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
"""
BACKEND = """
import shutil
def build_editable(directory, *_):
    shutil.copy("index/project-1-py3-none-any.whl", directory)
    return "project-1-py3-none-any.whl"
"""

UV = """
echo "$@" >> {log}
case "$1" in venv) shift; for last; do :; done; /bin/mkdir -p "$last/bin" ;; esac
exit {status}
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a lock file, and nothing else, to make an environment for."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(CHECKOUT / ".ci" / "environment.py", tmp_path / ".ci")
    (tmp_path / "requirements.lock").write_text("one==1\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    return tmp_path


def _make(checkout: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [sys.executable, checkout / ".ci" / "environment.py", checkout / ".venv"]
    environment["PATH"] = str(checkout / "bin")
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)


def _wheel(index: Path, name: str, version: int, wants: str = "") -> str:
    """Put a wheel without code into a directory and return the line of a lock that names it."""
    path, information = index / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(f"{information}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{wants}")
        file.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{information}/RECORD", "")
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.mark.process
def test_environment_of_another_checkout(checkout: Path) -> None:
    """It is not emptied through a link; the message says what to do."""
    other = checkout / "other"
    other.mkdir()
    (other / ".warden").write_text("elsewhere and so on", encoding="utf-8")
    (checkout / ".venv").symlink_to(other)

    done = _make(checkout)

    assert (2, True) == (done.returncode, "remove the link, then run make again" in done.stderr), done.stderr
    assert ["elsewhere and so on"] == [path.read_text(encoding="utf-8") for path in other.iterdir()]


@pytest.mark.process
def test_newer_release_than_the_lock_s(checkout: Path) -> None:
    """Pip installs what the lock has, also of a package that another wants with an extra and that has a new release."""
    index = checkout / "index"
    index.mkdir()
    lock = _wheel(index, "one", 1, "Requires-Dist: two[more]>=1\n") + _wheel(index, "two", 1, "Provides-Extra: more\n")
    _wheel(index, "two", 2, "Provides-Extra: more\n")
    _wheel(index, "project", 1)
    (checkout / "requirements.lock").write_text(lock, encoding="utf-8")
    (checkout / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (checkout / "backend.py").write_text(BACKEND, encoding="utf-8")

    done = _make(checkout, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(index))

    assert 0 == done.returncode, done.stderr
    installed = {path.stem for path in checkout.glob(".venv/lib/python*/site-packages/*.dist-info")}
    assert {"one-1", "two-1", "project-1"} <= installed, installed


@pytest.mark.process
def test_second_run_does_no_work(checkout: Path, script: Script) -> None:
    """The first run makes the environment, the next says and does nothing, a changed lock is installed into it."""
    log = checkout / "log"
    script("bin/uv", UV.format(log=log, status=0))

    runs = [_make(checkout), _make(checkout)]
    (checkout / "requirements.lock").write_text("one==2\n", encoding="utf-8")
    runs.append(_make(checkout))

    assert [0, 0, 0] == [run.returncode for run in runs]
    line = f"warden: installing requirements.lock into {checkout}/.venv with uv\n"
    assert [line, "", line] == [run.stderr for run in runs]
    calls = [line.split()[:2] for line in log.read_text(encoding="utf-8").splitlines()]
    installed = [["pip", "sync"], ["pip", "install"]]
    assert [["venv", "--clear"], *installed, *installed] == calls


@pytest.mark.process
def test_failed_installation(checkout: Path, script: Script) -> None:
    """When the installer fails the last line says so in one sentence, and the next run tries again."""
    log = checkout / "log"
    script("bin/uv", UV.format(log=log, status=3))

    runs = [_make(checkout), _make(checkout)]

    assert [2, 2] == [run.returncode for run in runs]
    assert runs[0].stderr.splitlines()[-1] == (
        f"warden: the Python environment {checkout}/.venv could not be made (uv failed with status 3): "
        "see the lines above, then run make again"
    )
    assert 2 == len(log.read_text(encoding="utf-8").splitlines())


def test_old_python(checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """On a Python that is too old, with no newer one and no uv on PATH, one sentence says what to install."""
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    monkeypatch.setenv("PATH", str(checkout))
    main = runpy.run_path(str(checkout / ".ci" / "environment.py"))["main"]

    assert main(str(checkout / ".venv")) == 2
    assert capsys.readouterr().err == (
        "warden: Python 3.11 or newer is needed and python3 is older: install one, or uv, which brings its own\n"
    )


def test_lock_names_no_place() -> None:
    """The lock file holds versions and hashes only: no address of a registry, no path of a machine."""
    lines = (CHECKOUT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if line and not line.lstrip().startswith("#")]

    assert [] == [line for line in lines if "://" in line or "find-links" in line or " /" in line]
    assert [] == [line for line in entries if not line.startswith("    --hash=sha256:") and "==" not in line]


def test_lock_needs_no_compiler() -> None:
    """It has what is in the extra `all`; gssapi, of another, is compiled on most machines."""
    assert "\ngssapi==" not in (CHECKOUT / "requirements.lock").read_text(encoding="utf-8")


@pytest.mark.process
def test_make_helps() -> None:
    """Bare make prints every target, in groups, no more than twenty-four: a suite of tests is one, a release too."""
    done = subprocess.run(["make", "--no-print-directory"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    phony = next(
        line.split()[1:]
        for line in (CHECKOUT / "Makefile").read_text(encoding="utf-8").splitlines()
        if line.startswith(".PHONY:")
    )

    lines = done.stdout.splitlines()
    assert sorted(phony) == sorted(line.split()[1] for line in lines if line.startswith("  make "))
    assert ["Use", "Develop", "Keep"] == [line for line in lines if line and not line.startswith(" ")]
    assert len(phony) <= 24
