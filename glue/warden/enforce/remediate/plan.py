"""The plan of remediation after the last decisions: what to do, and what policy forbids. Pure."""

from collections.abc import Iterable

from warden.enforce.remediate.objects import Key
from warden.enforce.remediate.remediation import Remediation

__all__ = ["RemediationPlan"]


class RemediationPlan:
    """Remediations that have a patch, and those that have errors, by the key of their objects.

    Attributes:
        pending: To be patched, the first that was decided first.
        refused: Objects that are left as they are, with the reasons.
    """

    def __init__(self) -> None:
        self.pending: dict[Key, Remediation] = {}
        self.refused: dict[Key, Remediation] = {}

    def record_decisions(self, remediations: Iterable[Remediation]) -> list[Remediation]:
        """Record decisions in place of those before, and return the refusals that were not there with these words."""
        new = []
        for remediation in remediations:
            before = self.refused.get(remediation.key)
            self.drop(remediation.key)
            if remediation.patch is not None:
                self.pending[remediation.key] = remediation
            elif remediation.errors:
                self.refused[remediation.key] = remediation
                if before is None or before.errors != remediation.errors:
                    new.append(remediation)
        return new

    def refuse(self, remediation: Remediation) -> None:
        """Take a patch for one that cannot be carried out."""
        self.drop(remediation.key)
        self.refused[remediation.key] = remediation

    def drop(self, key: Key) -> None:
        """Forget what was decided about an object."""
        self.pending.pop(key, None)
        self.refused.pop(key, None)

    def retain_only(self, keys: Iterable[Key]) -> None:
        """Forget what was decided about all objects but some."""
        there = set(keys)
        for key in [key for key in (*self.pending, *self.refused) if key not in there]:
            self.drop(key)
