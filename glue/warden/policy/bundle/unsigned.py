"""Bundles without their signature, for an OPA that starts with a bundle that was verified before."""

import io
import json
import tarfile
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
        with tarfile.open(bundle) as source, tarfile.open(target, "w:gz", compresslevel=1) as copy:
            for member in source:
                if not member.name.endswith(".signatures.json"):
                    copy.addfile(member, source.extractfile(member))
    except (OSError, tarfile.TarError) as error:
        raise ConfigurationError(f"{bundle}: not a bundle ({error}): `warden bundle build` makes one") from error
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
