"""The bearer tokens that OPA's policy ``system.authz`` knows: one per role, and those of callers in the settings."""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["OpaTokens", "generate_token", "hash_token"]


def generate_token() -> str:
    """Return a new token of 256 random bits."""
    return secrets.token_hex(32)


def hash_token(token: str) -> str:
    """Return what the settings have of a caller's token: its SHA-256, in hexadecimal."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True)
class OpaTokens:
    """Four tokens; none is shown in a ``repr``.

    Args:
        query: May ask the contract's entry points, and is trusted: what it states of the cluster, the time and itself
            is believed.
        replicator: May also read and write under ``data.clusters`` and ``data.kubernetes``.
        policies: May read which policies of ConfigMaps OPA has; OPA fetches these with it.
        admin: May read data, policies, status, configuration and metrics.
    """

    query: str = field(repr=False)
    replicator: str = field(repr=False)
    policies: str = field(repr=False)
    admin: str = field(repr=False)

    @classmethod
    def generate(cls) -> "OpaTokens":
        """Return four new tokens of 256 random bits each."""
        return cls(*(generate_token() for _ in range(4)))

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables in which ``policies/system/authz/authz.rego`` looks for the tokens."""
        return {
            "WARDEN_OPA_QUERY_TOKEN": self.query,
            "WARDEN_OPA_REPLICATOR_TOKEN": self.replicator,
            "WARDEN_OPA_POLICIES_TOKEN": self.policies,
            "WARDEN_OPA_ADMIN_TOKEN": self.admin,
        }
