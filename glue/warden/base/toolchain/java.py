"""Find a Java runtime that PySpark and Kafka run on: installed, or Temurin's. Nothing is installed on the system."""

import os
import re
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path

from warden.base.errors import ToolchainError
from warden.base.process.progress import print_status
from warden.base.toolchain import versions
from warden.base.toolchain.cache import Cache
from warden.base.toolchain.download import build_release_url, detect_platform, download, require_sum
from warden.base.toolchain.process import run

__all__ = ["JVM_DIRECTORY", "build_temurin_url", "find_java", "has_java"]

JVM_DIRECTORY = Path("/usr/lib/jvm")
"""Where a distribution keeps its Javas, one directory each."""
_SYSTEMS = {"linux": "linux", "darwin": "mac"}
_PROCESSORS = {"amd64": "x64", "arm64": "aarch64"}


def find_java(environ: Mapping[str, str] = os.environ, *, installed: Path = JVM_DIRECTORY) -> Path:
    """Return the home directory (as in ``JAVA_HOME``) of a Java that is new enough.

    In this order: ``JAVA_HOME``; ``java`` on PATH; the distribution's own directory; the cache; the Temurin release.
    A ``JAVA_HOME`` that does not fit is named on stderr, once.

    Args:
        environ: The environment: ``JAVA_HOME``, ``PATH``, ``WARDEN_CACHE``, ``WARDEN_RELEASES``.
        installed: Where the distribution keeps its Javas, one directory each.

    Raises:
        ToolchainError: None of them has a Java that is new enough.
    """
    seen: list[str] = []
    try:
        home = _find_first_fit(_iter_candidates(environ, installed), seen)
        home = home or _find_unpacked_home(
            Cache.from_environment(environ).obtain(_build_cache_name(), partial(_fill, environ=environ))
        )
    except ToolchainError as error:
        raise ToolchainError(
            f"Java {versions.JAVA_MINIMUM} or newer is needed and was not found ({'; '.join([*seen, str(error)])}): "
            "install a Java runtime and put it on PATH or name its directory in JAVA_HOME"
        ) from error
    java_home = environ.get("JAVA_HOME")
    if java_home and home != Path(java_home):
        _say_once(
            f"JAVA_HOME is passed over: {seen[0]}, and {versions.JAVA_MINIMUM} or newer is needed: {home} is used"
        )
    return home


def has_java(environ: Mapping[str, str] = os.environ, *, installed: Path = JVM_DIRECTORY) -> bool:
    """Return whether `find_java` has nothing to download.

    Args:
        environ: As there.
        installed: As there.
    """
    return (
        _find_first_fit(_iter_candidates(environ, installed), []) is not None
        or (Cache.from_environment(environ).root / _build_cache_name()).exists()
    )


def build_temurin_url(name: str, processor: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return the address of the pinned Temurin JRE.

    Args:
        name: The operating system, in Go's words.
        processor: The processor, in Go's words.
        environ: Where ``WARDEN_RELEASES`` names a mirror.
    """
    version = versions.TEMURIN
    file = f"OpenJDK17U-jre_{_PROCESSORS[processor]}_{_SYSTEMS[name]}_hotspot_{version.replace('+', '_')}.tar.gz"
    return f"{build_release_url('adoptium/temurin17-binaries', f'jdk-{version}'.replace('+', '%2B'), environ)}/{file}"


def _build_cache_name() -> str:
    return f"temurin-{versions.TEMURIN}-{os.uname().sysname}-{os.uname().machine}".lower()


@cache
def _say_once(sentence: str) -> None:
    print_status(sentence)


def _find_first_fit(candidates: Iterator[Path], seen: list[str]) -> Path | None:
    for home in candidates:
        major = _read_major_version(home)
        if major is not None and major >= versions.JAVA_MINIMUM:
            return home
        seen.append(f"{home} has {f'Java {major}' if major else 'no working Java'}")
    return None


def _iter_candidates(environ: Mapping[str, str], installed: Path) -> Iterator[Path]:
    if java_home := environ.get("JAVA_HOME"):
        yield Path(java_home)
    if java := shutil.which("java", path=environ.get("PATH")):
        yield _find_home(Path(java))
    homes = (java.parent.parent for java in installed.glob("*/bin/java"))
    yield from sorted(home for home in homes if not home.is_symlink())


def _find_home(java: Path) -> Path:
    """Return the home directory behind a ``java`` command, which may be a link, a shim or a wrapper script."""
    home = java.resolve().parent.parent
    if (home / "release").is_file():
        return home
    try:
        match = re.search(r"^\s*java\.home = (.+)$", _read_properties(java), re.MULTILINE)
    except ToolchainError:
        return home
    return Path(match[1].strip()) if match else home


def _read_major_version(home: Path) -> int | None:
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
            match = re.search(r'version "(?:1\.)?(\d+)', _read_properties(java))
        except ToolchainError:
            return None
    return int(match[1]) if match else None


def _read_properties(java: Path) -> str:
    return run([java, "-XshowSettings:properties", "-version"], timeout=60)


def _fill(directory: Path, environ: Mapping[str, str]) -> None:
    sha256 = require_sum(versions.TEMURIN_SHA256, f"Temurin {versions.TEMURIN}")
    url = build_temurin_url(*detect_platform(), environ)
    archive = directory / "jre.tar.gz"
    download(url, sha256, archive)
    with tarfile.open(archive) as tar:
        tar.extractall(directory, filter="data")
    archive.unlink()
    if _read_major_version(_find_unpacked_home(directory)) is None:
        raise ToolchainError(f"the Java in {url.rpartition('/')[2]} does not run here: install Java 17 or newer")


def _find_unpacked_home(directory: Path) -> Path:
    """Return the home directory inside an unpacked release (on macOS it is ``Contents/Home``)."""
    homes = [path.parent.parent for path in directory.glob("**/bin/java")]
    if not homes:
        raise ToolchainError(f"there is no Java in {directory}: install Java 17 or newer")
    return homes[0]
