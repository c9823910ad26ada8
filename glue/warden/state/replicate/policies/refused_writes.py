"""What the API server did not take, so that it is not sent again with every turn."""

import math
import time
from typing import Final

from warden.base.errors import KubernetesError
from warden.state.config_map_policies.policy_set import ObjectKey

__all__ = ["RefusedWrites"]

# Seconds by status: what is wrong with the text itself stays wrong, a right may be given, and a server comes round.
_PAUSES: Final = {400: math.inf, 413: math.inf, 422: math.inf, 403: 60.0}
_PAUSE: Final = 5.0


class RefusedWrites:
    """Remembers of each ConfigMap the text that was refused last, and for how long it is not to be sent."""

    def __init__(self) -> None:
        self._refused: dict[ObjectKey, tuple[str, float]] = {}

    def record(self, place: ObjectKey, text: str, error: KubernetesError) -> None:
        """Take a text for refused, for as long as its error may last.

        Raises:
            KubernetesError: It is the login that was refused, so that no text can be written.
        """
        if error.status == 401:
            raise error
        self._refused[place] = text, time.monotonic() + _PAUSES.get(error.status or 0, _PAUSE)

    def has(self, place: ObjectKey, text: str) -> bool:
        """Whether a text is not to be sent now."""
        refused, until = self._refused.get(place, ("", 0.0))
        return refused == text and time.monotonic() < until
