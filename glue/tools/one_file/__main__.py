"""``python -m tools.one_file``: make Warden's wheel, what it needs, and OPA into one executable file."""

import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import click

from tools.command_line import run
from tools.toolchain.opa import obtain_opa
from warden.base.errors import ToolchainError

__all__ = ["command"]

_PYTHONS = ("3.11", "3.12", "3.13", "3.14")
_PLATFORMS = ("manylinux2014_{machine}", "manylinux_2_28_{machine}")
_TIME = (1980, 1, 1, 0, 0, 0)  # the same content makes the same file


@click.command
@click.argument("wheel", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--constraint", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--output", required=True, type=click.Path(dir_okay=False, path_type=Path))
def command(wheel: Path, constraint: Path, output: Path) -> int:
    """Write OUTPUT: the wheel's commands for the Pythons that it supports, on Linux of this machine's processor."""
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory, "tree")
        pythons = [python for python in _PYTHONS if _install(tree, python, wheel, constraint)]
        if not pythons:
            raise ToolchainError(f"pip could not install {wheel.name} for any of Python {', '.join(_PYTHONS)}")
        _share(tree)
        shutil.copy(obtain_opa(), tree / "opa")
        shutil.copy(Path(__file__).with_name("start.py"), tree / "__main__.py")
        _write(tree, output)
    print(f"{output}: {output.stat().st_size / 1e6:.0f} MB, for Python {', '.join(pythons)}", file=sys.stderr)
    return 0


def _install(tree: Path, python: str, wheel: Path, constraint: Path) -> bool:
    """Install what the wheel's core needs, as wheels alone; where one cannot be had for a Python, leave that out."""
    target = tree / f"cp{python.replace('.', '')}"
    platforms = [f"--platform={name.format(machine=os.uname().machine)}" for name in _PLATFORMS]
    command = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", "--only-binary=:all:"]
    command += [f"--target={target}", f"--python-version={python}", "--implementation=cp", *platforms]
    done = subprocess.run([sys.executable, *command, f"--constraint={constraint}", wheel], check=False)
    if done.returncode:
        shutil.rmtree(target, ignore_errors=True)
        print(f"warden: Python {python} is left out: pip could not install {wheel.name} for it", file=sys.stderr)
    shutil.rmtree(target / "bin", ignore_errors=True)
    return not done.returncode


def _share(tree: Path) -> None:
    """Move what is the same for all Pythons to ``any``; a package is never divided."""
    pythons = sorted(tree.iterdir())
    names = set.intersection(*({path.name for path in python.iterdir()} for python in pythons))
    (tree / "any").mkdir()
    for name in sorted(names):
        if len({_hash(python / name) for python in pythons}) == 1:
            (pythons[0] / name).rename(tree / "any" / name)
            for python in pythons[1:]:
                _remove(python / name)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def _hash(path: Path) -> str:
    digest = hashlib.sha256()
    for file in _files(path):
        digest.update(f"{file.relative_to(path)}\0{file.stat().st_size}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    yield from sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]


def _write(tree: Path, output: Path) -> None:
    with output.open("wb") as file:
        file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for python in sorted(tree.glob("cp*")):
                archive.writestr(zipfile.ZipInfo(f"{python.name}/", _TIME), b"")
            for path in _files(tree):
                entry = zipfile.ZipInfo(path.relative_to(tree).as_posix(), _TIME)
                entry.external_attr = (stat.S_IFREG | path.stat().st_mode & 0o755) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, path.read_bytes())
            archive.comment = _hash(tree)[:16].encode()
    output.chmod(0o755)


if __name__ == "__main__":
    run(command)
