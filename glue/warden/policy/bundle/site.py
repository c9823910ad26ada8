"""A site's own rules and data, as directories in the form of OPA's bundles, folded into the bundle that is built."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from warden.base.errors import BundleError
from warden.base.files.visible_files import iter_visible_files
from warden.policy.bundle.opa import evaluate_opa

__all__ = [
    "check_site",
    "copy_site",
    "list_coarse_package_warnings",
    "read_site_modules",
    "restore_site_paths",
    "write_site_data",
]

_DATA = ("data.json", "data.yaml", "data.yml")


def check_site(opa: Path, policies: Path, directories: Sequence[Path]) -> None:
    """Check that all of a site's modules are evaluated, and change none of Warden's.

    Args:
        opa: The OPA binary.
        policies: Directory of Warden's policies, with the package `checks.site`.
        directories: Each as ``opa build --bundle`` takes it, packages and data below ``site``; tests are left out.

    Raises:
        BundleError: One line for each problem; or nothing is in a directory, or its data is of others.
    """
    modules = {}
    for directory in directories:
        paths = list(_iter_files(directory))
        if not paths:
            raise BundleError(f"{directory}: no rule and no data in it: name a directory with .rego files")
        for path in paths:
            if path.suffix == ".rego":
                modules[str(path)] = _read_text(path)
            elif path.relative_to(directory).parts[0] != "site":
                name = path.relative_to(directory)
                raise BundleError(f"{path}: a site's data lies below site: move it to {directory / 'site' / name}")
    arguments = ("--data", str(policies / "checks" / "site"), "data.checks.site.problems")
    if problems := evaluate_opa(opa, *arguments, stdin=json.dumps({"modules": modules})):
        raise BundleError("\n".join(sorted(problems)))


def read_site_modules(directories: Sequence[Path]) -> dict[str, str]:
    """Return the sources of a site's modules by path, tests left out."""
    files = (path for directory in directories for path in _iter_files(directory))
    return {str(path): _read_text(path) for path in files if path.suffix == ".rego"}


def copy_site(directories: Sequence[Path], tree: Path) -> None:
    """Copy a site's rules and data into the tree of a bundle.

    Raises:
        BundleError: Two directories have data at the same place.
    """
    for number, directory in enumerate(directories):
        for path in _iter_files(directory):
            place = path.relative_to(directory)
            target = tree / (_build_prefix(number) / place if path.suffix == ".rego" else place)
            if target.exists():
                raise BundleError(f"{path}: another directory of the site has {place} too: put both into one file")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def write_site_data(tree: Path, name: str, document: Mapping[str, Any]) -> None:
    """Write what has been found out of a site's rules beside them, where others look for it.

    Args:
        tree: That of the bundle to be.
        name: ``reads``, what its packages read (``data.site.reads``), or ``metadata``, that of its rules by id.
        document: What to write.

    Raises:
        BundleError: The site has data of that name.
    """
    place = tree / "site" / name
    if place.exists():
        raise BundleError(f"{place.relative_to(tree)}: the bundle has its own data there: choose another name")
    place.mkdir(parents=True)
    (place / "data.json").write_text(json.dumps(document, sort_keys=True), encoding="utf-8")


def list_coarse_package_warnings(reads: Mapping[str, Sequence[Sequence[str]]]) -> list[str]:
    """Return a sentence about each package whose violations are always caused by a change, since it reads all of it."""
    return [
        f"site.rules.{name} reads all of `input`: what it denies is never taken to have been so before a change; "
        "name the fields that it reads"
        for name, paths in sorted(reads.items())
        if [] in paths
    ]


def restore_site_paths(message: str, directories: Sequence[Path]) -> str:
    """Return a message of OPA's about the tree with the files named that a site's modules were copied from."""
    for number, directory in enumerate(directories):
        message = message.replace(f"{_build_prefix(number)}{os.sep}", f"{directory}{os.sep}")
    return message


def _build_prefix(number: int) -> Path:
    return Path(f"site-{number}")


def _iter_files(directory: Path) -> Iterator[Path]:
    def is_selected(path: Path) -> bool:
        return path.name in _DATA or (path.suffix == ".rego" and not path.name.endswith("_test.rego"))

    yield from sorted(iter_visible_files(directory, is_selected))


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BundleError(f"{path}: cannot be read ({error.strerror}): let this user read it") from error
    except UnicodeDecodeError as error:
        raise BundleError(f"{path}: not in UTF-8: save it in UTF-8") from error
