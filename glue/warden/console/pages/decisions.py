"""The pages of decisions: a list with a filter that goes on by itself, one decision, and why it is what it is."""

import asyncio
import json
import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from aiohttp import web

from warden.base.errors import InputError, OpaError, StoreError
from warden.console.gate import Viewer, get_viewer
from warden.console.pages.changes import list_changes
from warden.console.pages.context import Console, Page
from warden.console.pages.render import render_rows, respond
from warden.console.policy.pastes import Paste
from warden.console.store.decision_store import DecisionStore
from warden.console.store.search import (
    FIELDS,
    MAX_FACET_DECISIONS,
    Filter,
    count_facets,
    find_decision,
    find_page,
    list_new_decisions,
    parse_filter,
)
from warden.console.store.stored import UNDECIDED, to_list, to_mapping, to_text
from warden.policy.bundle.metadata import find_rule_page
from warden.policy.contract.decision_text import iter_decision_lines

__all__ = ["DECISIONS"]

_LOG = logging.getLogger("warden.console")
_STREAMS: Final = 100  # that are open at a time
_BEAT_SECONDS: Final = 15.0


class _Decisions:
    def __init__(self, console: Console) -> None:
        self._console, self._store = console, console.store
        self._streams = 0

    def build_routes(self) -> list[web.RouteDef]:
        return [
            web.get("/decisions", self._list),
            web.get("/decisions/stream", self._follow),
            web.get("/decisions/{id}", self._show),
            web.get("/decisions/{id}/explain", self._explain),
        ]

    async def _list(self, request: web.Request) -> web.Response:
        wanted, viewer = parse_filter(request.query), get_viewer()
        last = self._store.last
        document = await self._console.run(partial(_build_list, self._store, wanted, viewer))
        first = wanted.before is None
        stream = f"/decisions/stream?{wanted.build_query(after=str(last))}" if first else ""
        return respond(
            request,
            "decisions.html.j2",
            document,
            fields=FIELDS,
            wanted=wanted,
            stream=stream,
            counted=MAX_FACET_DECISIONS,
        )

    async def _follow(self, request: web.Request) -> web.StreamResponse:
        """Send new decisions as server-sent events: JSON with the rows, and the same as HTML."""
        wanted, viewer = parse_filter(request.query), get_viewer()
        if self._streams >= _STREAMS:
            raise web.HTTPServiceUnavailable(reason="too many pages are open: close some, and load this one again")
        last = _read_number(request.headers.get("Last-Event-ID") or request.query.get("after"), self._store.last)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        await response.prepare(request)
        changed, loop = asyncio.Event(), asyncio.get_running_loop()
        self._streams += 1
        try:
            with self._store.listen(lambda: loop.call_soon_threadsafe(changed.set)):
                await response.write(b"retry: 2000\n\n")
                while not self._console.ending.is_set():
                    changed.clear()
                    newest = self._store.last
                    if newest > last:
                        rows = await self._console.run(partial(_list_new_decisions, self._store, wanted, viewer, last))
                        last = max(newest, *(row["seq"] for row in rows[:1]))  # more may have come meanwhile
                        if rows:
                            content = json.dumps({"rows": rows, "html": render_rows(rows)})
                            await response.write(f"id: {last}\ndata: {content}\n\n".encode())
                    await self._wait(changed, response)
        except ConnectionError:
            pass  # nobody looks any more
        except (InputError, StoreError) as error:  # it takes too long, or the store does not answer
            _LOG.warning("news cannot be read", extra={"error": str(error)})  # the browser comes again, from there on
        finally:
            self._streams -= 1
        return response

    async def _wait(self, changed: asyncio.Event, response: web.StreamResponse) -> None:
        try:
            await asyncio.wait_for(changed.wait(), _BEAT_SECONDS)
        except TimeoutError:
            await response.write(b": still here\n\n")

    async def _show(self, request: web.Request) -> web.Response:
        decision = await self._find(request)
        document = decision["document"]
        shown = {
            **decision,
            "changes": list_changes(document.get("input") or {}),
            "text": _build_text(decision),
            "controls": await self._console.run(partial(_list_controls, self._console, document)),
        }
        explained = _is_explainable(decision)
        paste = _build_link(document.get("input")) if explained else ""
        return respond(request, "decision.html.j2", shown, rule_page=find_rule_page, explained=explained, paste=paste)

    async def _explain(self, request: web.Request) -> web.Response:
        decision = await self._find(request)
        if not _is_explainable(decision):
            raise web.HTTPNotFound(reason="there is nothing to explain: it is not a decision of the contract")
        document = await self._console.run(partial(_build_explanation, self._console, decision))
        return respond(request, "explain.html.j2", document)

    async def _find(self, request: web.Request) -> dict[str, Any]:
        id, item = request.match_info["id"], request.query.get("item", "")
        find = partial(find_decision, self._store, id, item, get_viewer())
        decision = await self._console.run(find)
        if decision is None:
            raise web.HTTPNotFound(reason="there is no such decision here: it is too old, or of somebody else")
        return decision


