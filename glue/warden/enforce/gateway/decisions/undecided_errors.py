"""Answers for requests that nothing decided: codes of Kafka's that say whether another attempt may help."""

from typing import Final

from warden.enforce.gateway.wire.frames import RequestHeader
from warden.policy.adapter.results import POLICY_VIOLATION

__all__ = ["choose_undecided_error"]

_DENIAL: Final = (POLICY_VIOLATION, "POLICY_VIOLATION")
_TIMED_OUT: Final = (7, "REQUEST_TIMED_OUT")
_THROTTLED: Final = (89, "THROTTLING_QUOTA_EXCEEDED")
_THROTTLED_SINCE: Final = {"CreateTopics": 6, "DeleteTopics": 5, "CreatePartitions": 3}
"""Since which versions clients know it, and try again by themselves (KIP-599)."""

# The broker's own answer about a topic that is not there, or while a coordinator is not ready: clients ask again, and
# consumers live on.
_LOADS: Final = (14, "COORDINATOR_LOAD_IN_PROGRESS")
_BY_API: Final = {
    "Metadata": (3, "UNKNOWN_TOPIC_OR_PARTITION"),
    "OffsetCommit": _LOADS,
    "TxnOffsetCommit": _LOADS,
}
# A member of a Streams group that is shed heartbeats again; all that its client does not know ends it.
_SHED_BY_API: Final = {"StreamsGroupHeartbeat": _LOADS}


def choose_undecided_error(head: RequestHeader, *, shed: bool) -> tuple[int, str]:
    """Return the code, and its name, for what a request asks for and nobody has decided.

    Args:
        head: The head of the request.
        shed: Whether OPA had too much to decide, so that another attempt may succeed.
    """
    if head.api.name in _BY_API or not shed:
        return _BY_API.get(head.api.name, _DENIAL)
    if head.version >= _THROTTLED_SINCE.get(head.api.name, head.version + 1):
        return _THROTTLED
    return _SHED_BY_API.get(head.api.name, _TIMED_OUT)
