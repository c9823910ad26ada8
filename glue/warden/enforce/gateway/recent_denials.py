"""Denials that clients ask for again and again: topics that requests for metadata name and a broker may not create.

A consumer of such a topic refreshes its metadata several times a second, for as long as it lives.
"""

import json
import time
from collections.abc import Callable, Mapping
from typing import Final

from warden.policy.contract.decision import Document

__all__ = ["RecentDenials"]

_SECONDS: Final = 5.0
_MAX_DENIALS: Final = 10_000


class RecentDenials:
    """The denials of a moment, by what was decided and whose it is.

    What was allowed is never remembered: the topic is there by then, or its creation has to be decided again.

    Args:
        clock: Returns seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._denials: dict[str, tuple[float, Document]] = {}

    def find(self, inputs: Mapping[str, Document], common: Document) -> dict[str, Document] | None:
        """Return the decisions about all of some inputs; None where one of them is not remembered."""
        decisions = {}
        for key, document in inputs.items():
            until, decision = self._denials.get(_identify(document, common), (0.0, {}))
            if not decision or until <= self._clock():
                return None
            decisions[key] = decision
        return decisions

    def remember(self, inputs: Mapping[str, Document], common: Document, decisions: Mapping[str, Document]) -> None:
        """Keep the denials among some decisions about creations by metadata."""
        if len(self._denials) >= _MAX_DENIALS:
            self._denials.clear()
        for key, document in inputs.items():
            if _is_metadata_creation(document) and decisions[key]["allowed"] is False:
                self._denials[_identify(document, common)] = (self._clock() + _SECONDS, decisions[key])


def _is_metadata_creation(document: Document) -> bool:
    return bool(document.get("api", {}).get("key") == "Metadata")


def _identify(document: Document, common: Document) -> str:
    return json.dumps([document, common], sort_keys=True)
