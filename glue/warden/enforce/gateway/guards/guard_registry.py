"""The guard of each guarded API: what it looks up at the broker, has decided, and answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from warden.enforce.gateway.guards import commits, guarded_request, metadata, streams
from warden.enforce.gateway.guards.guarded_request import GuardedRequest, GuardResult
from warden.enforce.gateway.wire.frames import Raw, RequestHeader
from warden.policy.adapter import Result
from warden.policy.adapter.evaluation import Evaluation

__all__ = ["RequestGuard", "find_guard"]


@dataclass(frozen=True, slots=True)
class RequestGuard:
    """How requests of an API are guarded.

    Args:
        encode_topic_lookup: Makes the request for metadata whose answer the evaluation needs; None where it needs none.
        build_evaluation: Makes the evaluation of a request and that answer.
        build_result: Makes what follows from the decisions.
        encode_answer: Makes the client's response, of the broker's where it has seen a part of the request.
        reports_all: Whether a request is reported that is about nothing.
    """

    encode_topic_lookup: Callable[[GuardedRequest], bytes | None]
    build_evaluation: Callable[[GuardedRequest, Raw | None], Evaluation]
    build_result: Callable[[GuardedRequest, Evaluation], GuardResult]
    encode_answer: Callable[[GuardedRequest, Evaluation, Mapping[str, Result], Raw | None], Raw]
    reports_all: bool


_USUAL: Final = RequestGuard(
    guarded_request.encode_topic_lookup,
    guarded_request.build_evaluation,
    guarded_request.build_result,
    guarded_request.encode_answer,
    reports_all=True,
)
_COMMIT: Final = RequestGuard(
    commits.encode_topic_lookup,
    commits.build_evaluation,
    guarded_request.build_result,
    guarded_request.encode_answer,
    reports_all=True,
)
_OTHERS: Final = {
    **dict.fromkeys(commits.COMMITS, _COMMIT),
    "Metadata": RequestGuard(
        metadata.encode_lookup,
        metadata.build_evaluation,
        metadata.build_result,
        metadata.encode_answer,
        reports_all=False,
    ),
    "StreamsGroupHeartbeat": RequestGuard(
        streams.encode_topic_lookup,
        streams.build_evaluation,
        streams.build_result,
        streams.encode_answer,
        reports_all=False,
    ),
}


def find_guard(head: RequestHeader) -> RequestGuard:
    """Return how a request is guarded, by its head."""
    return _OTHERS.get(head.api.name, _USUAL)
