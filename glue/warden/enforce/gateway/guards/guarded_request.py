"""Guarded requests: from a frame to what has to be decided, and from decisions to the frames that follow from them."""

from collections.abc import Mapping
from dataclasses import dataclass

from warden.enforce.gateway.guards.topic_lookup import encode_lookup, read_names
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError, Raw, RequestHeader, encode_frame
from warden.enforce.gateway.wire.responses import encode_merged_response
from warden.policy.adapter import Result, parse_request
from warden.policy.adapter.evaluation import Evaluation

__all__ = [
    "GuardResult",
    "GuardedRequest",
    "build_evaluation",
    "build_result",
    "encode_answer",
    "encode_topic_lookup",
    "read_request",
]

_INEXACT = (
    "the gateway cannot read all of this request (a tagged field that it does not know, or bytes behind its end), "
    "so nothing was decided: use a client of a Kafka version that the gateway knows"
)


@dataclass(frozen=True, slots=True)
class GuardedRequest:
    """A request that has to be decided.

    Args:
        head: Its head.
        raw: Its frame.
        message: What it says.
    """

    head: RequestHeader
    raw: bytes
    message: codec.DecodedMessage


@dataclass(frozen=True, slots=True)
class GuardResult:
    """What follows from the decisions about a request.

    Args:
        forward: The frame for the broker; None where nothing may go on.
        results: What became of each item.
        extent: ``all``, ``some`` or ``none`` of it is forwarded; ``amended``: all or some, with the policy's configs.
        merges: Whether the broker's answer is never the client's as it is.
    """

    forward: bytes | None
    results: Mapping[str, Result]
    extent: str
    merges: bool = False

    @property
    def is_passed_on_whole(self) -> bool:
        """Whether the broker answers all of it."""
        return not self.merges and all(result.allowed for result in self.results.values())


def read_request(head: RequestHeader, raw: bytes) -> GuardedRequest:
    """Return a guarded request.

    Raises:
        Undecodable: Its body is none.
    """
    return GuardedRequest(head, raw, codec.decode(head.api.key, head.version, "Request", raw[head.body_start :]))


def encode_topic_lookup(request: GuardedRequest) -> bytes | None:
    """Return the request that asks the broker for the names of topics that are given by id; None where none is."""
    if request.head.api.name != "DeleteTopics":
        return None
    return encode_lookup(request.head, [topic["topicId"] for topic in request.message.fields.get("topics") or ()])


def build_evaluation(request: GuardedRequest, topics: Raw | None) -> Evaluation:
    """Return the evaluation of a request, of which nothing is decided yet.

    Args:
        request: The request.
        topics: The broker's answer to `encode_topic_lookup`.

    Raises:
        ProtocolError: The request as a whole makes no sense.
        Undecodable: The answer is none.
    """
    head, message = request.head, request.message
    names = read_names(request.head, topics) if topics is not None else {}
    parsed = parse_request(head.api.name, message.fields, version=head.version, topic_ids=names.get)
    if parsed.refusal is not None:
        raise ProtocolError(f"{head.api.name} v{head.version}: {parsed.refusal.error_message}")
    return Evaluation(parsed, None if message.exact else (42, "INVALID_REQUEST", _INEXACT))


def build_result(request: GuardedRequest, evaluation: Evaluation) -> GuardResult:
    """Return what follows from the decisions, once none is missing.

    Raises:
        Undecodable: What is allowed cannot be encoded; then nothing may be forwarded.
    """
    results = evaluation.build_results()
    allowed = all(result.allowed for result in results.values())
    if allowed and not evaluation.amended and request.message.exact:
        return GuardResult(request.raw, results, "all")
    rest = evaluation.select_allowed(results)
    if rest is None:
        return GuardResult(None, results, "none")
    head = request.head
    body = codec.encode(head.api.key, head.version, "Request", rest)
    extent = "amended" if evaluation.amended else "some"
    return GuardResult(encode_frame(request.raw[LENGTH : head.body_start], body), results, extent)


def encode_answer(
    request: GuardedRequest, evaluation: Evaluation, results: Mapping[str, Result], broker: Raw | None
) -> bytes:
    """Return the client's response, as `warden.enforce.gateway.wire.responses.encode_merged_response` makes it."""
    return encode_merged_response(request.head, evaluation.parsed, results, broker)
