"""OPA is built with Go where its release page is out of reach."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.toolchain.conftest import NOWHERE
from tools.toolchain.opa import obtain_opa
from warden.errors import ToolchainError
from warden.toolchain import versions

Script = Callable[[str, str], Path]

FITS = f"echo Version: {versions.OPA}"
OLD = "echo Version: 1.0.0"


GO = """
case "$1" in
  env) echo {version} ;;
  install) printf '#!/bin/sh\\n{prints}\\n' > "$GOBIN/opa" && /bin/chmod +x "$GOBIN/opa" ;;
esac
"""


def test_built_when_the_release_page_is_out_of_reach(
    script: Script, bare: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a release page Go builds it, and a person sees why it takes long."""
    go = script("bin/go", GO.format(version="go1.26.8", prints=FITS))

    found = obtain_opa(bare)

    assert found.is_relative_to(tmp_path / "cache")
    lines = capsys.readouterr().err.splitlines()
    out_of_reach = f"cannot be obtained on this machine ({NOWHERE.removeprefix('http://')} does not give opa_"
    assert lines[0].startswith(f"warden: OPA {versions.OPA} {out_of_reach}")
    package = f"github.com/open-policy-agent/opa@v{versions.OPA}"
    assert lines[1:] == [f"warden: building {package} with {go} (one to three minutes)"]


@pytest.mark.parametrize(
    ("go", "reason"),
    [
        (None, "Go is not on PATH"),
        (GO.format(version="go1.25.9", prints=FITS), "bin/go is older than Go 1.26"),
        (GO.format(version="go1.26.0", prints=OLD), "Go built OPA 1.0.0"),
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
    script("bin/go", GO.format(version="go1.26.8", prints=FITS))
    named = script("mine/opa", OLD)

    with pytest.raises(ToolchainError, match=r"which is OPA 1\.0\.0: name OPA"):
        obtain_opa({**bare, "WARDEN_OPA": str(named)})
