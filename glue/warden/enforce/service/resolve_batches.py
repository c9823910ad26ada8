"""Batches of resolve requests: many clients' requests in few calls of OPA."""

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Self

from warden.base.errors import WardenError
from warden.enforce.service import wire
from warden.enforce.service.cluster import ClusterFollower
from warden.policy.contract.decision import Decision, Document

__all__ = ["ResolveRequest", "Resolver"]

_MAX_KEPT = 1024  # accepted client configs
_MAX_SHARED_CHARACTERS = 4096  # characters of a request that is shared with others, and of what is kept


@dataclass(frozen=True, slots=True)
class ResolveRequest:
    """A client that resolves itself; equal ones have the same answer.

    Args:
        principal: Who asks.
        request_json: The request of ``DescribeClientConfigs``, as JSON.
        client: What the client says of itself (``kind``, ``static``), as JSON; None where it says nothing.
    """

    principal: str
    request_json: str
    client: str | None

    @classmethod
    def from_documents(cls, principal: str, request: Document, client: Document | None) -> Self:
        """Return the request of a principal, from documents."""
        return cls(principal, _encode_json(request), None if client is None else _encode_json(client))

    @property
    def is_batchable(self) -> bool:
        """Whether it may go together with others, which wait for its answer then."""
        return len(self.request_json) + len(self.client or "") <= _MAX_SHARED_CHARACTERS


class Resolver:
    """Resolves clients of a cluster; safe to share between threads.

    What a client accepts depends on its kind, its own configs, the values and the bundle alone, and is kept by these:
    the bundle of the OPA that said so, which may be another one than has decided.

    Args:
        cluster: The cluster.
    """

    def __init__(self, cluster: ClusterFollower) -> None:
        self._cluster, self._guard = cluster, threading.Lock()
        self._kept: OrderedDict[tuple[str, str, str], Document] = OrderedDict()
        self._under_way: dict[tuple[str, str, str], Future[Document]] = {}

    def resolve(self, requests: Sequence[ResolveRequest]) -> list[bytes | WardenError]:
        """Return the response to each request, or what is wrong with it alone.

        Raises:
            OpaError: Nothing was decided.
            StoreError: The store does not answer.
        """
        decisions = self._cluster.resolve(
            [(request.principal, json.loads(request.request_json)) for request in requests]
        )
        return [self._encode_answer(request, decision) for request, decision in zip(requests, decisions, strict=True)]

    def _encode_answer(self, request: ResolveRequest, decision: Decision) -> bytes | WardenError:
        accepted = None
        if request.client is not None and decision.allowed:
            values = _encode_json(wire.encode_in_force(decision))
            try:
                accepted = self._find_accepted(request.client, values, decision.revision)
            except WardenError as error:
                return error
        return json.dumps(wire.encode_resolve(decision, accepted)).encode()

    def _find_accepted(self, client: str, values: str, revision: str | None) -> Document:
        if revision is None or len(client) > _MAX_SHARED_CHARACTERS:
            return self._evaluate_accepted(client, values)[0]
        key = client, values, revision
        with self._guard:
            if (kept := self._kept.get(key)) is not None:
                self._kept.move_to_end(key)
                return kept
            answer = self._under_way.get(key)  # many with the same configs ask at the same time
            is_first = answer is None
            if answer is None:
                answer = self._under_way[key] = Future()
        if is_first:
            self._settle(key, answer)
        return answer.result()

    def _settle(self, key: tuple[str, str, str], answer: Future[Document]) -> None:
        client, values, _ = key
        try:
            accepted, said_by = self._evaluate_accepted(client, values)
        except BaseException as error:
            with self._guard:
                del self._under_way[key]
            answer.set_exception(error)
            return
        with self._guard:
            del self._under_way[key]
            if said_by is not None:
                self._kept[client, values, said_by] = accepted
                if len(self._kept) > _MAX_KEPT:
                    self._kept.popitem(last=False)
        answer.set_result(accepted)

    def _evaluate_accepted(self, client: str, values: str) -> tuple[Document, str | None]:
        return self._cluster.evaluate_accepted(json.loads(client), json.loads(values))


def _encode_json(document: Document) -> str:
    return json.dumps(document, sort_keys=True)
