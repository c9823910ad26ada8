"""Losses that are held back: a source that suddenly shows far less than before is not believed at once."""

from dataclasses import dataclass

from warden.replicate.entry import Entry

__all__ = ["Guard"]


@dataclass(frozen=True)
class Guard:
    """Which losses are held back, and for how long.

    Args:
        share: The share of the entries that one load or tick may lose, from 0 to 1.
        at_least: With fewer entries before than this, nothing is held back.
        confirm_after: Seconds for which every further read must show the loss before it is believed; a loss of
            everything is never believed without an operator's word.
    """

    share: float = 0.5
    at_least: int = 20
    confirm_after: float = 600.0

    @classmethod
    def read(cls, entry: Entry | None) -> "Guard":
        """Return what the configuration says."""
        if entry is None:
            return cls()
        guard = cls(
            share=entry.number("share", default=cls.share, most=1.0),
            at_least=entry.count("atLeast", default=cls.at_least),
            confirm_after=entry.number("confirmAfter", default=cls.confirm_after),
        )
        entry.close()
        return guard

    def holds(self, before: int, lost: int, since: float | None, now: float) -> bool:
        """Return whether a loss is held back.

        Args:
            before: Entries that the copy has.
            lost: Entries of these that would go.
            since: When the loss was first seen, in seconds; None where it is new.
            now: The same clock.
        """
        if before < self.at_least or lost <= self.share * before:
            return False
        if lost >= before:
            return True
        return since is None or now - since < self.confirm_after
