"""Regal is built with the Go on PATH, from the sources that are pinned."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.toolchain import versions
from tools.toolchain.go_programs import find_regal
from warden.base.errors import ToolchainError

pytestmark = pytest.mark.process

Script = Callable[[str, str], Path]

# Stands in for Go: says its version, where the sources are and what their checksum is, or builds a program of one line.
GO = """
if [ "$1" = env ]; then echo go1.99; exit; fi
if [ "$1 $2" = "mod download" ]; then
  if [ "$3" = -json ]; then echo '{{"Dir": "/sources", "Sum": "{checksum}"}}'; else echo "go: downloading $3"; fi
  exit
fi
target=; last=
for argument; do [ "$last" = -o ] && target=$argument; last=$argument; done
echo "built from $2" > "$target"
"""


def test_regal_is_built(script: Script, bare: dict[str, str]) -> None:
    """Once: the second time it is in the cache."""
    script("bin/go", GO.format(checksum=versions.REGAL_SOURCES))

    built = find_regal(bare)
    script("bin/go", "exit 1")

    assert (built, "built from /sources\n") == (find_regal(bare), built.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (None, "(Go is not on PATH)"),
        (GO.format(checksum="h1:other"), f"the checksum h1:other, and not {versions.REGAL_SOURCES}, which is pinned: "),
    ],
)
def test_regal_that_cannot_be_had(script: Script, bare: dict[str, str], body: str | None, said: str) -> None:
    """One sentence says why it was not built and what to install; nothing stays behind."""
    if body:
        script("bin/go", body)

    with pytest.raises(ToolchainError) as caught:
        find_regal(bare)

    text = str(caught.value)
    assert text.startswith("Regal is not on PATH, and cannot be built (")
    assert said in text
    assert text.endswith(f"): install Regal {versions.REGAL} or Go")
    assert [] == [path for path in Path(bare["WARDEN_CACHE"]).iterdir() if path.suffix != ".lock"]