def _build_list(store: DecisionStore, wanted: Filter, viewer: Viewer) -> dict[str, Any]:
    page = find_page(store, wanted, viewer)
    facets = count_facets(store, wanted, viewer)
    return {
        "filter": {**wanted.values, **({"since": wanted.since} if wanted.since else {})},
        "decisions": _add_messages(store, page.rows),
        "older": page.older,
        "counts": facets,
    }


def _list_new_decisions(store: DecisionStore, wanted: Filter, viewer: Viewer, after: int) -> list[dict[str, Any]]:
    return _add_messages(store, list_new_decisions(store, wanted, viewer, after))


def _add_messages(store: DecisionStore, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    documents = store.read_documents([row["seq"] for row in rows])
    return [{**row, "message": _find_message(documents.get(row["seq"], {}))} for row in rows]


def _find_message(document: Mapping[str, Any]) -> str:
    """The first thing to read: what denies, else what is warned of, else why nothing was decided."""
    decision, line = document.get("result"), document.get("line")
    if isinstance(line, dict):
        return str(line.get("why") or "")
    if not isinstance(decision, dict):
        return str(document.get("error") or "")
    for effect in ("deny", "warn"):
        for violation in map(to_mapping, to_list(decision.get("violations"))):
            if violation.get("effect") == effect:
                return f"{violation.get('rule')}: {violation.get('message')}"
    for text in (*to_list(decision.get("errors")), *to_list(decision.get("warnings"))):
        return str(text)
    return ""


def _list_controls(console: Console, document: Mapping[str, Any]) -> dict[str, list[dict[str, str]]]:
    """The controls that each rule of a decision's violations is about."""
    violations = to_list(to_mapping(document.get("result")).get("violations"))
    rules = dict.fromkeys(to_text(to_mapping(violation).get("rule")) for violation in violations)
    return {rule: console.opa.read_controls().list_rule_controls(rule) for rule in rules}


def _build_text(decision: Mapping[str, Any]) -> str:
    """The decision as `warden decide` prints it; "" where there is none, or the log's mask left too little of it."""
    result = decision["document"].get("result")
    try:
        return "\n".join(iter_decision_lines(result, dryrun=True)) if isinstance(result, dict) else ""
    except (AttributeError, KeyError, TypeError):
        return ""


def _is_explainable(decision: Mapping[str, Any]) -> bool:
    document = decision["document"]
    is_decided = bool(decision["operation"] and decision["cluster"]) and decision["status"] != UNDECIDED
    return is_decided and str(document.get("path", "")).startswith("kafka/") and bool(_build_text(decision))


def _build_link(document: Any) -> str:
    """The link by which the playground has a decision input; "" where it has none, or takes none so large."""
    paste = Paste(text=json.dumps(document, indent=2, ensure_ascii=False), form="input")
    try:
        paste.check()
    except InputError:
        return ""
    return paste.encode_link() if isinstance(document, dict) else ""


def _build_explanation(console: Console, decision: Mapping[str, Any]) -> dict[str, Any]:
    """What `warden explain` prints, by the rules that are in force now."""
    from warden.analyse.check.explanation import explain_decision, iter_explanation_lines

    scope = {"cluster": decision["cluster"], "operation": decision["operation"], "enforcementPoint": decision["point"]}
    result = decision["document"]["result"]
    shown = {name: decision[name] for name in ("id", "item", "revision")}
    try:
        client = console.opa.build_client()
        in_force = console.opa.read_rules_in_force(decision["cluster"], decision["point"])
        explained = explain_decision(client, decision["resource"] or decision["id"], scope, result, in_force)
        revision = client.read_revision()
    except OpaError as error:
        return {**shown, "problem": str(error), "text": _build_text(decision), "now": None}
    lines = iter_explanation_lines(explained)
    return {**shown, "problem": None, "text": "\n".join(lines), "now": revision, "rules": explained["rules"]}


def _read_number(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 20 else otherwise


DECISIONS: Final = Page("Decisions", "/decisions", lambda console: _Decisions(console).build_routes())
"""Decisions as they fall, and of the last weeks."""
