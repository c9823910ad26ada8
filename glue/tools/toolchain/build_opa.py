"""Obtain OPA as the product does, and build it with Go where that fails, or no sum of its file is pinned."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tools.toolchain.golang import build_published_with_path_go, build_published_with_wheel_go, try_ways
from warden.base.errors import ToolchainError
from warden.base.process.progress import print_status
from warden.base.toolchain import versions
from warden.base.toolchain.cache import Cache
from warden.base.toolchain.opa import find_opa, read_opa_version
from warden.base.toolchain.opa_release import build_cache_name

__all__ = ["obtain_opa"]

_MODULE = f"github.com/open-policy-agent/opa@v{versions.OPA}"


def obtain_opa(environ: Mapping[str, str] = os.environ) -> Path:
    """Return OPA at the pinned version, built into the cache where it cannot be downloaded.

    Args:
        environ: The environment: as of `warden.base.toolchain.opa.find_opa`, and the settings of Go and of pip or uv.

    Raises:
        ToolchainError: ``WARDEN_OPA`` does not name a fitting OPA, or OPA can neither be downloaded nor built.
    """
    try:
        return find_opa(environ, pinned=True)
    except ToolchainError as error:
        if environ.get("WARDEN_OPA"):
            raise
        print_status(f"OPA {versions.OPA} is built with Go ({error.__cause__ or error})")
    return Cache.from_environment(environ).obtain(build_cache_name(), partial(_build, environ=environ)) / "opa"


def _build(directory: Path, environ: Mapping[str, str]) -> None:
    binary = directory / "opa"

    def build_with(way: Callable[..., None]) -> None:
        way(_MODULE, versions.OPA_SOURCES, binary, environ)
        if (version := read_opa_version(binary)) != versions.OPA:
            raise ToolchainError(f"Go built OPA {version or 'that does not run here'}")

    ways = (build_published_with_path_go, build_published_with_wheel_go)
    if reasons := try_ways(f"OPA {versions.OPA}", [partial(build_with, way) for way in ways]):
        raise ToolchainError(
            f"OPA {versions.OPA} can neither be downloaded nor built on this machine ({reasons}): "
            "install that version and put it on PATH or name it in WARDEN_OPA"
        )
