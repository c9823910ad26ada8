"""Keys that sign bundles."""

import contextlib
import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

from warden.errors import ConfigurationError

__all__ = ["SigningKey", "local_key"]

_ALGORITHMS = (
    "HS256",
    "HS384",
    "HS512",
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
)


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
            raise ConfigurationError(
                f"signing algorithm {self.algorithm} is unknown: use one of {', '.join(_ALGORITHMS)}"
            )
        if not os.access(self.path, os.R_OK):
            raise ConfigurationError(f"signing key {self.path} cannot be read: name a file with the key")

    @property
    def symmetric(self) -> bool:
        """Whether the same secret signs and verifies."""
        return self.algorithm.startswith("HS")


def local_key(directory: Path) -> SigningKey:
    """Return the key for local use, made on first use: a random shared secret that only this user can read.

    Args:
        directory: Where the secret is kept, as `bundle-signing.key`.
    """
    path = directory / "bundle-signing.key"
    if not path.exists():
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=directory, prefix=".key-") as file:  # readable by its owner only
            file.write(secrets.token_hex(32))
            file.flush()
            with contextlib.suppress(FileExistsError):  # another process was first: its key counts
                os.link(file.name, path)
    return SigningKey(path, "HS256")
