"""Java is taken when it is new enough, else downloaded, else there is one sentence."""

import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.toolchain.java import install_java
from warden.base.errors import ToolchainError
from warden.base.toolchain import versions
from warden.base.toolchain.download import detect_platform
from warden.base.toolchain.java import find_java

from .conftest import ReleasePage

pytestmark = pytest.mark.process

Script = Callable[[str, str], Path]


def _java(version: str, home: str = "") -> str:
    """Return the script of a Java that tells its version (and home directory) as the real one does, on stderr."""
    return f"""
echo 'Property settings:' >&2
echo '    java.home = {home}' >&2
echo 'openjdk version "{version}" 2026-01-20' >&2
"""


@pytest.fixture
def nothing(tmp_path: Path) -> Path:
    """A directory of distribution Javas that is not there."""
    return tmp_path / "none"


@pytest.mark.parametrize("version", ["17", "17.0.18", "21.0.2", "25-ea"])
def test_java_home_that_fits(script: Script, bare: dict[str, str], nothing: Path, version: str) -> None:
    """Seventeen and everything newer fits."""
    home = script("jdk/bin/java", _java(version)).parent.parent

    assert home == find_java({**bare, "JAVA_HOME": str(home)}, installed=nothing)


def test_release_file_spares_a_process(script: Script, bare: dict[str, str], nothing: Path) -> None:
    """A home directory with a release file is believed without starting its Java."""
    home = script("jdk/bin/java", "exit 1").parent.parent
    (home / "release").write_text('IMPLEMENTOR="x"\nJAVA_VERSION="17.0.18"\n', encoding="utf-8")

    assert home == find_java({**bare, "JAVA_HOME": str(home)}, installed=nothing)


def test_path_through_links_and_wrappers(script: Script, bare: dict[str, str], nothing: Path, tmp_path: Path) -> None:
    """Behind a wrapper on PATH the home directory is the one that Java itself tells."""
    home = script("jdk/bin/java", _java("21.0.2")).parent.parent
    script("shims/bin/java", _java("21.0.2", str(home)))
    (tmp_path / "bin" / "java").symlink_to(tmp_path / "shims" / "bin" / "java")

    assert home == find_java(bare, installed=nothing)


def test_old_java_home_does_not_hide_a_new_one(
    script: Script, bare: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Old ones in JAVA_HOME and on PATH are passed over for the distribution's new one, and the former is named."""
    old = script("old/bin/java", _java("1.8.0_402")).parent.parent
    script("bin/java", _java("11.0.2", str(old)))
    new = script("jvm/java-21/bin/java", _java("21.0.2")).parent.parent
    script("jvm/java-11/bin/java", _java("11.0.2"))

    environ = {**bare, "JAVA_HOME": str(old)}

    assert [new, new] == [find_java(environ, installed=tmp_path / "jvm") for _ in range(2)]
    said = f"warden: JAVA_HOME is passed over: {old} has Java 8, and 17 or newer is needed: {new} is used\n"
    assert ("", said) == capsys.readouterr()


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (_java("11.0.2"), "Java 11"),
        (_java("1.8.0_402"), "Java 8"),
        (_java("16.0.2"), "Java 16"),
        ("exit 1", "no working Java"),
        ("echo hello", "no working Java"),
    ],
)
def test_too_old_and_no_network(
    script: Script, bare: dict[str, str], nothing: Path, tmp_path: Path, body: str, found: str
) -> None:
    """When nothing newer can be had one sentence says what was found and what to do, and nothing stays behind."""
    home = script("jdk/bin/java", body).parent.parent

    with pytest.raises(ToolchainError) as caught:
        find_java({**bare, "JAVA_HOME": str(home)}, installed=nothing)

    text = str(caught.value)
    assert text.startswith(
        f"Java 17 or newer is needed and was not found ({home} has {found}; 127.0.0.1:9 does not give "
    )
    assert text.endswith("): install a Java runtime and put it on PATH or name its directory in JAVA_HOME")
    assert [".lock"] == [path.suffix for path in (tmp_path / "cache").iterdir()]


APT = """
echo "$@" >> {log}
case "$*" in
  *install*openjdk-21*) /bin/mkdir -p {jvm}/java-21/bin && /bin/cp {java} {jvm}/java-21/bin/java ;;
  *install*) echo 'E: Unable to locate package'; exit 100 ;;
esac
"""


