"""Run OSV-Scanner, and believe it only where it has looked at every package."""

import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.utils import canonicalize_name

from tools.audit.packages import Package, write_inputs
from warden.base.errors import ToolchainError

__all__ = ["Finding", "list_vulnerabilities"]

_TIMEOUT_SECONDS = 900.0
_CLEAN, _FOUND = 0, 1  # its exit statuses; all others say that it did not look at everything


@dataclass(frozen=True, order=True)
class Finding:
    """A known vulnerability of a package.

    Args:
        package: What has it.
        id: The advisory's.
        aliases: Its other ids, CVE numbers too.
        summary: Its one line, where it has one.
    """

    package: Package
    id: str
    aliases: tuple[str, ...]
    summary: str


def list_vulnerabilities(scanner: Path, packages: Iterable[Package], database: Path | None) -> list[Finding]:
    """Return the known vulnerabilities, sorted by package.

    Args:
        scanner: OSV-Scanner.
        packages: What to look up.
        database: A directory of OSV's archives; None asks OSV's service.

    Raises:
        ToolchainError: The scanner, its data base or the service was not there, or a package was not looked up.
    """
    wanted = {_normalise(package) for package in packages}
    with TemporaryDirectory(prefix="warden-audit-") as name:
        directory, environment = Path(name), dict(os.environ)
        files = [argument for file in write_inputs(wanted, directory) for argument in ("--lockfile", str(file))]
        # Its configuration is this directory's, which has none: nothing is ignored.
        command = [str(scanner), "scan", "source", "--format", "json", "--all-packages", "--all-vulns", *files]
        if database is not None:
            archives = directory / "data" / "osv-scalibr"
            archives.parent.mkdir()
            archives.symlink_to(database.absolute(), target_is_directory=True)
            command.append("--offline")
            environment["OSV_SCALIBR_LOCAL_DB_CACHE_DIRECTORY"] = str(archives.parent)
        done = _run(command, environment, directory)
    if done.returncode not in {_CLEAN, _FOUND}:
        raise ToolchainError(f"OSV-Scanner ended with status {done.returncode}: {_find_last_line(done.stderr)}")
    try:
        entries = [entry for result in json.loads(done.stdout)["results"] for entry in result["packages"]]
        findings = sorted(finding for entry in entries for finding in _iter_findings(entry))
        seen = {_read_package(entry["package"]) for entry in entries}
    except (ValueError, KeyError, TypeError) as error:
        raise ToolchainError(f"OSV-Scanner's report cannot be read: {error!r}") from error
    if missing := sorted(wanted - seen):
        first = ", ".join(f"{package.name} {package.version}" for package in missing[:3])
        raise ToolchainError(f"OSV-Scanner did not look up {len(missing)} of {len(wanted)} packages: {first}")
    if bool(findings) is not (done.returncode == _FOUND):
        raise ToolchainError(f"OSV-Scanner's status {done.returncode} and its {len(findings)} findings do not agree")
    return findings


def _run(command: list[str], environment: Mapping[str, str], directory: Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            env=environment,
            cwd=directory,
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIMEOUT_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolchainError(f"OSV-Scanner did not run: {error}") from error


def _find_last_line(text: str) -> str:
    return (text.strip().splitlines() or ["it said nothing"])[-1]


def _iter_findings(entry: Mapping[str, Any]) -> Iterable[Finding]:
    package = _read_package(entry["package"])
    for advisory in entry.get("vulnerabilities", []):
        yield Finding(package, advisory["id"], tuple(sorted(advisory.get("aliases", []))), advisory.get("summary", ""))


def _read_package(package: Mapping[str, str]) -> Package:
    return _normalise(Package(package["ecosystem"], package["name"], package["version"]))


def _normalise(package: Package) -> Package:
    if package.ecosystem == "PyPI":
        return Package("PyPI", canonicalize_name(package.name), package.version)
    return Package(package.ecosystem, package.name, package.version.removeprefix("v"))
