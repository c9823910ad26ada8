"""Guard against losses: a source that suddenly shows far less than before is believed only after a while."""

from typing import Annotated

from pydantic import Field

from warden.base.files.config_model import ConfigModel

__all__ = ["LossGuard"]


class LossGuard(ConfigModel):
    """Which losses are held back, and for how long.

    Args:
        share: The share of the entries that one load or tick may lose, from 0 to 1.
        at_least: With fewer entries before than this, nothing is held back.
        confirm_after: Seconds for which every further read must show the loss before it is believed; a loss of
            everything is never believed without an operator's word.
    """

    share: Annotated[float, Field(ge=0, le=1)] = 0.5
    at_least: Annotated[int, Field(ge=1)] = 20
    confirm_after: Annotated[float, Field(ge=0)] = 600.0

    def holds(self, before: int, lost: int, since: float | None, now: float) -> bool:
        """Return whether a loss is held back.

        Args:
            before: Entries that the replica has.
            lost: Entries of these that would go.
            since: When the loss was first seen, in seconds; None where it is new.
            now: The same clock.
        """
        if before < self.at_least or lost <= self.share * before:
            return False
        if lost >= before:
            return True
        return since is None or now - since < self.confirm_after
