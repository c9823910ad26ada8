"""Find OSV-Scanner, which compares packages with the advisories of OSV: on PATH, in the cache, or built with Go."""

import os
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tools.toolchain import versions
from tools.toolchain.golang import build_published_with_path_go, build_published_with_wheel_go, try_ways
from warden.base.errors import ToolchainError
from warden.base.toolchain.cache import Cache

__all__ = ["find_osv_scanner"]

_MODULE = f"github.com/google/osv-scanner/v2@v{versions.OSV_SCANNER}"
_PACKAGE = "cmd/osv-scanner"


def find_osv_scanner(environ: Mapping[str, str] = os.environ) -> Path:
    """Return an OSV-Scanner: the one on PATH, whatever its version, else the pinned one; a cold build takes minutes.

    Args:
        environ: The environment: ``WARDEN_CACHE``, ``PATH``, and the settings of Go and of pip or uv.

    Raises:
        ToolchainError: It is not on PATH, and cannot be built.
    """
    if on_path := shutil.which("osv-scanner", path=environ.get("PATH")):
        return Path(on_path)
    name = f"osv-scanner-{versions.OSV_SCANNER}-{os.uname().sysname}-{os.uname().machine}".lower()
    return Cache.of(environ).obtain(name, partial(_fill, environ=environ)) / "osv-scanner"


def _fill(directory: Path, environ: Mapping[str, str]) -> None:
    binary = directory / "osv-scanner"
    name = f"OSV-Scanner {versions.OSV_SCANNER}"
    ways = [
        partial(build, _MODULE, versions.OSV_SCANNER_SOURCES, binary, environ, package=_PACKAGE)
        for build in (build_published_with_path_go, build_published_with_wheel_go)
    ]
    if reasons := try_ways(name, ways):
        raise ToolchainError(f"{name} cannot be built on this machine ({reasons}): install it and put it on PATH")
