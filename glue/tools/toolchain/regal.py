"""Find Regal, the linter for Rego: on PATH, in the cache, or built with Go; for ``make lint``."""

import os
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tools.toolchain import versions
from tools.toolchain.golang import build_published_with_path_go
from warden.base.errors import ToolchainError
from warden.base.toolchain.cache import Cache

__all__ = ["find_regal"]

_MODULE = f"github.com/open-policy-agent/regal@v{versions.REGAL}"


def find_regal(environ: Mapping[str, str] = os.environ) -> Path:
    """Return a Regal binary: the one on PATH, whatever its version, else the pinned one.

    Args:
        environ: The environment: ``WARDEN_CACHE``, ``PATH``, and the settings of Go.

    Raises:
        ToolchainError: Regal is not on PATH, and cannot be built.
    """
    if on_path := shutil.which("regal", path=environ.get("PATH")):
        return Path(on_path)
    name = f"regal-{versions.REGAL}-{os.uname().sysname}-{os.uname().machine}".lower()
    return Cache.of(environ).obtain(name, partial(_fill, environ=environ)) / "regal"


def _fill(directory: Path, environ: Mapping[str, str]) -> None:
    try:
        build_published_with_path_go(_MODULE, versions.REGAL_SOURCES, directory / "regal", environ)
    except ToolchainError as error:
        raise ToolchainError(
            f"Regal is not on PATH, and cannot be built ({error}): install Regal {versions.REGAL} or Go"
        ) from error
