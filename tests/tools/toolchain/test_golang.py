"""A module of ours is built with the Go on PATH; where that cannot be, the error says why and what to do."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.toolchain.golang import build_module
from warden.base.errors import ToolchainError

pytestmark = pytest.mark.process

Script = Callable[[str, str], Path]

# Stands in for Go: says its version, or writes its arguments where the program is to go.
GO = """
if [ "$1" = env ]; then echo go1.99; exit; fi
target=; last=
for argument; do [ "$last" = -o ] && target=$argument; last=$argument; done
echo "$GOTOOLCHAIN $GOWORK $CGO_ENABLED $@" > "$target"
"""


def test_a_module_is_built(script: Script, bare: dict[str, str], tmp_path: Path) -> None:
    """Go is requested the same program whatever the checkout and its surroundings are."""
    script("bin/go", GO)
    module, binary = tmp_path / "module", tmp_path / "made"

    build_module(module, binary, flags="-s -w", environ={**bare, "GOWORK": "elsewhere"})

    arguments = f"-C {module} build -trimpath -buildvcs=false -ldflags -s -w -o {binary} ."
    assert f"local off 0 {arguments}\n" == binary.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (None, "Go is not on PATH"),
        ("echo go1.21", "go is older than Go 1.26"),
        (
            'if [ "$1" = env ]; then echo go1.99; exit; fi; echo "go: k8s.io/x: error: dial tcp: refused" >&2; exit 1',
            "failed with status 1 (go: k8s.io/x: error: dial tcp: refused)",
        ),
    ],
)
def test_a_module_that_cannot_be_built(
    script: Script, bare: dict[str, str], tmp_path: Path, body: str | None, said: str
) -> None:
    """One sentence has the reason of each way that was tried, and what to install; nothing stays behind."""
    if body:
        script("bin/go", body)
    directory = tmp_path / "into"
    directory.mkdir()

    with pytest.raises(ToolchainError) as caught:
        build_module(tmp_path, directory / "etcd", environ=bare)

    text = str(caught.value)
    assert text.startswith("etcd cannot be built on this machine (")
    assert said in text
    assert text.endswith("install Go 1.26 or newer, and let GOPROXY name a module proxy that is in reach")
    assert list(directory.iterdir()) == []
