"""Bundles without their signature, for an OPA that starts with a bundle that was verified before."""

import gzip
import io
import json
import tarfile
import zlib
from pathlib import Path
from typing import BinaryIO

from warden.base.errors import ConfigurationError

__all__ = ["bundle_revision", "strip_signature"]


def strip_signature(bundle: Path, target: Path) -> Path:
    """Copy a bundle to `target` without its signature, and return `target`.

    Raises:
        ConfigurationError: The file is not a bundle.
    """
    try:
        content = gzip.decompress(bundle.read_bytes())
        with tarfile.open(fileobj=io.BytesIO(content)) as source:
            members = source.getmembers()
            ends = [*(member.offset for member in members[1:]), source.offset]
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise ConfigurationError(f"{bundle}: not a bundle ({error}): `warden bundle build` makes one") from error
    kept = (
        content[member.offset : end]
        for member, end in zip(members, ends, strict=True)
        if not member.name.endswith(".signatures.json")
    )
    target.write_bytes(gzip.compress(b"".join((*kept, bytes(2 * tarfile.BLOCKSIZE))), compresslevel=1))
    return target


def bundle_revision(bundle: Path | BinaryIO) -> str:
    """Return the revision that the manifest of a bundle states, in a file or in one that is open.

    Raises:
        ConfigurationError: The file has no manifest.
    """
    try:
        with tarfile.open(bundle) if isinstance(bundle, Path) else tarfile.open(fileobj=bundle) as source:
            for member in source:
                if member.name.strip("/") == ".manifest":
                    manifest = source.extractfile(member) or io.BytesIO(b"{}")
                    return str(json.load(manifest).get("revision", ""))
    except (OSError, EOFError, ValueError, tarfile.TarError) as error:
        raise ConfigurationError(f"{bundle}: not a bundle ({error}): `warden bundle build` makes one") from error
    raise ConfigurationError(f"{bundle}: not a bundle, it has no manifest: `warden bundle build` makes one")
