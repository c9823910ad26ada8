"""A bundle that Warden brings along ready but for its signature, so that a first use need not build it.

It lies in the package's shared directory ``prebuilt``, as ``HASH.tar.gz`` and ``HASH.json``, where HASH is that of its
content (`warden.policy.bundle.sources.BundleSources.hash_content`): nothing else is found by it. The one file of
`make release` has one.
"""

import hashlib
import io
import json
import tarfile
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warden.base.errors import ConfigurationError
from warden.base.resources import find_shipped
from warden.policy.bundle.signing import SIGNATURES, SigningKey, sign_files

__all__ = ["PrebuiltBundle", "find_prebuilt"]


@dataclass(frozen=True)
class PrebuiltBundle:
    """A bundle without its signature.

    Args:
        file: It.
        note: What a build returns about it: its revision, and what will go of its settings.
    """

    file: Path
    note: dict[str, Any]

    def sign(self, opa: Path, key: SigningKey, output: Path) -> dict[str, Any]:
        """Write the bundle with a signature, and return the note.

        Args:
            opa: The OPA binary that signs.
            key: The key.
            output: The file to write; it is replaced whole or not at all.

        Raises:
            ConfigurationError: The key does not sign with its algorithm.
        """
        output.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=output.parent, prefix=".bundle-") as scratch:
            signature = sign_files(opa, key, self.file, Path(scratch))
            built = Path(scratch, output.name)
            with tarfile.open(self.file) as source, tarfile.open(built, "w:gz", compresslevel=1) as signed:
                member = tarfile.TarInfo(f"/{SIGNATURES}")
                member.size, member.mode = len(signature), 0o600
                signed.addfile(member, io.BytesIO(signature))
                for entry in source:
                    signed.addfile(entry, source.extractfile(entry))
            built.replace(output)
        return self.note


def find_prebuilt(content: str) -> PrebuiltBundle | None:
    """Return the bundle of exactly this content that Warden brings along; None where there is none, or it is damaged.

    Args:
        content: Hash of what the bundle is to be made of.
    """
    with suppress(ConfigurationError, OSError, ValueError, LookupError, TypeError):
        file = find_shipped("prebuilt") / f"{content}.tar.gz"
        note: dict[str, Any] = json.loads(file.with_name(f"{content}.json").read_text(encoding="utf-8"))
        if note.pop("sha256") == hashlib.sha256(file.read_bytes()).hexdigest():
            return PrebuiltBundle(file, note)
    return None
