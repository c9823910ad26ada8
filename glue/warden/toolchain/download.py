"""Download a file of a release page and compare it with the SHA-256 sum published beside it."""

import hashlib
import http.client
import os
import platform
import re
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from warden.errors import ToolchainError
from warden.toolchain import versions
from warden.toolchain.progress import bytes_received

__all__ = ["download", "releases", "system"]

_TIMEOUT_SECONDS = 8.0  # for a connection and for each read: a blocked network must not look like a hanging program
_PIECE_BYTES = 1 << 18


def releases(repository: str, tag: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return the address under which the files of one release are.

    Args:
        repository: ``owner/name``.
        tag: The release's tag.
        environ: Where ``WARDEN_RELEASES`` names a mirror.
    """
    base = environ.get("WARDEN_RELEASES") or versions.RELEASES
    return f"{base.rstrip('/')}/{repository}/releases/download/{tag}"


def system() -> tuple[str, str]:
    """Return operating system and processor in Go's words: ``("linux", "amd64")``.

    Raises:
        ToolchainError: Releases are not made for this machine.
    """
    machine = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
    name, processor = platform.system().lower(), machine.get(platform.machine().lower())
    if name not in {"linux", "darwin"} or processor is None:
        raise ToolchainError(f"there is no release for {platform.system()} on {platform.machine()}")
    return name, processor


def download(url: str, checksums: str, target: Path) -> None:
    """Download a file, whole and verified, or not at all.

    Args:
        url: The file.
        checksums: The published sums: ``<hex>``, or lines ``<hex>  <file name>`` of which one is about this file.
        target: Where it goes.

    Raises:
        ToolchainError: Out of reach, or its sum is not the published one; ``target`` does not exist then.
    """
    name = url.rpartition("/")[2]
    expected = _published(checksums, name)
    seen = hashlib.sha256()
    try:
        # S310 asks which schemes come here: https of a release page, or what WARDEN_RELEASES names
        with urllib.request.urlopen(url, timeout=_TIMEOUT_SECONDS) as answer, target.open("wb") as file:  # noqa: S310
            size = answer.headers.get("Content-Length")
            with bytes_received(f"downloading {name}", int(size) if size else None) as received:
                while piece := answer.read(_PIECE_BYTES):
                    seen.update(piece)
                    file.write(piece)
                    received(len(piece))
    except (OSError, http.client.HTTPException) as error:
        target.unlink(missing_ok=True)
        raise _out_of_reach(url, error) from error
    if seen.hexdigest() != expected:
        target.unlink()
        raise ToolchainError(f"the checksum of {url} is not the published one, so the download was thrown away")


def _published(url: str, name: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310 - as in `download`
            text = answer.read(1 << 20).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        raise _out_of_reach(url, error) from error
    for line in text.splitlines():
        match = re.fullmatch(r"([0-9a-f]{64})(?:\s+\*?(\S+))?", line.strip().lower())
        if match and match[2] in {None, name.lower()}:
            return match[1]
    raise ToolchainError(f"{url} does not hold the checksum of {name}")


def _out_of_reach(url: str, error: Exception) -> ToolchainError:
    reason = getattr(error, "reason", None) or error
    return ToolchainError(f"{urlsplit(url).netloc} does not give {url.rpartition('/')[2]} ({reason})")
