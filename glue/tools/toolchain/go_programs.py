"""Find programs that checks of this repository run: on PATH, in the cache, or built with Go from published sources."""

import os
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tools.toolchain import versions
from tools.toolchain.golang import build_published_with_path_go, build_published_with_wheel_go, try_ways
from warden.base.errors import ToolchainError
from warden.base.toolchain.cache import Cache

__all__ = ["find_osv_scanner", "find_promtool", "find_regal"]


def find_osv_scanner(environ: Mapping[str, str] = os.environ) -> Path:
    """Return an OSV-Scanner, which compares packages with the advisories of OSV; a cold build takes minutes.

    Args:
        environ: As of `find_regal`; and the settings of pip or uv, which fetch Go where none is on PATH.

    Raises:
        ToolchainError: It is not on PATH, and cannot be built.
    """

    def build(binary: Path) -> None:
        module = f"github.com/google/osv-scanner/v2@v{versions.OSV_SCANNER}"
        name = f"OSV-Scanner {versions.OSV_SCANNER}"
        ways = [
            partial(build_with, module, versions.OSV_SCANNER_SOURCES, binary, environ, package="cmd/osv-scanner")
            for build_with in (build_published_with_path_go, build_published_with_wheel_go)
        ]
        if reasons := try_ways(name, ways):
            raise ToolchainError(f"{name} cannot be built on this machine ({reasons}): install it and put it on PATH")

    return _find("osv-scanner", versions.OSV_SCANNER, build, environ)


def find_promtool(environ: Mapping[str, str] = os.environ) -> Path:
    """Return a promtool, which checks Prometheus' rules and runs their tests; a cold build takes minutes.

    Args:
        environ: As of `find_regal`.

    Raises:
        ToolchainError: It is not on PATH, and cannot be built.
    """

    def build(binary: Path) -> None:
        module = f"github.com/prometheus/prometheus@v{versions.PROMETHEUS}"
        # Without the libraries of all clouds, in which Prometheus finds what it is to scrape.
        flags = {**environ, "GOFLAGS": f"{environ.get('GOFLAGS', '')} -tags=remove_all_sd".strip()}
        build_published_with_path_go(module, versions.PROMETHEUS_SOURCES, binary, flags, package="cmd/promtool")

    return _find("promtool", versions.PROMETHEUS, build, environ)


def find_regal(environ: Mapping[str, str] = os.environ) -> Path:
    """Return a Regal, the linter for Rego.

    Args:
        environ: The environment: ``WARDEN_CACHE``, ``PATH``, and the settings of Go.

    Raises:
        ToolchainError: It is not on PATH, and cannot be built.
    """

    def build(binary: Path) -> None:
        module = f"github.com/open-policy-agent/regal@v{versions.REGAL}"
        try:
            build_published_with_path_go(module, versions.REGAL_SOURCES, binary, environ)
        except ToolchainError as error:
            raise ToolchainError(
                f"Regal is not on PATH, and cannot be built ({error}): install Regal {versions.REGAL} or Go"
            ) from error

    return _find("regal", versions.REGAL, build, environ)


def _find(program: str, version: str, build: Callable[[Path], None], environ: Mapping[str, str]) -> Path:
    """Return the program on PATH, whatever its version, else the one of the version."""
    if on_path := shutil.which(program, path=environ.get("PATH")):
        return Path(on_path)
    name = f"{program}-{version}-{os.uname().sysname}-{os.uname().machine}".lower()
    return Cache.from_environment(environ).obtain(name, lambda directory: build(directory / program)) / program
