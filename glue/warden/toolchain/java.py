"""Find a Java runtime that PySpark and Kafka run on: installed, the distribution's, or Temurin's."""

import os
import re
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from warden.errors import ToolchainError
from warden.toolchain import versions
from warden.toolchain.cache import Cache
from warden.toolchain.download import download, releases, system
from warden.toolchain.process import run
from warden.toolchain.progress import say, working

__all__ = ["find_java"]

_APT_TIMEOUT_SECONDS = 900.0
_APT_OPTIONS = ("-o", "DPkg::Lock::Timeout=300", "-q", "-y")
_APT_ENVIRON = {"DEBIAN_FRONTEND": "noninteractive"}
_APT_PACKAGES = ("openjdk-17-jre-headless", "openjdk-21-jre-headless")  # Debian 12 has the first, Debian 13 the second
_JVM_DIRECTORY = Path("/usr/lib/jvm")
_SYSTEMS = {"linux": "linux", "darwin": "mac"}
_PROCESSORS = {"amd64": "x64", "arm64": "aarch64"}


def find_java(environ: Mapping[str, str] = os.environ, *, installed: Path = _JVM_DIRECTORY) -> Path:
    """Return the home directory (as in ``JAVA_HOME``) of a Java that is new enough.

    In this order: ``JAVA_HOME``; ``java`` on PATH; the distribution's own directory; the cache; the distribution's
    package where it needs no consent (root on Debian or Ubuntu); the Temurin release.

    Args:
        environ: The environment: ``JAVA_HOME``, ``PATH``, ``WARDEN_CACHE``, ``WARDEN_RELEASES``.
        installed: Where the distribution keeps its Javas, one directory each.

    Raises:
        ToolchainError: None of them has a Java that is new enough.
    """
    seen: list[str] = []
    if home := _first_fit(_candidates(environ, installed), seen):
        return home
    cache, name = Cache.of(environ), f"temurin-{versions.TEMURIN}-{os.uname().sysname}-{os.uname().machine}".lower()
    if not (cache.root / name).exists() and (home := _from_distribution(environ, installed, seen)):
        return home
    try:
        return _home(cache.obtain(name, partial(_fill, environ=environ)))
    except ToolchainError as error:
        raise ToolchainError(
            f"Java {versions.JAVA_MINIMUM} or newer is needed and was not found ({'; '.join([*seen, str(error)])}): "
            "install a Java runtime and put it on PATH or name its directory in JAVA_HOME"
        ) from error


def _first_fit(candidates: Iterator[Path], seen: list[str]) -> Path | None:
    for home in candidates:
        major = _major(home)
        if major is not None and major >= versions.JAVA_MINIMUM:
            return home
        seen.append(f"{home} has {f'Java {major}' if major else 'no working Java'}")
    return None


def _candidates(environ: Mapping[str, str], installed: Path) -> Iterator[Path]:
    if given := environ.get("JAVA_HOME"):
        yield Path(given)
    if java := shutil.which("java", path=environ.get("PATH")):
        yield _home_of(Path(java))
    homes = (java.parent.parent for java in installed.glob("*/bin/java"))
    yield from sorted(home for home in homes if not home.is_symlink())


def _home_of(java: Path) -> Path:
    """Return the home directory behind a ``java`` command, which may be a link, a shim or a wrapper script."""
    home = java.resolve().parent.parent
    if (home / "release").is_file():
        return home
    try:
        match = re.search(r"^\s*java\.home = (.+)$", _properties(java), re.MULTILINE)
    except ToolchainError:
        return home
    return Path(match[1].strip()) if match else home


def _major(home: Path) -> int | None:
    """Return the major version of the Java in a home directory: from its release file, else by asking it."""
    java = home / "bin" / "java"
    if not os.access(java, os.X_OK):
        return None
    try:
        text = (home / "release").read_text(encoding="utf-8", errors="replace")
        match = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', text, re.MULTILINE)
    except OSError:
        match = None
    if match is None:
        try:
            match = re.search(r'version "(?:1\.)?(\d+)', _properties(java))
        except ToolchainError:
            return None
    return int(match[1]) if match else None


def _properties(java: Path) -> str:
    return run([java, "-XshowSettings:properties", "-version"], timeout=60)


def _from_distribution(environ: Mapping[str, str], installed: Path, seen: list[str]) -> Path | None:
    apt = shutil.which("apt-get", path=environ.get("PATH"))
    if apt is None or os.geteuid() != 0:
        return None
    with Cache.of(environ).exclusive("java"):
        if home := _first_fit(_candidates(environ, installed), []):  # another process has just installed it
            return home
        steps = [["update"], *(["install", "--no-install-recommends", package] for package in _APT_PACKAGES)]
        for step in steps:
            try:
                with working(f"{apt} {' '.join(step)}"):
                    run([apt, *_APT_OPTIONS, *step], environ={**environ, **_APT_ENVIRON}, timeout=_APT_TIMEOUT_SECONDS)
            except ToolchainError as error:
                say(str(error))
                seen.append(str(error))
            else:
                if home := _first_fit(_candidates(environ, installed), []):
                    return home
    return None


def _fill(directory: Path, environ: Mapping[str, str]) -> None:
    name, processor = system()
    version = versions.TEMURIN
    file = f"OpenJDK17U-jre_{_PROCESSORS[processor]}_{_SYSTEMS[name]}_hotspot_{version.replace('+', '_')}.tar.gz"
    url = f"{releases('adoptium/temurin17-binaries', f'jdk-{version}'.replace('+', '%2B'), environ)}/{file}"
    archive = directory / "jre.tar.gz"
    download(url, f"{url}.sha256.txt", archive)
    with tarfile.open(archive) as tar:
        tar.extractall(directory, filter="data")
    archive.unlink()
    if _major(_home(directory)) is None:
        raise ToolchainError(f"the Java in {file} does not run here")


def _home(directory: Path) -> Path:
    """Return the home directory inside an unpacked release (on macOS it is ``Contents/Home``)."""
    homes = [path.parent.parent for path in directory.glob("**/bin/java")]
    if not homes:
        raise ToolchainError(f"there is no Java in {directory}")
    return homes[0]
