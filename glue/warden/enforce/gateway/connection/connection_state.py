"""States of a client's connection: it reads requests, passes one on, or waits before it reads further."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from warden.enforce.gateway.wire.frames import RequestHeader
from warden.policy.adapter.evaluation import Evaluation

__all__ = [
    "AwaitingBroker",
    "AwaitingDecisions",
    "AwaitingTokenOwner",
    "ConnectionState",
    "Deferred",
    "Idle",
    "PassingThrough",
]


@dataclass(frozen=True, slots=True)
class Idle:
    """No request is pending: the next one is read."""


@dataclass(frozen=True, slots=True)
class PassingThrough:
    """A request goes to the broker as it is; the broker has its beginning.

    Args:
        remaining: Bytes that are still to come.
    """

    remaining: int


@dataclass(frozen=True, slots=True)
class AwaitingBroker:
    """Nothing is read until the broker has answered: a look-up, a client's login, or the gateway's own."""


@dataclass(frozen=True, slots=True)
class AwaitingDecisions:
    """Nothing is read until a request's items are decided.

    Args:
        head: The request's head.
        inputs: Decision inputs, by the item's key.
        evaluation: Takes their decisions.
        finish: Carries the evaluation out once it is complete.
    """

    head: RequestHeader
    inputs: Mapping[str, Mapping[str, Any]]
    evaluation: Evaluation
    finish: Callable[[Evaluation], None]


@dataclass(frozen=True, slots=True)
class AwaitingTokenOwner:
    """Nothing is read until it is known whose delegation token the client has logged in with.

    Args:
        token_id: The token's id.
    """

    token_id: str


@dataclass(frozen=True, slots=True)
class Deferred:
    """A request that takes long to decode waits to be taken in a thread.

    Args:
        head: The request's head.
        raw: Its whole frame.
    """

    head: RequestHeader
    raw: bytes


ConnectionState = Idle | PassingThrough | AwaitingBroker | AwaitingDecisions | AwaitingTokenOwner | Deferred
