"""Client for one OPA: decisions, one or many, documents to read and write, health and status.

Status comes through opa-python-client 3, over our session. Everything else goes to the session directly, because the
library
- loads aiohttp, which takes longer than a decision;
- serialises every input itself, so that a body which is JSON already would be parsed and written once more;
- writes objects only (no number, no list), never quotes a path segment, and calls every failed PUT a RegoParseError;
- has a bulk query which is an ad-hoc query: compiled anew each time, empty as a whole if one row is undefined.
Its retries (never for POST) and its one time limit are replaced by those of `warden.policy.opa.transport`.
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, repeat
from typing import Any
from urllib.parse import quote, urlsplit

from warden.base.errors import ConfigurationError, InputError, OpaError, OpaInputTooLarge, OpaUndefined
from warden.base.http.calls import is_http_address
from warden.base.process.closing import Closing
from warden.base.telemetry.traces import NO_SPAN, Span, bind_context
from warden.base.tls.reloading_context import ReloadingContext, load_client_context
from warden.policy.contract.charges import add_charges
from warden.policy.contract.consistency import find_decision_fault
from warden.policy.opa.call_spans import DECISION_ID, begin_call
from warden.policy.opa.item_size import MAX_ITEM_BYTES, find_size_problem
from warden.policy.opa.response_errors import parse_answer, read_text
from warden.policy.opa.retry import RetryPolicy, Timeout
from warden.policy.opa.revision_floor import BUNDLE, PROVENANCE, RevisionFloor, read_bundle_revisions
from warden.policy.opa.transport import Transport

__all__ = ["OpaClient", "RetryPolicy", "Timeout"]

_LOG = logging.getLogger(__name__)


class OpaClient(Closing):
    """A client for one OPA, safe to share between threads; create it where it is used (it cannot be pickled).

    Args:
        url: OPA's address, such as ``http://127.0.0.1:8181``.
        token: Bearer token; which one decides what is allowed (``policies/system/authz``). A function that reads it is
            called again when OPA refuses the last one.
        timeout: Limits for each call.
        retries: When to ask again.
        pool_size: Connections kept open.
        max_item_bytes: JSON that one decision input may have, what it shares with others apart.
        tls: Whom https trusts; those whom the system trusts where None.
        floor: What refuses the answers of older bundles; None where any bundle is believed.

    Raises (by every method):
        OpaUnreachable, OpaUndefined, OpaRefused, OpaEvaluationError: see `warden.base.errors`.
        InputError: A document cannot be written as JSON.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | Callable[[], str] | None = None,
        timeout: Timeout = Timeout(),
        retries: RetryPolicy = RetryPolicy(),
        pool_size: int = 8,
        max_item_bytes: int = MAX_ITEM_BYTES,
        tls: ReloadingContext | None = None,
        floor: RevisionFloor | None = None,
    ) -> None:
        self._max_item_bytes, self._floor, self.timeout = max_item_bytes, floor, timeout
        self._address = _parse_address(url)
        self.url = url.rstrip("/")
        system = load_client_context(None, None, "https", _LOG) if tls is None and self._address[2] else None
        self._session = Transport(timeout, retries, pool_size, token, tls or system)

    def close(self) -> None:
        """Close all connections."""
        self._session.close()

    def decide(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """Return the decision about one decision input (the contract's ``kafka/decision``).

        Raises:
            OpaInputTooLarge: It is larger than ``max_item_bytes``.
        """
        answer = self._evaluate("kafka/decision", document, {"the decision input": document})
        return _require_decision(answer, "this input", self.url)

    def decide_many(
        self,
        items: Mapping[str, Mapping[str, Any]],
        common: Mapping[str, Any] | None = None,
        *,
        batch_size: int = 250,
        in_flight: int = 2,
        in_order: bool = False,
    ) -> dict[str, dict[str, Any]]:
        """Return one decision per item, under the same keys and in the same order.

        Args:
            items: Decision inputs under keys of the caller's choice.
            common: What all items share; OPA merges it under every item.
            batch_size: Items in one request.
            in_flight: Requests at a time. OPA evaluates one request on one core.
            in_order: Whether they are the items of one request, each decided with what those before it add to what is
                capped: all are sent at once then, and each decision says what it adds (``charges``).

        Raises:
            OpaUndefined: OPA did not decide one of the items; the message names its key.
            OpaInputTooLarge: One is larger than ``max_item_bytes``; the message names its key.
        """
        if batch_size < 1 or in_flight < 1:
            raise ConfigurationError(f"batch_size {batch_size}, in_flight {in_flight}: both must be at least 1")

        def decide_batch(keys: list[str], common: Mapping[str, Any] | None) -> list[dict[str, Any]]:
            document: dict[str, Any] = {"items": {key: items[key] for key in keys}}
            document |= {} if common is None else {"common": common}
            document |= {"order": keys} if in_order else {}
            named = {f"the item {key!r}": items[key] for key in keys}
            try:
                answer = self._evaluate("kafka/decisions", document, named)
            except OpaInputTooLarge:
                if len(keys) == 1 or find_size_problem(named, self._max_item_bytes):
                    raise
                middle = len(keys) // 2
                first = decide_batch(keys[:middle], common)
                return first + decide_batch(keys[middle:], add_charges(common, first) if in_order else common)
            decided = answer if isinstance(answer, dict) else {}
            return [_require_decision(decided.get(key), f"the item {key!r}", self.url) for key in keys]

        batches = [list(items)] if in_order else list(_iter_batches(items, batch_size))
        with ThreadPoolExecutor(max(1, min(in_flight, len(batches))), thread_name_prefix="opa") as threads:
            try:
                answers = threads.map(bind_context(decide_batch), batches, repeat(common))
                decisions = [decision for decided in answers for decision in decided]
            except BaseException:
                threads.shutdown(wait=False, cancel_futures=True)
                raise
        return dict(zip(items, decisions, strict=True))

    def evaluate(self, path: str, document: Any) -> Any:
        """Return the document at ``path`` (such as ``kafka/lists/check``), with ``document`` as its input.

        Raises:
            OpaUndefined: There is no such document for this input.
        """
        return self._evaluate(path, document, {})

    def evaluate_within(self, seconds: float, path: str, document: Any, items: Mapping[str, Mapping[str, Any]]) -> Any:
        """As `evaluate`, within some seconds where they are less than the client's.

        Args:
            seconds: For the whole call.
            path: Of the document.
            document: The input.
            items: Decision inputs in it, each under what to call it.

        Raises:
            OpaInputTooLarge: One of these is larger than ``max_item_bytes``.
        """
        url = self._build_data_url(path.strip("/").split("/"))
        body = _encode_json({"input": document}, "the input")
        if len(body) > self._max_item_bytes and (problem := find_size_problem(items, self._max_item_bytes)):
            raise OpaInputTooLarge(problem)
        with begin_call("POST", url) as span:
            return self._parse_result(self._post(url, body, seconds), url, span)

    def post_raw(self, path: str, body: bytes) -> bytes:
        """Evaluate ``path`` with a body that is JSON already (``{"input": …}``), and return OPA's whole answer.

        An answer without ``result`` means undefined: it is the caller's to look.
        """
        return self._post(self._build_data_url(path.strip("/").split("/")), body)

    def get_data(self, path: Sequence[str]) -> Any:
        """Return the document at ``path``, one string per segment, quoted here."""
        url = self._build_data_url(path)
        return self._parse_result(self._session.get(url).content, url)

    def put_data(self, path: Sequence[str], document: Any) -> int:
        """Create or replace the document at ``path``, and return the number of bytes sent."""
        return self._send("PUT", path, document, "application/json")

    def patch_data(self, path: Sequence[str], operations: Sequence[Mapping[str, Any]]) -> int:
        """Apply a JSON Patch (RFC 6902: add, remove, replace) to ``path``, to which the operations' paths are relative.

        Returns the number of bytes sent.
        """
        return self._send("PATCH", path, list(operations), "application/json-patch+json")

    def is_healthy(self, bundles: bool = True) -> bool:
        """Return whether OPA is up, and (with ``bundles``) has activated its bundle."""
        try:
            return self._session.get(f"{self.url}/health{'?bundles' if bundles else ''}").ok
        except OpaError:
            return False

    def read_revision(self) -> str:
        """Return the revision of the bundle that decides now, in OPA's own words (``provenance``)."""
        revision = self.read_revisions().get(BUNDLE)
        if revision is None:
            raise OpaUndefined(f"{self.url} has no bundle named {BUNDLE}: start OPA with Warden's opa-config.yaml")
        return revision

    def read_revisions(self) -> dict[str, str]:
        """Return the revision of each bundle that OPA has, by the bundle's name."""
        url = self._build_data_url(["catalog", "revision"])
        answer = parse_answer(self._session.post(f"{url}?{PROVENANCE}", data=b"{}").content, url)
        if self._floor:
            self._floor.check_answer(answer)
        return read_bundle_revisions(answer)

    def list_policies(self) -> list[dict[str, Any]]:
        """Return every module that OPA has: ``id``, ``raw`` (its text) and ``ast`` (as OPA compiled it)."""
        url = f"{self.url}/v1/policies"
        result: list[dict[str, Any]] = self._parse_result(self._session.get(url).content, url)
        return result

    def read_status(self) -> dict[str, Any]:
        """Return OPA's status: bundles with their last error, plugins, decision logs. Needs the admin token."""
        from opa_client.opa import OpaClient as Library  # type: ignore[import-untyped, unused-ignore]  # no stubs

        host, port, ssl = self._address
        library = Library(host=host, port=port, ssl=ssl, retries=0)
        library._session = self._session  # noqa: SLF001 - it takes no session: its own knows neither our limits nor our errors
        result: dict[str, Any] = library.get_status()["result"]
        return result

    def _evaluate(self, path: str, document: Any, items: Mapping[str, Mapping[str, Any]]) -> Any:
        return self.evaluate_within(self.timeout.total, path, document, items)

    def _post(self, url: str, body: bytes, seconds: float | None = None) -> bytes:
        whole = f"{url}?{PROVENANCE}" if self._floor else url
        headers = {"Content-Type": "application/json"}
        answer = self._session.request("POST", whole, data=body, headers=headers, total=seconds).content
        if self._floor:
            self._floor.check_answer(parse_answer(answer, url))
        elif not answer.lstrip().startswith(b"{"):
            parse_answer(answer, url)
        return answer

    def _send(self, method: str, path: Sequence[str], document: Any, media_type: str) -> int:
        url = self._build_data_url(path)
        body = _encode_json(document, "the document for " + "/".join(path))
        with begin_call(method, url):
            self._session.request(method, url, data=body, headers={"Content-Type": media_type})
        return len(body)

    def _build_data_url(self, path: Sequence[str]) -> str:
        for piece in path:
            if piece in ("", ".", ".."):
                raise InputError(
                    f"{piece!r} in {list(path)} cannot stand in a URL: patch the document above it instead"
                )
        return "/".join([f"{self.url}/v1/data", *(quote(piece, safe="") for piece in path)])

    def _parse_result(self, body: bytes, url: str, span: Span = NO_SPAN) -> Any:
        answer = parse_answer(body, url)
        decision_id = read_text(answer, "decision_id")
        span.set_attributes({DECISION_ID: decision_id})
        if "result" not in answer:
            raise OpaUndefined(
                f"{url} is undefined: check the path and that the bundle has been loaded", decision_id=decision_id
            )
        return answer["result"]


def _parse_address(url: str) -> tuple[str, int, bool]:
    if not is_http_address(url):
        raise ConfigurationError(f"invalid OPA address {url!r}: expected one such as http://127.0.0.1:8181")
    parts = urlsplit(url)
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ConfigurationError(
            f"the address of OPA at {parts.hostname} must be scheme, host and port: the token is apart"
        )
    ssl = parts.scheme == "https"
    host = str(parts.hostname)
    return f"[{host}]" if ":" in host else host, parts.port or (443 if ssl else 80), ssl


def _encode_json(document: Any, what: str) -> bytes:
    try:
        return json.dumps(document, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"{what} cannot be written as JSON ({error}): build it of JSON's types") from error


def _iter_batches(keys: Mapping[str, Any], size: int) -> Iterator[list[str]]:
    rest = iter(keys)
    while batch := list(islice(rest, size)):
        yield batch


def _require_decision(answer: Any, what: str, url: str) -> dict[str, Any]:
    fault = find_decision_fault(answer)
    if fault is None:
        decision: dict[str, Any] = answer
        return decision
    raise OpaUndefined(f"{url} did not decide {what}: the answer is not a decision ({fault}): treat it as not allowed")
