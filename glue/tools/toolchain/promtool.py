"""Find promtool, which checks Prometheus' rules and runs their tests: on PATH, in the cache, or built with Go."""

import os
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tools.toolchain import versions
from tools.toolchain.golang import build_published_with_path_go
from warden.base.toolchain.cache import Cache

__all__ = ["find_promtool"]

_MODULE = f"github.com/prometheus/prometheus@v{versions.PROMETHEUS}"


def find_promtool(environ: Mapping[str, str] = os.environ) -> Path:
    """Return a promtool: the one on PATH, whatever its version, else the pinned one; a cold build takes minutes.

    Args:
        environ: The environment: ``WARDEN_CACHE``, ``PATH``, and the settings of Go.

    Raises:
        ToolchainError: It is not on PATH, and cannot be built.
    """
    if on_path := shutil.which("promtool", path=environ.get("PATH")):
        return Path(on_path)
    name = f"promtool-{versions.PROMETHEUS}-{os.uname().sysname}-{os.uname().machine}".lower()
    return Cache.of(environ).obtain(name, partial(_fill, environ=environ)) / "promtool"


def _fill(directory: Path, environ: Mapping[str, str]) -> None:
    # Without the libraries of all clouds, in which Prometheus finds what it is to scrape.
    flags = {**environ, "GOFLAGS": f"{environ.get('GOFLAGS', '')} -tags=remove_all_sd".strip()}
    binary = directory / "promtool"
    build_published_with_path_go(_MODULE, versions.PROMETHEUS_SOURCES, binary, flags, package="cmd/promtool")
