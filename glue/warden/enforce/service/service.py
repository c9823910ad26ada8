"""Handlers of the service's paths."""

import asyncio
import hashlib
import re
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, TypeVar

from aiohttp import web

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import InputError, WardenError
from warden.base.files.json_files import is_unicode, parse_json
from warden.base.http.app import read_body
from warden.base.telemetry.traces import bind_context
from warden.enforce.service import wire
from warden.enforce.service.callers import Callers
from warden.enforce.service.cluster import ClusterFollower
from warden.enforce.service.coalescing import RequestCoalescer
from warden.enforce.service.long_poll import ClientChanges
from warden.enforce.service.resolve_batches import Resolver, ResolveRequest
from warden.enforce.service.wire_schemas import BATCH

__all__ = ["SERVICE_FIELDS", "Service"]

_THREADS = 16  # requests at a time about decisions, and about the client configs of each cluster
_MAX_SMALL_BYTES = 64 * 1024  # bytes of a body that is parsed while others wait
SERVICE_FIELDS = ("brokerId", "cluster", "clusterState", "clusters", "enforcementPoint", "now", "principal")
"""Fields of a decision input that the service states, or OPA; a caller may not."""

_WAIT = re.compile(r'(?:^|,)\s*wait\s*=\s*"?([0-9]{1,6})\b', re.IGNORECASE)  # RFC 7240

_Result = TypeVar("_Result")


