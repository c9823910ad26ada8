"""OPA is taken from where a person put it, else from the cache, else obtained; what does not fit is refused."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.patience import PATIENCE
from warden.base.errors import ToolchainError
from warden.base.toolchain import versions
from warden.base.toolchain.download import detect_platform
from warden.base.toolchain.opa import find_opa

from .conftest import ReleasePage

pytestmark = pytest.mark.process

Script = Callable[[str, str], Path]

FITS = f"echo Version: {versions.OPA}"
OLD = "echo Version: 1.0.0"


def _asset() -> str:
    name, processor = detect_platform()
    static = "" if (name, processor) == ("darwin", "amd64") else "_static"
    return f"/open-policy-agent/opa/releases/download/v{versions.OPA}/opa_{name}_{processor}{static}"


def test_named_binary_goes_before_path(script: Script, bare: dict[str, str]) -> None:
    """WARDEN_OPA is used as it is, although PATH has one that fits."""
    script("bin/opa", FITS)
    named = script("mine/opa", FITS)

    assert named == find_opa({**bare, "WARDEN_OPA": str(named)})


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (None, "which is not an executable file: correct it or unset it"),
        (OLD, f"which is OPA 1.0.0: name OPA {versions.OPA} or unset it"),
        ("exit 3", f"which is not a working OPA: name OPA {versions.OPA} or unset it"),
    ],
)
def test_named_binary_that_does_not_fit(
    script: Script, bare: dict[str, str], tmp_path: Path, body: str | None, text: str
) -> None:
    """A broken WARDEN_OPA is an error that names it, even when PATH has one that fits."""
    script("bin/opa", FITS)
    named = script("mine/opa", body) if body else tmp_path / "mine" / "opa"

    with pytest.raises(ToolchainError) as caught:
        find_opa({**bare, "WARDEN_OPA": str(named)})

    assert f"WARDEN_OPA names {named}, {text}" == str(caught.value)


def test_path(script: Script, bare: dict[str, str]) -> None:
    """An OPA of the pinned version on PATH is used and nothing is obtained."""
    assert script("bin/opa", FITS) == find_opa(bare)


def test_download_is_cached(
    script: Script,
    bare: dict[str, str],
    release_page: ReleasePage,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Another version on PATH is passed over, the release is downloaded once, and the second call asks nothing."""
    script("bin/opa", OLD)
    sha256 = release_page.publish(_asset(), f"#!/bin/sh\n{FITS}\n".encode())
    monkeypatch.setattr(versions, "OPA_SHA256", {detect_platform(): sha256})
    environ = {**bare, "WARDEN_RELEASES": release_page.url}

    first = find_opa(environ)
    capsys.readouterr()
    second = find_opa(environ)

    assert (first, [_asset()]) == (second, release_page.paths)
    assert os.access(first, os.X_OK)
    assert ("", "") == capsys.readouterr()


