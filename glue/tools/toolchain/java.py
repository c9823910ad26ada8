"""Obtain Java as the product does; where a developer is root on Debian or Ubuntu, the package of that first."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from warden.base.errors import ToolchainError
from warden.base.process.progress import print_status, show_working
from warden.base.toolchain.cache import Cache
from warden.base.toolchain.java import JVM_DIRECTORY, find_java, has_java
from warden.base.toolchain.process import run

__all__ = ["install_java"]

_TIMEOUT_SECONDS = 900.0
_OPTIONS = ("-o", "DPkg::Lock::Timeout=300", "-q", "-y")
_ENVIRON = {"DEBIAN_FRONTEND": "noninteractive"}
_PACKAGES = ("openjdk-17-jre-headless", "openjdk-21-jre-headless")  # Debian 12 has the first, Debian 13 the second


def install_java(environ: Mapping[str, str] = os.environ, *, installed: Path = JVM_DIRECTORY) -> Path:
    """Return the home directory of a Java that is new enough; `make run` and `make test` install all that they need.

    Args:
        environ: As of `find_java`.
        installed: As of `find_java`.

    Raises:
        ToolchainError: As of `find_java`.
    """
    apt = shutil.which("apt-get", path=environ.get("PATH"))
    if apt is not None and os.geteuid() == 0:
        with Cache.from_environment(environ).lock("java"):  # another process may just install it
            _install(apt, environ, installed)
    return find_java(environ, installed=installed)


def _install(apt: str, environ: Mapping[str, str], installed: Path) -> None:
    steps = [["update"], *(["install", "--no-install-recommends", package] for package in _PACKAGES)]
    for step in steps:
        if has_java(environ, installed=installed):
            return
        try:
            with show_working(f"{apt} {' '.join(step)}"):
                run([apt, *_OPTIONS, *step], environ={**environ, **_ENVIRON}, timeout=_TIMEOUT_SECONDS)
        except ToolchainError as error:
            print_status(str(error))
