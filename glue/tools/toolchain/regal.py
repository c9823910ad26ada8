"""Find Regal, the linter for Rego: on PATH, in the cache, on its release page, or built with Go; for ``make lint``."""

import os
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tools.toolchain import versions
from tools.toolchain.golang import build_published_with_path_go
from warden.errors import ToolchainError
from warden.toolchain.cache import Cache
from warden.toolchain.download import download, releases, system
from warden.toolchain.progress import say

__all__ = ["find_regal"]

_MODULE = f"github.com/open-policy-agent/regal@v{versions.REGAL}"
_SYSTEMS = {"linux": "Linux", "darwin": "Darwin"}
_PROCESSORS = {"amd64": "x86_64", "arm64": "arm64"}


def find_regal(environ: Mapping[str, str] = os.environ) -> Path:
    """Return a Regal binary: the one on PATH, whatever its version, else the pinned one.

    Args:
        environ: The environment: ``WARDEN_CACHE``, ``WARDEN_RELEASES``, ``PATH``, and the settings of Go.

    Raises:
        ToolchainError: Regal is not on PATH, and can neither be downloaded nor built.
    """
    if on_path := shutil.which("regal", path=environ.get("PATH")):
        return Path(on_path)
    name = f"regal-{versions.REGAL}-{os.uname().sysname}-{os.uname().machine}".lower()
    return Cache.of(environ).obtain(name, partial(_fill, environ=environ)) / "regal"


def _fill(directory: Path, environ: Mapping[str, str]) -> None:
    binary = directory / "regal"
    try:
        _download(binary, environ)
    except ToolchainError as refused:
        say(str(refused))
        try:
            build_published_with_path_go(_MODULE, versions.REGAL_SOURCES, binary, environ)
        except ToolchainError as error:
            raise ToolchainError(
                f"Regal is not on PATH, and can neither be downloaded ({refused}) nor built ({error})"
            ) from error
    binary.chmod(0o755)


def _download(binary: Path, environ: Mapping[str, str]) -> None:
    name, processor = system()
    base = releases("open-policy-agent/regal", f"v{versions.REGAL}", environ)
    download(f"{base}/regal_{_SYSTEMS[name]}_{_PROCESSORS[processor]}", f"{base}/checksums.txt", binary)