def test_distribution_package(
    script: Script, bare: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A developer who is root on Debian gets the package of its release; the second call installs nothing."""
    log, jvm, java = tmp_path / "log", tmp_path / "jvm", script("java", _java("21.0.2"))
    script("bin/apt-get", APT.format(log=log, jvm=jvm, java=java))
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    first, second = install_java(bare, installed=jvm), install_java(bare, installed=jvm)

    assert (jvm / "java-21", jvm / "java-21") == (first, second)
    options = "-o DPkg::Lock::Timeout=300 -q -y"
    assert log.read_text(encoding="utf-8").splitlines() == [
        f"{options} update",
        f"{options} install --no-install-recommends openjdk-17-jre-headless",
        f"{options} install --no-install-recommends openjdk-21-jre-headless",
    ]


def test_the_product_installs_nothing(
    script: Script, bare: dict[str, str], nothing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is root and runs a command does not get a package of the distribution's."""
    script("bin/apt-get", f'echo "$@" >> {tmp_path}/log')
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    with pytest.raises(ToolchainError, match="install a Java runtime and put it on PATH"):
        find_java(bare, installed=nothing)
    assert not (tmp_path / "log").exists()


def _release() -> tuple[str, bytes]:
    """Return the path and the content of a release archive whose Java is a script."""
    name, processor = detect_platform()
    words = {"linux": "linux", "darwin": "mac", "amd64": "x64", "arm64": "aarch64"}
    tag, file = versions.TEMURIN.replace("+", "%2B"), versions.TEMURIN.replace("+", "_")
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as tar:
        member = tarfile.TarInfo(f"jdk-{versions.TEMURIN}-jre/bin/java")
        body = f"#!/bin/sh\n{_java('17.0.18')}".encode()
        member.size, member.mode = len(body), 0o755
        tar.addfile(member, io.BytesIO(body))
    base = f"/adoptium/temurin17-binaries/releases/download/jdk-{tag}"
    return f"{base}/OpenJDK17U-jre_{words[processor]}_{words[name]}_hotspot_{file}.tar.gz", content.getvalue()


def test_release_is_downloaded_once(
    bare: dict[str, str],
    nothing: Path,
    release_page: ReleasePage,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without root the verified release goes into the cache, and the second call asks nothing."""
    path, content = _release()
    sha256 = release_page.publish(path, content, sums=".sha256.txt")
    monkeypatch.setattr(versions, "TEMURIN_SHA256", {detect_platform(): sha256})
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    environ = {**bare, "WARDEN_RELEASES": release_page.url, "JAVA_HOME": str(nothing)}

    first, second = find_java(environ, installed=nothing), find_java(environ, installed=nothing)

    assert (first, f"jdk-{versions.TEMURIN}-jre") == (second, first.name)
    assert [path] == release_page.paths
    said = f"JAVA_HOME is passed over: {nothing} has no working Java, and 17 or newer is needed: {first} is used"
    assert 1 == capsys.readouterr().err.count(said)


def test_a_mirror_that_changes_file_and_sum(
    bare: dict[str, str], nothing: Path, tmp_path: Path, release_page: ReleasePage
) -> None:
    """A release that is not the pinned one is thrown away, whatever sum is published beside it."""
    path, content = _release()
    sha256 = release_page.publish(path, content, sums=".sha256.txt")

    with pytest.raises(ToolchainError) as caught:
        find_java({**bare, "WARDEN_RELEASES": release_page.url}, installed=nothing)

    assert str(caught.value) == (
        f"Java 17 or newer is needed and was not found ({release_page.url}{path} has the SHA-256 sum {sha256}, and not "
        f"{versions.TEMURIN_SHA256[detect_platform()]}, so the download was thrown away: unset WARDEN_RELEASES"
        ", or let it name a page that has the file as it was published): "
        "install a Java runtime and put it on PATH or name its directory in JAVA_HOME"
    )
    assert [".lock"] == [path.suffix for path in (tmp_path / "cache").iterdir()]


def test_no_sum_is_pinned(
    bare: dict[str, str], nothing: Path, release_page: ReleasePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is downloaded for a platform of which no sum is known: a Java has to be installed there."""
    release_page.publish(*_release(), sums=".sha256.txt")
    monkeypatch.setattr(versions, "TEMURIN_SHA256", {})

    with pytest.raises(ToolchainError) as caught:
        find_java({**bare, "WARDEN_RELEASES": release_page.url}, installed=nothing)

    platform = "/".join(detect_platform())
    no_sum = f"no SHA-256 sum of Temurin {versions.TEMURIN} for {platform} is pinned, so it is not downloaded"
    assert str(caught.value) == (
        f"Java 17 or newer is needed and was not found ({no_sum}): "
        "install a Java runtime and put it on PATH or name its directory in JAVA_HOME"
    )
    assert [] == release_page.paths
