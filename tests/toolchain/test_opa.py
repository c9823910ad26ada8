"""OPA is taken from where a person put it, else from the cache, else obtained; what does not fit is refused."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.errors import ToolchainError
from warden.toolchain import versions
from warden.toolchain.download import system
from warden.toolchain.opa import find_opa

from .conftest import ReleasePage

Script = Callable[[str, str], Path]

FITS = f"echo Version: {versions.OPA}"
OLD = "echo Version: 1.0.0"


def _asset() -> str:
    name, processor = system()
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
    script: Script, bare: dict[str, str], release_page: ReleasePage, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another version on PATH is passed over, the release is downloaded once, and the second call asks nothing."""
    script("bin/opa", OLD)
    release_page.publish(_asset(), f"#!/bin/sh\n{FITS}\n".encode())
    environ = {**bare, "WARDEN_RELEASES": release_page.url}

    first = find_opa(environ)
    capsys.readouterr()
    second = find_opa(environ)

    assert (first, [f"{_asset()}.sha256", _asset()]) == (second, release_page.paths)
    assert os.access(first, os.X_OK)
    assert ("", "") == capsys.readouterr()


def test_wrong_checksum(bare: dict[str, str], release_page: ReleasePage, tmp_path: Path) -> None:
    """A release whose checksum is not the published one is thrown away."""
    release_page.publish(_asset(), f"#!/bin/sh\n{FITS}\n".encode(), checksum="0" * 64)

    with pytest.raises(ToolchainError, match="is not the published one, so the download was thrown away"):
        find_opa({**bare, "WARDEN_RELEASES": release_page.url})

    assert [".lock"] == [path.suffix for path in (tmp_path / "cache").iterdir()]


def test_release_that_does_not_run(bare: dict[str, str], release_page: ReleasePage) -> None:
    """A release that has the right checksum and does not run here is not kept."""
    release_page.publish(_asset(), b"not a program")

    with pytest.raises(ToolchainError, match="the download is OPA that does not run here"):
        find_opa({**bare, "WARDEN_RELEASES": release_page.url})


def test_no_network(bare: dict[str, str], tmp_path: Path) -> None:
    """Out of reach of the release page one sentence says why and what to do, and nothing stays behind."""
    with pytest.raises(ToolchainError) as caught:
        find_opa(bare)

    text = str(caught.value)
    assert text.startswith(f"OPA {versions.OPA} cannot be obtained on this machine (127.0.0.1:9 does not give ")
    assert text.endswith("): install that version and put it on PATH or name it in WARDEN_OPA")
    assert "\n" not in text
    assert [".lock"] == [path.suffix for path in (tmp_path / "cache").iterdir()]


def test_two_processes_at_once(bare: dict[str, str], release_page: ReleasePage) -> None:
    """Of two processes one downloads; the other says that it waits, and finds it done."""
    release_page.publish(_asset(), f"#!/bin/sh\n{FITS}\n".encode())
    release_page.hold = _asset().rpartition("/")[2]
    environ = {**os.environ, **bare, "WARDEN_RELEASES": release_page.url, "PYTHONPATH": str(CHECKOUT / "glue")}
    environ.pop("WARDEN_OPA", None)
    command = [sys.executable, "-m", "tools.toolchain", "opa"]

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    with start() as first:
        assert release_page.held_path_requested.wait(60)
        with start() as second:
            assert second.stderr is not None
            waiting = second.stderr.readline()
            release_page.let_go.set()
            results = first.communicate(), second.communicate()

    assert waiting.startswith("warden: waiting for another process that is obtaining opa-")
    assert (0, 0) == (first.returncode, second.returncode)
    assert results[0][0] == results[1][0] != ""
    assert [f"{_asset()}.sha256", _asset()] == release_page.paths


@pytest.mark.opa
def test_real_binary(opa_binary: Path) -> None:
    """What is found is OPA, at the pinned version."""
    done = subprocess.run([opa_binary, "version"], capture_output=True, text=True, check=True)

    assert f"Version: {versions.OPA}" == done.stdout.splitlines()[0]
