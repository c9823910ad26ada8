"""Find Regal, the linter for Rego: on PATH, in the cache or on its release page. Only ``make lint`` uses it."""

import os
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from tools.toolchain import versions
from warden.errors import ToolchainError
from warden.toolchain.cache import Cache
from warden.toolchain.download import download, releases, system

__all__ = ["find_regal"]

_SYSTEMS = {"linux": "Linux", "darwin": "Darwin"}
_PROCESSORS = {"amd64": "x86_64", "arm64": "arm64"}


def find_regal(environ: Mapping[str, str] = os.environ) -> Path:
    """Return a Regal binary: the one on PATH, whatever its version, else the pinned one.

    Args:
        environ: The environment: ``WARDEN_CACHE``, ``WARDEN_RELEASES``, ``PATH``.

    Raises:
        ToolchainError: Regal is not on PATH and its release page is out of reach.
    """
    if on_path := shutil.which("regal", path=environ.get("PATH")):
        return Path(on_path)
    name = f"regal-{versions.REGAL}-{os.uname().sysname}-{os.uname().machine}".lower()
    try:
        return Cache.of(environ).obtain(name, partial(_fill, environ=environ)) / "regal"
    except ToolchainError as error:
        raise ToolchainError(f"Regal is not on PATH and cannot be downloaded: {error}") from error


def _fill(directory: Path, environ: Mapping[str, str]) -> None:
    name, processor = system()
    base = releases("open-policy-agent/regal", f"v{versions.REGAL}", environ)
    url = f"{base}/regal_{_SYSTEMS[name]}_{_PROCESSORS[processor]}"
    download(url, f"{base}/checksums.txt", directory / "regal")
    (directory / "regal").chmod(0o755)
