"""A data base of OSV on disk: an archive of advisories for each ecosystem, as OSV publishes them."""

import json
import zipfile
from collections.abc import Iterable
from pathlib import Path

from warden.base.errors import ToolchainError
from warden.base.toolchain.cache import hash_file

__all__ = ["describe_database"]


def describe_database(directory: Path, ecosystems: Iterable[str]) -> list[str]:
    """Return a line for each archive: how many advisories of which date, and the sum that pins it.

    OSV-Scanner passes over an advisory that it cannot read, and takes an archive without any: both are errors here.

    Args:
        directory: It has ``<ecosystem>/all.zip``.
        ecosystems: Those that have to be there.

    Raises:
        ToolchainError: An archive is missing or damaged, or has nothing about its ecosystem.
    """
    return [f"{name}: {_describe(directory / name / 'all.zip', name)}" for name in sorted(ecosystems)]


def _describe(file: Path, ecosystem: str) -> str:
    count, newest = 0, ""
    try:
        with zipfile.ZipFile(file) as archive:
            for name in archive.namelist():
                advisory = json.loads(archive.read(name))
                newest = max(newest, str(advisory["modified"]))
                packages = [entry.get("package", {}) for entry in advisory.get("affected", [])]
                count += any(str(package.get("ecosystem", "")).split(":")[0] == ecosystem for package in packages)
    except (OSError, zipfile.BadZipFile, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ToolchainError(f"{file} is not an archive of OSV's advisories: {error!r}") from error
    if count == 0:
        raise ToolchainError(f"{file} has no advisory about {ecosystem}")
    return f"{count} advisories, the newest of {newest}, sha256:{hash_file(file)}"
