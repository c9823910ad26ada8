"""Keys that sign bundles."""

import contextlib
import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import BundleError, ConfigurationError
from warden.base.files.private import make_private_directory
from warden.base.toolchain.cache import explain_unusable
from warden.policy.bundle.opa import run_opa

__all__ = ["SIGNATURES", "SigningKey", "check_key", "obtain_local_key", "sign_files"]

SIGNATURES = ".signatures.json"
"""The file of a bundle that has its signature."""

_ALGORITHMS = tuple(f"{kind}{bits}" for kind in ("HS", "RS", "PS", "ES") for bits in (256, 384, 512))


@dataclass(frozen=True)
class SigningKey:
    """A key that signs bundles, by reference: its secret stays in its file.

    Args:
        path: File with the private key as PEM or, for HS algorithms, with the shared secret.
        algorithm: JSON Web Algorithm (RFC 7518): HS256, RS256, ES256, ….
        id: The name under which OPA's configuration has the key that verifies.

    Raises:
        ConfigurationError: The file cannot be read, or the algorithm is not one that OPA knows.
    """

    path: Path
    algorithm: str = "RS256"
    id: str = "warden"

    def __post_init__(self) -> None:
        if self.algorithm not in _ALGORITHMS:
            raise ConfigurationError(describe_unknown("signing algorithm", self.algorithm, _ALGORITHMS))
        if not os.access(self.path, os.R_OK):
            raise ConfigurationError(f"signing key {self.path} cannot be read: name a file with the key")

    @property
    def symmetric(self) -> bool:
        """Whether the same secret signs and verifies."""
        return self.algorithm.startswith("HS")


def obtain_local_key(directory: Path) -> SigningKey:
    """Return the key for local use, made on first use: a random shared secret that only this user can read.

    Args:
        directory: The cache, where the secret is kept, as `bundle-signing.key`.

    Raises:
        ToolchainError: Nothing can be written there.
    """
    path = directory / "bundle-signing.key"
    with explain_unusable(directory):
        if not path.exists():
            make_private_directory(directory)
            with tempfile.NamedTemporaryFile("w", dir=directory, prefix=".key-") as file:  # readable by its owner only
                file.write(secrets.token_hex(32))
                file.flush()
                with contextlib.suppress(FileExistsError):  # another process was first: its key counts
                    os.link(file.name, path)
    return SigningKey(path, "HS256")


def check_key(opa: Path, key: SigningKey) -> None:
    """Sign nothing with a key, so that one that cannot sign is reported as that, and before a bundle is made.

    Raises:
        ConfigurationError: It does not sign with its algorithm; OPA's own words say why.
    """
    with tempfile.TemporaryDirectory(prefix="warden-key-") as scratch:
        nothing = Path(scratch, "nothing")
        nothing.mkdir()
        sign_files(opa, key, nothing, Path(scratch))


def sign_files(opa: Path, key: SigningKey, files: Path, scratch: Path) -> bytes:
    """Return the content of `SIGNATURES` for a bundle's files.

    Args:
        opa: The OPA binary.
        key: The key.
        files: A directory with them, or a bundle without its signature.
        scratch: A directory to write to.

    Raises:
        ConfigurationError: The key does not sign with its algorithm; OPA's own words say why.
    """
    signing = ("--signing-key", str(key.path.absolute()), "--signing-alg", key.algorithm)
    where = ("--output-file-path", str(scratch.absolute()), "--bundle", str(files.absolute()))
    try:
        run_opa(opa, "sign", *signing, *where, about=f"signing key {key.path}")
    except BundleError as error:
        kind = "shared secret" if key.symmetric else "private key (PEM)"
        raise ConfigurationError(f"{error}: name a file with a {kind} for {key.algorithm}") from error
    return (scratch / SIGNATURES).read_bytes()
