"""A guarded request that is decided: what of it goes on, what the client gets, and what becomes of its changes."""

from collections.abc import Callable
from dataclasses import dataclass

from warden.enforce.gateway.connection.passthrough import rewrite_addresses
from warden.enforce.gateway.guards.guard_registry import RequestGuard
from warden.enforce.gateway.guards.guarded_request import GuardedRequest, GuardResult
from warden.enforce.gateway.pending_changes.settlements import Settlement, read_settlement, select_topic_changes
from warden.enforce.gateway.wire.addresses import HostPort
from warden.enforce.gateway.wire.frames import Raw
from warden.policy.adapter.evaluation import Evaluation

__all__ = ["DecidedRequest"]


@dataclass(frozen=True, slots=True)
class DecidedRequest:
    """A request with its decisions.

    Args:
        guard: How its API is guarded.
        request: The request.
        evaluation: Its decisions.
        result: What follows from them.
    """

    guard: RequestGuard
    request: GuardedRequest
    evaluation: Evaluation
    result: GuardResult

    @property
    def changing(self) -> frozenset[str]:
        """The items that go on and change a topic."""
        if self.result.forward is None:
            return frozenset()
        return select_topic_changes(self.evaluation, [key for key, item in self.result.results.items() if item.allowed])

    def read_settlement(self, broker: Raw) -> Settlement:
        """Return what became of the changes, of the broker's response."""
        if not self.changing:
            return Settlement(self.evaluation)
        return read_settlement(self.request.head, self.evaluation, self.changing, broker)

    def encode_answer(self, locate: Callable[[int], HostPort], broker: Raw | None) -> Raw:
        """Return the client's response.

        Args:
            locate: Returns where clients reach a broker, by its id.
            broker: The broker's response to what has gone on; None where nothing has.
        """
        if broker is not None and self.result.is_passed_on_whole:
            return broker
        head = self.request.head
        answer = self.guard.encode_answer(self.request, self.evaluation, self.result.results, broker)
        return rewrite_addresses(head, locate, answer) if head.api.name == "Metadata" else answer
