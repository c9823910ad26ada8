"""Sources of a bundle, and the hashes by which one of the very same content is found again."""

from dataclasses import dataclass
from pathlib import Path

from warden.base.resources import find_shipped
from warden.base.toolchain import versions
from warden.base.version import __version__
from warden.policy.bundle.cache import compute_hash
from warden.policy.bundle.contents import PolicySelection
from warden.policy.bundle.signing import SigningKey

__all__ = ["BundleSources"]


@dataclass(frozen=True)
class BundleSources:
    """All that a bundle is made of beside what ships with Warden.

    Args:
        opa: The OPA binary that builds it.
        policies: The policies.
        settings: An administrator's YAML; None for none.
        profile: Name of a profile; None for none.
        site: Directories with a site's own rules and data.
        number: Number before the revision's hash; None for none.
        key: The key that signs it.
    """

    opa: Path
    policies: PolicySelection
    settings: Path | None
    profile: str | None
    site: tuple[Path, ...]
    number: int | None
    key: SigningKey

    def hash_content(self) -> str | None:
        """Return a hash of all that decides what is in the bundle, the same for every user and on every machine.

        That is the content of policies, catalogues and settings, of a site's rules, of the modules that make the
        bundle, and the versions of Warden and of the pinned OPA; not OPA's binary, nor the key. None where what the
        settings name is not all known.
        """
        settings = [] if self.settings is None else [self.settings]
        if any(b"jwksFile" in path.read_bytes() for path in settings):  # names a file besides
            return None
        parts = (__version__, versions.OPA, self.profile, len(settings), self.number, self.policies.only)
        return compute_hash(
            parts, (Path(__file__).parent, find_shipped("bundle"), self.policies.directory, *settings, *self.site)
        )

    def hash_with_key(self, content: str) -> str:
        """Return a hash of the content, of the OPA binary, and of the key that signs.

        Args:
            content: What `hash_content` returns.
        """
        binary = self.opa.stat()
        parts = (content, self.opa, binary.st_size, binary.st_mtime_ns, self.key.algorithm, self.key.id)
        return compute_hash(parts, (self.key.path,))
