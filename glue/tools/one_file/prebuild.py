"""``python -m tools.one_file.prebuild DIRECTORY``: build a package's bundle for its users.

It is that of the shipped settings, and the package the one that is imported as ``warden``: the hash of the content is
then the one that its users make.
"""

import hashlib
import json
import sys
import tempfile
from pathlib import Path

from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.assemble import assemble_bundle, check_sources
from warden.policy.bundle.contents import PolicySelection
from warden.policy.bundle.signing import obtain_local_key
from warden.policy.bundle.sources import BundleSources
from warden.policy.bundle.unsigned import strip_signature

__all__ = ["prebuild_bundle"]


def prebuild_bundle(directory: Path) -> None:
    """Write a bundle without its signature, and what the build says of it, for `warden.policy.bundle.prebuilt`.

    Args:
        directory: The shared directory ``prebuilt`` of the package.

    Raises:
        BundleError: The policies do not compile.
    """
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="warden-") as scratch:
        key, built = obtain_local_key(Path(scratch)), Path(scratch, "bundle.tar.gz")
        sources = BundleSources(find_opa(), PolicySelection(find_shipped("policies")), None, None, (), None, key)
        content = sources.hash_content()
        note = assemble_bundle(built, sources, check_sources(sources))
        file = strip_signature(built, directory / f"{content}.tar.gz")
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    file.with_suffix("").with_suffix(".json").write_text(json.dumps({**note, "sha256": sha256}), encoding="utf-8")


if __name__ == "__main__":
    prebuild_bundle(Path(sys.argv[1]))
