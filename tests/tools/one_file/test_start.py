"""The start of the one file: it unpacks what belongs to the Python that runs it, once, and runs what is inside."""

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from tools.one_file.pack import write_one_file

pytestmark = pytest.mark.process

_PYTHON = f"cp{sys.version_info.major}{sys.version_info.minor}"
_COMMANDS = """
import os, sys
from pathlib import Path
import own


def main():
    opa = Path(os.environ["WARDEN_OPA"])
    print(own.NAME, opa.read_text(), os.access(opa, os.X_OK), opa.parent.parent.name, *sys.argv[1:])
    return 3
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """What is packed: a command, a module for this Python and one for another, and a program."""
    files = {
        "any/warden/__init__.py": "",
        "any/warden/commands.py": _COMMANDS,
        f"{_PYTHON}/own.py": "NAME = 'this'",
        "cp39/own.py": "NAME = 'another'",
        "opa/opa": "program",
    }
    for name, text in files.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "tree/opa/opa").chmod(0o755)
    return tmp_path / "tree"


def _run(program: Path, home: Path, *arguments: str) -> tuple[int, str]:
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "TMPDIR": str(home.parent)}
    command = [sys.executable, "-I", str(program), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_a_first_use_and_a_second(tree: Path, tmp_path: Path) -> None:
    """The same answer, the status of the command, and one directory that is written once."""
    program, home = tmp_path / "program", tmp_path / "home"
    write_one_file(tree, program)

    first = _run(program, home, "a", "b")
    (unpacked,) = (home / ".cache/warden").iterdir()
    (unpacked / "opa/opa").write_text("the same one")

    assert (3, f"this program True {unpacked.name} a b\n") == first
    assert (3, f"this the same one True {unpacked.name}\n") == _run(program, home)
    assert ["any", _PYTHON, "opa"] == sorted(path.name for path in unpacked.iterdir())


def test_other_content_is_unpacked_beside_it(tree: Path, tmp_path: Path) -> None:
    """Each release has a directory of its own."""
    program, home = tmp_path / "program", tmp_path / "home"
    write_one_file(tree, program)
    _run(program, home)
    (tree / "opa/opa").write_text("newer")
    write_one_file(tree, program)

    assert "this newer True" in _run(program, home)[1]
    assert 2 == len(list((home / ".cache/warden").iterdir()))


def test_a_home_that_cannot_be_written(tree: Path, tmp_path: Path) -> None:
    """It is unpacked into a temporary directory, of which nothing is left."""
    program = tmp_path / "program"
    write_one_file(tree, program)
    before = sorted(tmp_path.iterdir())

    environment = {"HOME": "/proc/nothing-is-made-here", "PATH": os.environ["PATH"], "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-I", str(program)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert (3, "this program True content\n", "") == (done.returncode, done.stdout, done.stderr)
    assert before == sorted(tmp_path.iterdir())


def test_what_others_may_write_is_not_run(tree: Path, tmp_path: Path) -> None:
    """A directory of that name that is open to others is passed over."""
    program, home = tmp_path / "program", tmp_path / "home"
    write_one_file(tree, program)
    _run(program, home)
    (unpacked,) = (home / ".cache/warden").iterdir()
    (unpacked / "opa/opa").write_text("not ours")
    unpacked.chmod(0o777)

    assert (3, "this program True content\n") == _run(program, home)


def test_a_damaged_file(tree: Path, tmp_path: Path) -> None:
    """A part that is another one than its sum says is not unpacked; neither is one for a Python that is not inside."""
    program, other, home = tmp_path / "program", tmp_path / "other", tmp_path / "home"
    write_one_file(tree, program)
    (tree / "any/warden/commands.py").write_text("raise SystemExit('not ours')")
    write_one_file(tree, other)
    start, parts = (_split(path) for path in (program, other))
    program.write_bytes(_join(start, parts))
    (tree / _PYTHON).rename(tree / "cp38")
    write_one_file(tree, other)

    assert (1, f"warden: {program} is damaged (any): take it anew\n") == _run(program, home)
    status, said = _run(other, home)
    assert (1, True) == (status, said.startswith("warden: this file runs with Python 3.8, 3.9, ")), said


def _split(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _join(start: dict[str, bytes], parts: dict[str, bytes]) -> bytes:
    """A file with the start of one and the parts of another."""
    joined = BytesIO()
    with ZipFile(joined, "w") as archive:
        for name, content in {**parts, "__main__.py": start["__main__.py"]}.items():
            archive.writestr(name, content)
    return joined.getvalue()