def test_a_mirror_that_changes_file_and_sum(
    bare: dict[str, str], release_page: ReleasePage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release that is not the pinned one is thrown away, whatever sum is published beside it."""
    sha256 = release_page.publish(_asset(), f"#!/bin/sh\n{FITS}\n".encode())
    monkeypatch.setattr(versions, "OPA_SHA256", {detect_platform(): "0" * 64})

    with pytest.raises(ToolchainError) as caught:
        find_opa({**bare, "WARDEN_RELEASES": release_page.url})

    assert str(caught.value) == (
        f"OPA {versions.OPA} cannot be obtained on this machine ({release_page.url}{_asset()} has the SHA-256 sum "
        f"{sha256}, and not {'0' * 64}, so the download was thrown away: unset WARDEN_RELEASES, or let"
        " it name a page that has the file as it was published): "
        "install that version and put it on PATH or name it in WARDEN_OPA"
    )
    assert [".lock"] == [path.suffix for path in (tmp_path / "cache").iterdir()]


@pytest.mark.parametrize("mirror", [True, False])
def test_no_sum_is_pinned(
    bare: dict[str, str], release_page: ReleasePage, monkeypatch: pytest.MonkeyPatch, *, mirror: bool
) -> None:
    """Nothing comes from a mirror, nor where a pinned sum is wanted: not even the page is read."""
    release_page.publish(_asset(), f"#!/bin/sh\n{FITS}\n".encode())
    monkeypatch.setattr(versions, "OPA_SHA256", {("plan9", "mips"): "0" * 64})
    monkeypatch.setattr(versions, "RELEASES", release_page.url)

    with pytest.raises(ToolchainError) as caught:
        find_opa({**bare, "WARDEN_RELEASES": release_page.url if mirror else ""}, pinned=not mirror)

    no_sum = (
        f"no SHA-256 sum of OPA {versions.OPA} for {'/'.join(detect_platform())} is pinned, so it is not downloaded"
    )
    assert str(caught.value).startswith(f"OPA {versions.OPA} cannot be obtained on this machine ({no_sum}): install ")
    assert [] == release_page.paths


def test_the_sum_that_the_own_page_publishes(
    bare: dict[str, str], release_page: ReleasePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where none is pinned, OPA's own page is believed, and a file that has another sum is thrown away."""
    monkeypatch.setattr(versions, "OPA_SHA256", {})
    monkeypatch.setattr(versions, "RELEASES", release_page.url)
    environ = {**bare, "WARDEN_RELEASES": ""}
    release_page.publish(_asset(), b"torn")
    release_page.files[_asset()] = f"#!/bin/sh\n{FITS}\n".encode()
    with pytest.raises(ToolchainError, match="so the download was thrown away"):
        find_opa(environ)

    release_page.publish(_asset(), release_page.files[_asset()])

    assert os.access(find_opa(environ), os.X_OK)


def test_release_that_does_not_run(
    bare: dict[str, str], release_page: ReleasePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release that has the right checksum and does not run here is not kept."""
    monkeypatch.setattr(versions, "OPA_SHA256", {detect_platform(): release_page.publish(_asset(), b"not a program")})

    with pytest.raises(ToolchainError, match="the download is OPA that does not run here"):
        find_opa({**bare, "WARDEN_RELEASES": release_page.url})


def test_no_network(bare: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of reach of the release page one sentence says why and what to do, and nothing stays behind."""
    monkeypatch.setattr(versions, "OPA_SHA256", {detect_platform(): "0" * 64})
    with pytest.raises(ToolchainError) as caught:
        find_opa(bare)

    text = str(caught.value)
    assert text.startswith(f"OPA {versions.OPA} cannot be obtained on this machine (127.0.0.1:9 does not give ")
    assert text.endswith("): install that version and put it on PATH or name it in WARDEN_OPA")
    assert "\n" not in text
    assert [".lock"] == [path.suffix for path in (tmp_path / "cache").iterdir()]


def test_two_processes_at_once(bare: dict[str, str], release_page: ReleasePage) -> None:
    """Of two processes one downloads; the other says that it waits, and finds it done."""
    sha256 = release_page.publish(_asset(), f"#!/bin/sh\n{FITS}\n".encode())
    release_page.hold = _asset().rpartition("/")[2]
    environ = {**os.environ, **bare, "WARDEN_RELEASES": release_page.url, "PYTHONPATH": str(CHECKOUT / "glue")}
    environ.pop("WARDEN_OPA", None)
    pinned = f"from warden.base.toolchain import versions; versions.OPA_SHA256 = {{{detect_platform()}: '{sha256}'}}"
    command = [sys.executable, "-c", f"{pinned}; from tools.toolchain.build_opa import obtain_opa; print(obtain_opa())"]

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    with start() as first:
        assert release_page.held_path_requested.wait(PATIENCE)
        with start() as second:
            assert second.stderr is not None
            waiting = second.stderr.readline()
            release_page.let_go.set()
            results = first.communicate(), second.communicate()

    assert waiting.startswith("warden: waiting for another process that is obtaining opa-")
    assert (0, 0) == (first.returncode, second.returncode)
    assert results[0][0] == results[1][0] != ""
    assert [_asset()] == release_page.paths


@pytest.mark.opa
def test_real_binary(opa_binary: Path) -> None:
    """What is found is OPA, at the pinned version."""
    done = subprocess.run([opa_binary, "version"], capture_output=True, text=True, check=True)

    assert f"Version: {versions.OPA}" == done.stdout.splitlines()[0]
