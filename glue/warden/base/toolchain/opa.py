"""Find OPA at the pinned version: named, on PATH, in the cache, or downloaded."""

import os
import re
import shutil
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path

from warden.base.errors import ToolchainError
from warden.base.toolchain import versions
from warden.base.toolchain.cache import Cache
from warden.base.toolchain.opa_release import build_cache_name, build_opa_url
from warden.base.toolchain.process import run
from warden.base.toolchain.program_version import remember_version

__all__ = ["find_opa", "read_opa_version"]


def find_opa(environ: Mapping[str, str] = os.environ, *, pinned: bool = False) -> Path:
    """Return an OPA binary of exactly the pinned version.

    In this order: ``WARDEN_OPA``; ``opa`` on PATH; the cache; OPA's release page. Where no sum of the file is pinned,
    OPA's own page is believed, by TLS and the sum that it publishes, and a mirror is not.

    Args:
        environ: The environment: ``WARDEN_OPA``, ``WARDEN_CACHE``, ``WARDEN_RELEASES``, ``PATH``.
        pinned: Whether nothing is downloaded without a pinned sum.

    Raises:
        ToolchainError: ``WARDEN_OPA`` is not a fitting OPA, or OPA cannot be had from anywhere.
    """
    if configured := environ.get("WARDEN_OPA"):
        return _require_given(configured, environ)
    if (on_path := shutil.which("opa", path=environ.get("PATH"))) and read_opa_version(
        Path(on_path), environ
    ) == versions.OPA:
        return Path(on_path)
    return (
        Cache.from_environment(environ).obtain(build_cache_name(), partial(_download, environ=environ, pinned=pinned))
        / "opa"
    )


def read_opa_version(opa: Path, environ: Mapping[str, str] = os.environ) -> str | None:
    """Return the version that an OPA program states, or None where it does not run here.

    Args:
        opa: The program.
        environ: What says where the cache is, which keeps the version for as long as the file stays what it is.
    """
    try:
        file = opa.stat()
        return _find_version(
            opa.absolute(),
            (file.st_size, file.st_mtime_ns, file.st_ctime_ns, file.st_ino),
            Cache.from_environment(environ).root,
        )
    except (OSError, ToolchainError):
        return None


@lru_cache(maxsize=8)
def _find_version(opa: Path, file: tuple[int, ...], cache: Path) -> str | None:
    """Run it once for as long as the file stays what it is: a run is a tenth of the shortest command."""
    return remember_version(cache, [str(opa), *file], partial(_ask_version, opa))


def _ask_version(opa: Path) -> str | None:
    match = re.search(r"^Version: (\S+)$", run([opa, "version"], timeout=60), re.MULTILINE)
    return match[1] if match else None


def _require_given(configured: str, environ: Mapping[str, str]) -> Path:
    path = Path(configured)
    if not path.is_file() or not os.access(path, os.X_OK):
        raise ToolchainError(f"WARDEN_OPA names {configured}, which is not an executable file: correct it or unset it")
    if (version := read_opa_version(path, environ)) != versions.OPA:
        what = f"OPA {version}" if version else "not a working OPA"
        raise ToolchainError(f"WARDEN_OPA names {configured}, which is {what}: name OPA {versions.OPA} or unset it")
    return path.absolute()


def _download(directory: Path, environ: Mapping[str, str], *, pinned: bool) -> None:
    from warden.base.toolchain.download import detect_platform, download, read_published_sum, require_sum

    try:
        url = build_opa_url(*detect_platform(), environ)
        if pinned or environ.get("WARDEN_RELEASES") or detect_platform() in versions.OPA_SHA256:
            sha256 = require_sum(versions.OPA_SHA256, f"OPA {versions.OPA}")
        else:
            sha256 = read_published_sum(url, ".sha256")
        download(url, sha256, directory / "opa")
        (directory / "opa").chmod(0o755)
        if (version := read_opa_version(directory / "opa")) != versions.OPA:
            raise ToolchainError(f"the download is OPA {version or 'that does not run here'}")
    except ToolchainError as error:
        raise ToolchainError(
            f"OPA {versions.OPA} cannot be obtained on this machine ({error}): "
            "install that version and put it on PATH or name it in WARDEN_OPA"
        ) from error
