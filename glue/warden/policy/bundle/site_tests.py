"""Tests of a site's own rules, run by OPA against the bundle that they would be part of."""

import base64
import json
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from warden.base.errors import BundleError
from warden.base.files.visible_files import iter_visible_files
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.build import build_bundle
from warden.policy.bundle.site import restore_site_paths

__all__ = ["SiteTest", "run_site_tests"]

_OURS = "data.site."


@dataclass(frozen=True)
class SiteTest:
    """One test and how it went.

    Args:
        name: Package and name.
        place: File and line.
        failed: Whether it failed; one that ends in an error has.
        output: What it printed, and OPA's error.
    """

    name: str
    place: str
    failed: bool
    output: str = ""


def run_site_tests(
    directories: Sequence[Path], *, settings: Path | None = None, profile: str | None = None, run: str = ""
) -> list[SiteTest]:
    """Build a bundle with a site's rules, and run the tests beside them under its settings.

    Args:
        directories: Directories of a site's rules; tests are in files ``*_test.rego``.
        settings: YAML laid over the shipped settings.
        profile: Profile that lies between the two.
        run: Regular expression (RE2) that names of tests match.

    Returns:
        The tests of packages below ``site``, by place.

    Raises:
        BundleError: The rules do not build, the tests do not compile, or there is none.
    """
    opa = find_opa()
    with TemporaryDirectory(prefix="warden-test-") as name:
        work = Path(name)
        bundle = build_bundle(work / "bundle.tar.gz", settings=settings, profile=profile, site=directories, opa=opa)
        tree = _unpack_bundle(bundle.path, work / "tree")
        for number, directory in enumerate(directories):
            for path in iter_visible_files(directory, lambda path: path.name.endswith("_test.rego")):
                target = tree / f"site-{number}" / path.relative_to(directory)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        tests = _run(opa, tree, directories, run)
    if not tests:
        raise BundleError(
            f"{directories[0]}: no test{' that --run matches' if run else ''}: "
            "write rule_test.rego beside a rule, with a package site.rules.NAME_test and rules test_…"
        )
    return tests


def _run(opa: Path, tree: Path, directories: Sequence[Path], run: str) -> list[SiteTest]:
    command = [str(opa), "test", "--bundle", "--format", "json", "--run", run or "^data[.]site[.]", "."]
    done = subprocess.run(command, cwd=tree, capture_output=True, encoding="utf-8", check=False)
    try:
        entries: list[dict[str, Any]] = json.loads(done.stdout or "[]")
    except ValueError:
        entries = []
    if not entries and done.returncode != 0:
        raise BundleError(restore_site_paths(done.stderr.strip() or done.stdout.strip(), directories))
    tests = [_build_test(entry, directories) for entry in entries or [] if entry["package"].startswith(_OURS)]
    return sorted(tests, key=lambda test: test.place)


def _build_test(entry: dict[str, Any], directories: Sequence[Path]) -> SiteTest:
    place = restore_site_paths(f"{entry['location']['file'].removeprefix('./').lstrip('/')}", directories)
    error = (entry.get("error") or {}).get("message", "")
    return SiteTest(
        f"{entry['package'].removeprefix('data.')}.{entry['name']}",
        f"{place}:{entry['location']['row']}",
        bool(entry.get("fail") or entry.get("error")),
        "\n".join(filter(None, [base64.b64decode(entry.get("output") or "").decode().strip(), error])),
    )


def _unpack_bundle(path: Path, tree: Path) -> Path:
    """A bundle as a directory that may be changed: without the signature and the roots."""
    with tarfile.open(path) as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        for member in members:
            member.name = member.name.lstrip("/")
        archive.extractall(tree, members=members, filter="data")
    for name in (".signatures.json", ".manifest"):
        (tree / name).unlink(missing_ok=True)
    return tree
