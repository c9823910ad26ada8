"""Verification of bundles that somebody else built."""

from pathlib import Path
from tempfile import TemporaryDirectory

from warden.base.errors import BundleError
from warden.base.toolchain.cache import Cache
from warden.policy.bundle.opa import run_opa
from warden.policy.bundle.signing import SigningKey, obtain_local_key

__all__ = ["verify_bundle"]


def verify_bundle(opa: Path, bundle: Path, key: SigningKey | None = None) -> None:
    """Return where the bundle's signature is good.

    Args:
        opa: OPA's program.
        bundle: The bundle file.
        key: The key that verifies: a public one, or the shared secret; by default this user's own.

    Raises:
        BundleError: It is not a bundle, is not signed, was changed after that, or was signed with another key.
    """
    key = key or obtain_local_key(Cache.from_environment().root)
    options = ("--verification-key", str(key.path.absolute()), "--signing-alg", key.algorithm)
    with TemporaryDirectory(prefix="warden-verify-") as scratch:
        try:
            run_opa(opa, "build", "--bundle", *options, "--output", f"{scratch}/bundle.tar.gz", str(bundle.absolute()))
        except BundleError as error:
            raise BundleError(
                f"{bundle}: its signature is not good ({error}): fetch it anew, or give its signer's key"
            ) from error
