"""``python -m tools.quick``: run the tests that a change can break, and say which are left out.

Tests of Python are found by imports, fixtures, and names of modules, files and commands (`tools.dependents`). Of Rego
the packages that changed and those that name them are tested, unless their texts have passed before.
"""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from tools.command_line import run
from tools.dependents import map_dependents, map_python_uses, map_rego_uses
from warden import commands
from warden.base.files.private import make_private_directory
from warden.base.toolchain.cache import Cache
from warden.base.toolchain.opa import find_opa

__all__ = ["command", "select_packages", "select_tests"]

_MANY = ("Makefile", "pyproject.toml", "requirements.lock", "tests/conftest.py")  # any test may depend on them
_MINUTES = ("cluster", "costs", "docs", "install", "k8s", "oracle", "slow")
# What changed → tests that are about all of its kind.
_OF_ALL = {
    r"\.py$": ("tests/test_exported_members.py", "tests/test_layers.py", "tests/test_sizes.py"),
    r"^(policies|bundle)/": ("tests/rego/checks", "tests/rego/rules/test_examples.py"),
    r"\.md$": ("tests/docs/test_links.py", "tests/tools/lint/test_words.py"),
}


def select_tests(checkout: Path, changed: Iterable[str]) -> list[str]:
    """Return the files of tests that can break where files have changed, the nearest to a change first."""
    modules = {name: f"{commands.__name__}.{module}" for name, module in commands.COMMANDS.items()}
    steps = map_dependents(map_python_uses(checkout, modules), list(changed))
    tests = [path for path in steps if Path(path).name.startswith("test_") and (checkout / path).is_file()]
    return sorted(tests, key=lambda path: (steps[path], path))


def select_packages(policies: Path, changed: Iterable[str]) -> dict[str, str]:
    """Return the packages of Rego in which files under ``policies/`` have changed, and who names them, with hashes."""
    uses = map_rego_uses(policies)
    touched = {".".join(Path(path).parts[1:-1]) for path in changed}
    touched |= {".".join(Path(path).with_suffix("").parts[1:]).removesuffix("_test") for path in changed}
    steps = map_dependents(uses, sorted(touched & uses.keys()))  # over several, nearly all are reached
    return {name: _hash(policies, uses, name) for name in sorted(steps) if steps[name] <= 1}


def _hash(policies: Path, uses: dict[str, set[str]], package: str) -> str:
    """A hash of the texts of a package and of all that it names."""
    named, left = set[str](), [package]
    while left:
        if (name := left.pop()) not in named:
            named.add(name)
            left += uses[name]
    digest = hashlib.sha256(package.encode())
    for name in sorted(named):
        place = policies / name.replace(".", "/")
        for path in sorted([*place.glob("*.*"), *place.parent.glob(f"{place.name}*.rego")]):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


@click.command(help="Run the tests that what changed since a commit can break, the nearest of them.")
@click.option("--since", default="HEAD", show_default=True, help="The commit.")
@click.option("--most", default=40, show_default=True, help="So many files of tests at most.")
@click.option("--list", "only_list", is_flag=True, help="Name the tests, and run none.")
@click.argument("arguments", nargs=-1)
def command(since: str, most: int, only_list: bool, arguments: tuple[str, ...]) -> int:
    """Select, say what is left out, and run."""
    checkout = Path.cwd()
    changed = _list_changes(since)
    rego = [path for path in changed if path.startswith("policies/")]
    reached = select_tests(checkout, changed)
    usual = {
        test for pattern, tests in _OF_ALL.items() for test in tests if any(map(re.compile(pattern).search, changed))
    }
    tests = sorted({*usual, *reached[:most]})
    packages = select_packages(checkout / "policies", rego) if rego else {}
    every, further = sum(1 for _ in (checkout / "tests").rglob("test_*.py")), max(0, len(reached) - most)
    print(f"{len(changed)} files changed: {len(tests)} of {every} files of tests, {len(packages)} packages of Rego")
    print(f"left out: {further} files of tests that are further from the change (--most), {every - len(reached)} that")
    print(
        f"nothing leads to from it, tests that are marked {', '.join(_MINUTES)}, and packages that name none of those"
    )
    if many := sorted({*changed} & {*_MANY}):
        print(f"left out: all else that {', '.join(many)} can break, which is anything: run make test")
    if only_list:
        print(*tests, *packages, sep="\n")
        return 0
    status = _test_rego(packages) if packages else 0
    return status or (_test_python(tests, arguments) if tests else 0)


def _list_changes(since: str) -> list[str]:
    """Paths that differ from a commit, and those that git does not have yet."""
    difference = ("git", "diff", "--name-only", "--no-renames", since)
    untracked = ("git", "ls-files", "--others", "--exclude-standard")
    return sorted({line for git in (difference, untracked) for line in _run_git(git)})


def _run_git(git: tuple[str, ...]) -> list[str]:
    return subprocess.run(git, capture_output=True, text=True, check=True).stdout.splitlines()


def _test_python(tests: list[str], arguments: tuple[str, ...]) -> int:
    marked = f"not ({' or '.join(_MINUTES)})"
    workers = ["--numprocesses", "3", "--dist", "loadscope"] if len(tests) > 3 else []
    python = [sys.executable, "-m", "pytest", "-q", "--durations", "5", "-m", marked, *workers, *tests, *arguments]
    status = subprocess.run(python, check=False).returncode
    return 0 if status == 5 else status  # 5: all of them are marked


def _test_rego(packages: dict[str, str]) -> int:
    passed = make_private_directory(Cache.from_environment().root / "rego-passed")
    left = {name: hash_ for name, hash_ in packages.items() if not (passed / hash_).exists()}
    print(
        f"opa test: {', '.join(left) or 'none'}; passed before with the same texts: {len(packages) - len(left)}",
        flush=True,
    )
    if not left:
        return 0
    names = "|".join(name.replace(".", "\\.") for name in left)
    test = (
        find_opa(),
        "test",
        "--bundle",
        "--timeout",
        "120s",
        "policies",
        "bundle",
        "-r",
        f"^data\\.({names})(_test)?\\.",
    )
    status = subprocess.run(test, check=False, env={"GOGC": "800", **os.environ}).returncode
    for hash_ in left.values() if status == 0 else ():
        (passed / hash_).touch()
    return status


if __name__ == "__main__":
    run(command)
