"""How each guarded API is guarded: what is looked up at the broker first, decided, and answered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from warden.adapter import Result
from warden.adapter.evaluation import Evaluation
from warden.gateway import guard, streams
from warden.gateway.frames import Head, Raw
from warden.gateway.guard import Decided, GuardedRequest

__all__ = ["Guard", "guard_of"]


@dataclass(frozen=True, slots=True)
class Guard:
    """How requests of an API are guarded.

    Args:
        topic_lookup: Makes the request for metadata whose answer the evaluation needs; None where it needs none.
        evaluate: Makes the evaluation of a request and that answer.
        decide: Makes what follows from the decisions.
        answer: Makes the client's response, of the broker's where it has seen a part of the request.
        reports_all: Whether a request is reported that is about nothing.
    """

    topic_lookup: Callable[[GuardedRequest], bytes | None]
    evaluate: Callable[[GuardedRequest, Raw | None], Evaluation]
    decide: Callable[[GuardedRequest, Evaluation], Decided]
    answer: Callable[[GuardedRequest, Evaluation, Mapping[str, Result], Raw | None], bytes]
    reports_all: bool


_USUAL: Final = Guard(guard.topic_lookup, guard.evaluate, guard.decide, guard.answer, reports_all=True)
_OTHERS: Final = {
    "StreamsGroupHeartbeat": Guard(
        streams.topic_lookup, streams.evaluate, streams.decide, streams.answer, reports_all=False
    )
}


def guard_of(head: Head) -> Guard:
    """Return how a request is guarded, by its head."""
    return _OTHERS.get(head.api.name, _USUAL)