class Service:
    """The handlers of all paths that need to know who asks.

    Args:
        clusters: The clusters by name, each with what changes in it.
        callers: Who may ask.
        wait_seconds: How long a request may wait for a change.
    """

    def __init__(
        self, clusters: Mapping[str, tuple[ClusterFollower, ClientChanges]], callers: Callers, wait_seconds: float
    ) -> None:
        self._clusters, self._callers, self._wait_seconds = clusters, callers, wait_seconds
        # A store that hangs has the threads of its own cluster wait, and nobody else's.
        self._decisions = ThreadPoolExecutor(_THREADS, thread_name_prefix="decisions")
        self._stores = {name: ThreadPoolExecutor(_THREADS, thread_name_prefix=f"store {name}") for name in clusters}
        self._resolvers = {name: Resolver(cluster) for name, (cluster, _) in clusters.items()}
        # Those that register wait for the store to be written to, the others do not.
        self._batches = {
            (name, registers): RequestCoalescer(resolver.resolve, self._stores[name])
            for name, resolver in self._resolvers.items()
            for registers in (False, True)
        }

    def build_routes(self) -> list[web.RouteDef]:
        """Return the paths."""
        return [
            web.post("/v1/client-configs/describe", self._describe),
            web.post("/v1/client-configs/alter", self._alter),
            web.post("/v1/client-configs/resolve", self._resolve),
            web.post("/v1/decide", self._decide),
            web.post("/v1/decisions", self._decide_many),
        ]

    def close(self) -> None:
        """End the threads."""
        for pool in (self._decisions, *self._stores.values()):
            pool.shutdown(wait=False, cancel_futures=True)

    async def _describe(self, request: web.Request) -> web.Response:
        principal, cluster, _ = self._admit(request)
        filter_ = wire.decode_describe(await self._read_json(request))
        pool = self._stores[cluster.name]
        decision = await _run_in_thread(pool, lambda: cluster.build_configs(principal).describe(filter_))
        return web.json_response(wire.encode_describe(decision))

    async def _alter(self, request: web.Request) -> web.Response:
        principal, cluster, _ = self._admit(request)
        requests, validate_only = wire.decode_alter(await self._read_json(request))
        pool = self._stores[cluster.name]
        alter = _run_in_thread(pool, lambda: cluster.alter(principal, requests, validate_only=validate_only))
        decisions = await asyncio.shield(alter)  # a caller that hangs up leaves nothing half done
        return web.json_response(wire.encode_alter(requests, decisions))

    async def _resolve(self, request: web.Request) -> web.Response:
        principal, cluster, changes = self._admit(request)
        user = principal.partition(":")[2]
        body = await self._read_json(request)
        resolution, client = wire.decode_resolve(body, user), wire.decode_client(body)
        known_tags, left = {tag.value for tag in request.if_none_match or ()}, self._parse_wait(request)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + left
        while True:
            change = changes.get_event(user, body.get("clientId") or "")
            content = await self._resolve_client(cluster, principal, resolution, client)
            tag = hashlib.sha256(content).hexdigest()[:32]
            headers = {"ETag": f'"{tag}"'}
            if known_tags.isdisjoint((tag, "*")):
                return web.Response(body=content, content_type="application/json", headers=headers)
            resolution.pop("supportedConfigs", None)  # it is registered
            left = deadline - loop.time()
            if left <= 0 or not await changes.wait(change, left):
                return web.Response(status=304, headers=headers)

    async def _resolve_client(
        self, cluster: ClusterFollower, principal: str, resolution: Mapping[str, Any], client: Mapping[str, Any] | None
    ) -> bytes:
        """The answer to a client that resolves itself, found together with those of others who ask now."""
        request = ResolveRequest.from_documents(principal, resolution, client)
        if request.is_batchable:
            return await self._batches[cluster.name, "supportedConfigs" in resolution].ask(request)
        resolver = self._resolvers[cluster.name]
        (answer,) = await _run_in_thread(self._stores[cluster.name], lambda: resolver.resolve([request]))
        if isinstance(answer, WardenError):
            raise answer
        return answer

    async def _decide(self, request: web.Request) -> web.Response:
        principal, cluster, _ = self._admit(request)
        document = _check_stated_fields(await self._read_json(request), "the input")
        warden = cluster.build_warden(principal)
        whole = {**warden.build_shared_input(), **document}
        await _run_in_thread(self._decisions, lambda: cluster.check_statements(warden, {"the input": whole}))
        return web.json_response(await _run_in_thread(self._decisions, lambda: warden.decide_document(whole)))

    async def _decide_many(self, request: web.Request) -> web.Response:
        principal, cluster, _ = self._admit(request)
        body = await self._read_json(request)
        if (
            not isinstance(body, dict)
            or not isinstance(body.get("items"), dict)
            or body.keys() - BATCH["properties"].keys()
        ):
            raise InputError("the request is not {items: {key: input}, common: input, order: [key]}")
        order = body.get("order", list(body["items"]))
        if not isinstance(order, list) or sorted(map(repr, order)) != sorted(map(repr, body["items"])):
            raise InputError("order: name the key of each item once")
        common = _check_stated_fields(body.get("common", {}), "common")
        inputs = {key: {**common, **_check_stated_fields(body["items"][key], f"items.{key}")} for key in order}
        warden = cluster.build_warden(principal)
        whole = {f"items.{key}": {**warden.build_shared_input(), **document} for key, document in inputs.items()}
        await _run_in_thread(self._decisions, lambda: cluster.check_statements(warden, whole))
        decisions = await _run_in_thread(self._decisions, lambda: warden.decide_many(inputs, in_order="order" in body))
        return web.json_response({key: decision.document for key, decision in decisions.items()})

    def _admit(self, request: web.Request) -> tuple[str, ClusterFollower, ClientChanges]:
        """Who asks, and about which cluster."""
        principal = self._callers.authenticate(request.headers.get("Authorization"), _get_certificate(request))
        name = request.query.get("cluster")
        if name is None and len(self._clusters) == 1:
            name = next(iter(self._clusters))
        if name is None:
            raise InputError(f"cluster is missing: add ?cluster= with one of {', '.join(sorted(self._clusters))}")
        if name not in self._clusters:
            raise InputError(describe_unknown("cluster", name, sorted(self._clusters)))
        return principal, *self._clusters[name]

    async def _read_json(self, request: web.Request) -> Any:
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType(reason="send Content-Type: application/json")
        content = await read_body(request)
        if len(content) <= _MAX_SMALL_BYTES:
            return _parse_body(content)
        return await _run_in_thread(self._decisions, lambda: _parse_body(content))

    def _parse_wait(self, request: web.Request) -> float:
        """How long a caller wants to wait: ``Prefer: wait=30``."""
        wanted = _WAIT.search(",".join(request.headers.getall("Prefer", ())))
        return min(float(wanted[1]), self._wait_seconds) if wanted else 0.0


async def _run_in_thread(pool: Executor, call: Callable[[], _Result]) -> _Result:
    return await asyncio.get_running_loop().run_in_executor(pool, bind_context(call))


def _get_certificate(request: web.Request) -> bytes | None:
    connection = request.get_extra_info("ssl_object")
    return None if connection is None else connection.getpeercert(True)


def _parse_body(content: bytes) -> Any:
    document = parse_json(content, "the request", "a JSON object")
    if b"\\u" in content and not is_unicode(document):
        raise InputError("the request has half a surrogate pair, which is not a character: send whole characters")
    return document


def _check_stated_fields(document: Any, place: str) -> Mapping[str, Any]:
    """What a caller may state; who asks, where, when and of what is known to the service and to OPA."""
    if not isinstance(document, dict):
        raise InputError(f"{place} is not a JSON object: write one, in braces")
    for field in SERVICE_FIELDS:
        if field in document:
            raise InputError(f"{place}: leave {field} out: it is not taken from a caller")
    return document
