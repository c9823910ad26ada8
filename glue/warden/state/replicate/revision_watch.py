"""The thread that looks which bundle OPA decides by, and says where it is older than one seen before, or may be."""

import logging
import threading
from collections.abc import Sequence
from typing import Final

from warden.base.errors import ConfigurationError, OpaError, OpaOutdated
from warden.policy.opa.client import OpaClient
from warden.policy.opa.revision_floor import RevisionFloor
from warden.state.replicate.status import SourceStatus

__all__ = ["RevisionWatch"]

_LOG = logging.getLogger(__name__)
_INTERVAL: Final = 2.0  # seconds between two polls


class RevisionWatch:
    """Sets `SourceStatus.bundle_error` of all sources while OPA decides by an older bundle, or nobody can tell.

    Args:
        client: A client of OPA.
        floor: The highest revision seen.
        statuses: What is set.
    """

    def __init__(self, client: OpaClient, floor: RevisionFloor, statuses: Sequence[SourceStatus]) -> None:
        self._client, self._floor, self._statuses = client, floor, statuses

    def run(self, stop: threading.Event) -> None:
        """Look until ``stop`` is set. Where OPA cannot be reached what was seen last stands: the writers say why."""
        while not stop.wait(_INTERVAL):
            self.poll()

    def poll(self) -> None:
        """Poll once."""
        try:
            revision = self._client.read_revision()
        except OpaError:
            return
        problem = None
        try:
            self._floor.check(revision)
        except (OpaOutdated, ConfigurationError) as error:
            problem = str(error)
        if problem and not self._statuses[0].bundle_error:
            _LOG.error("the bundle that OPA decides by is refused", extra={"problem": problem})
        for status in self._statuses:
            status.bundle_error = problem
