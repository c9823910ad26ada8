"""``python -m tools.one_file``: make Warden's wheel, what it needs, and OPA into one executable file."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click

from tools.command_line import run
from tools.one_file.pack import write_one_file
from tools.toolchain.build_opa import obtain_opa
from warden.base.errors import ToolchainError
from warden.policy.bundle.cache import compute_hash

__all__ = ["command"]

_PYTHONS = ("3.11", "3.12", "3.13", "3.14")
_PLATFORMS = ("manylinux2014_{machine}", "manylinux_2_28_{machine}")


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
        (tree / "opa").mkdir()
        shutil.copy(obtain_opa(), tree / "opa" / "opa")
        _prebuild(tree)
        write_one_file(tree, output)
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
        if len({compute_hash((), [python / name]) for python in pythons}) == 1:
            (pythons[0] / name).rename(tree / "any" / name)
            for python in pythons[1:]:
                _remove(python / name)


def _prebuild(tree: Path) -> None:
    """Build the bundle of the shipped settings with the modules and the OPA that are inside, and put it beside them."""
    own = tree / f"cp{sys.version_info.major}{sys.version_info.minor}"
    directory = tree / "any" / "warden" / "_share" / "prebuilt"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (own, tree / "any"))),
        "PYTHONDONTWRITEBYTECODE": "1",
        "WARDEN_OPA": str(tree / "opa" / "opa"),
    }
    subprocess.run([sys.executable, "-m", "tools.one_file.prebuild", directory], env=environment, check=True)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


if __name__ == "__main__":
    run(command)
