"""Download a file of a release page and compare it with a SHA-256 sum: the one that is pinned beside its version."""

import hashlib
import http.client
import os
import platform
import re
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from warden.base.errors import ToolchainError
from warden.base.process.progress import show_download
from warden.base.toolchain import versions

__all__ = ["build_release_url", "detect_platform", "download", "read_published_sum", "require_sum"]

_TIMEOUT_SECONDS = 8.0  # for a connection and for each read: a blocked network must not look like a hanging program
_PIECE_BYTES = 1 << 18


def build_release_url(repository: str, tag: str, environ: Mapping[str, str] = os.environ) -> str:
    """Return the address under which the files of one release are.

    Args:
        repository: ``owner/name``.
        tag: The release's tag.
        environ: Where ``WARDEN_RELEASES`` names a mirror.
    """
    base = environ.get("WARDEN_RELEASES") or versions.RELEASES
    return f"{base.rstrip('/')}/{repository}/releases/download/{tag}"


def detect_platform() -> tuple[str, str]:
    """Return operating system and processor in Go's words: ``("linux", "amd64")``.

    Raises:
        ToolchainError: Releases are not made for this machine.
    """
    machine = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
    name, processor = platform.system().lower(), machine.get(platform.machine().lower())
    if name not in {"linux", "darwin"} or processor is None:
        raise ToolchainError(f"there is no release for {platform.system()} on {platform.machine()}")
    return name, processor


def require_sum(sums: Mapping[tuple[str, str], str], what: str) -> str:
    """Return the SHA-256 sum that a release's file for this machine has to have.

    Args:
        sums: By operating system and processor, in Go's words.
        what: The release, for the error.

    Raises:
        ToolchainError: None is pinned for this machine, or releases are not made for it.
    """
    name, processor = detect_platform()
    if (name, processor) not in sums:
        raise ToolchainError(f"no SHA-256 sum of {what} for {name}/{processor} is pinned, so it is not downloaded")
    return sums[name, processor]


def read_published_sum(url: str, suffix: str) -> str:
    """Return the SHA-256 sum that a server publishes beside a file: what it is worth, the server is.

    Args:
        url: The file.
        suffix: What the address of the sum has more; there is ``<hex>``, or lines ``<hex>  <file name>``.

    Raises:
        ToolchainError: Out of reach, or the file is not mentioned.
    """
    name = url.rpartition("/")[2]
    try:
        with urllib.request.urlopen(url + suffix, timeout=_TIMEOUT_SECONDS) as answer:  # noqa: S310 - as in `download`
            text = answer.read(1 << 20).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        raise _build_unreachable_error(url + suffix, error) from error
    for line in text.splitlines():
        match = re.fullmatch(r"([0-9a-f]{64})(?:\s+\*?(\S+))?", line.strip())
        if match and match[2] in {None, name}:
            return match[1]
    raise ToolchainError(f"{url}{suffix} does not hold the sum of {name}: try again later")


def download(url: str, sha256: str, target: Path) -> None:
    """Download a file, whole and with the sum that is expected, or not at all.

    Args:
        url: The file.
        sha256: Its SHA-256 sum, hexadecimal.
        target: Where it goes.

    Raises:
        ToolchainError: Out of reach, or its sum is another; ``target`` does not exist then.
    """
    name = url.rpartition("/")[2]
    seen = hashlib.sha256()
    try:
        # S310 asks which schemes come here: https of a release page, or what WARDEN_RELEASES names
        with urllib.request.urlopen(url, timeout=_TIMEOUT_SECONDS) as answer, target.open("wb") as file:  # noqa: S310 - see above
            size = answer.headers.get("Content-Length")
            with show_download(f"downloading {name}", int(size) if size else None) as received:
                while piece := answer.read(_PIECE_BYTES):
                    seen.update(piece)
                    file.write(piece)
                    received(len(piece))
    except (OSError, http.client.HTTPException) as error:
        target.unlink(missing_ok=True)
        raise _build_unreachable_error(url, error) from error
    if seen.hexdigest() != sha256:
        target.unlink()
        raise ToolchainError(
            f"{url} has the SHA-256 sum {seen.hexdigest()}, and not {sha256}, so the download was "
            "thrown away: unset WARDEN_RELEASES, or let it name a page that has the file as it was published"
        )


def _build_unreachable_error(url: str, error: Exception) -> ToolchainError:
    reason = getattr(error, "reason", None) or error
    return ToolchainError(f"{urlsplit(url).netloc} does not give {url.rpartition('/')[2]} ({reason})")
