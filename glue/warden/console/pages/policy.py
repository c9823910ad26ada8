"""The pages of the policy: the playground, and the rules in force."""

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from typing import Any, Final, TypeVar
from urllib.parse import parse_qsl

from aiohttp import web

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import BundleError, ConfigurationError, InputError, OpaError, OpaTimeout, WardenError
from warden.base.files.json_files import parse_json
from warden.base.http.app import read_body
from warden.base.telemetry.traces import bind_context
from warden.console.gate import Viewer, get_viewer
from warden.console.pages.context import Console, Page
from warden.console.pages.render import respond
from warden.console.policy.pastes import FORMS, Paste
from warden.console.policy.playground import Playground
from warden.console.policy.policy_trials import Busy, PolicyTrials, ServedPolicy
from warden.console.policy.rules_in_force import MODES, POINTS, RuleFilter, build_example_paste, list_rules
from warden.console.policy.sample import SampledSnapshot
from warden.console.policy.view_scope import ViewScope

__all__ = ["PLAYGROUND", "RULES"]

_EXAMPLES: Final = {
    "KFK-RET-001.bad.0": "retention",
    "KFK-DUR-001.bad.0": "replicas",
    "KFK-NAM-001.bad.0": "a name",
    "KFK-ACL-001.bad.0": "an ACL",
    "KFK-QTA-001.bad.0": "a quota",
}
_FIELDS: Final = 20
_SLOW: Final = "deciding this takes longer than the playground waits: paste less of it"
_RETRY_AFTER: Final = "5"
_THREADS: Final = 2  # one decides, and one reads meanwhile; the other pages have threads of their own
_QUEUE: Final = 16  # answers that are waited for


_Result = TypeVar("_Result")


class _Handlers:
    """What both pages answer with."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._policies = PolicyTrials(console.config.policy)
        self._snapshot = None if console.config.snapshot is None else SampledSnapshot(console.config.snapshot)
        self._playground = Playground(self._policies, self._snapshot)
        self._pool, self._waiting = ThreadPoolExecutor(_THREADS, thread_name_prefix="playground"), 0

    def close(self) -> None:
        """End its OPAs."""
        self._pool.shutdown(cancel_futures=True)
        self._policies.close()

    async def _run(self, call: Callable[[], _Result]) -> _Result:
        """Call something in a thread of these pages.

        Raises:
            Busy: Too many wait already.
        """
        if self._waiting >= _QUEUE:
            raise Busy("others are being answered: try again in a moment")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, bind_context(call))
        finally:
            self._waiting -= 1

    async def show_playground(self, request: web.Request) -> web.Response:
        example, query = request.query.get("example"), _read_query(request)
        if example is None:
            return await self._respond(request, Paste.from_fields(query), None, None, 200)
        try:
            paste = await self._run(partial(self._find_example, example, **query))
        except (InputError, Busy) as error:
            status = 503 if isinstance(error, Busy) else 404
            return await self._respond(request, Paste.from_fields(query), None, str(error), status)
        return await self._answer(request, paste)

    async def decide(self, request: web.Request) -> web.Response:
        try:
            paste = _read_fields(request.content_type, await read_body(request))
        except InputError as error:
            return await self._respond(request, Paste(), None, str(error), 400)
        return await self._answer(request, paste)

    async def show_rules(self, request: web.Request) -> web.Response:
        viewer = get_viewer()
        clusters = await self._console.run(partial(self._list_clusters, viewer))
        query = _read_query(request, "words", "mode", "control")
        cluster = query["cluster"] or next(iter(clusters), "unnamed")
        wanted = RuleFilter(**{**query, "cluster": cluster, "point": query["point"] or "ci"})
        _build_scope(viewer).check_cluster(cluster)
        if wanted.mode not in ("", *MODES):
            raise InputError(describe_unknown("mode", wanted.mode[:80], MODES))
        try:
            document = await self._run(partial(self._list_rules, wanted))
        except Busy as error:
            raise web.HTTPServiceUnavailable(reason=str(error), headers={"Retry-After": _RETRY_AFTER}) from None
        return respond(
            request, "rules.html.j2", document, clusters=clusters, points=POINTS, modes=MODES, dump=_format_value
        )

    async def _answer(self, request: web.Request, paste: Paste) -> web.Response:
        scope = _build_scope(get_viewer())
        try:
            result = await self._run(partial(self._playground.decide, paste, scope))
        except OpaTimeout:
            return await self._respond(request, paste, None, _SLOW, 400)
        except OpaError:
            raise
        except (InputError, ConfigurationError, BundleError) as error:
            return await self._respond(request, paste, None, str(error), 400)
        except Busy as error:
            return await self._respond(request, paste, None, str(error), 503)
        return await self._respond(request, paste, result, None, 200)

    async def _respond(
        self, request: web.Request, paste: Paste, result: Mapping[str, Any] | None, error: str | None, status: int
    ) -> web.Response:
        shown = {name: _replace_halves(value) for name, value in asdict(paste).items()}
        link = paste.encode_link() if paste.text else ""
        document = {"paste": shown, "link": link, "error": error and _replace_halves(error), "result": result}
        clusters = await self._console.run(partial(self._list_clusters, get_viewer()))
        choices = {"forms": FORMS, "clusters": clusters, "points": POINTS, "has_snapshot": self._snapshot is not None}
        answer = respond(request, "playground.html.j2", document, status=status, examples=_EXAMPLES, **choices)
        if status == 503:
            answer.headers["Retry-After"] = _RETRY_AFTER
        return answer

    def _find_example(self, example_id: str, *, cluster: str, point: str) -> Paste:
        with self._policies.take_turn():
            return build_example_paste(self._policies.read_in_force(), example_id, cluster, point)

    def _list_rules(self, wanted: RuleFilter) -> dict[str, Any]:
        with self._policies.take_turn():
            policy = self._policies.read_in_force()
            rules = list_rules(policy, wanted)
        return {
            "cluster": wanted.cluster,
            "enforcementPoint": wanted.point,
            "words": wanted.words,
            "mode": wanted.mode,
            "control": wanted.control,
            "frameworks": policy.controls.to_document(),
            "revision": policy.revision,
            "total": len(policy.metadata),
            "note": self._describe_revision(policy),
            "rules": rules,
        }

    def _describe_revision(self, policy: ServedPolicy) -> str:
        """Whether the OPA that is configured decides by these files; empty where it is the console's own."""
        if self._console.opa.is_own:
            return ""
        try:
            revision = self._console.opa.build_client().read_revision()
        except WardenError:
            return "The OPA that is configured does not say which revision it decides by."
        if revision.rpartition("-")[2] == policy.revision:
            return f"The OPA that is configured decides by revision {revision}, which is made of these files."
        return (
            f"The OPA that is configured decides by revision {revision}, these files make {policy.revision}: "
            "give the console the files that its bundle is made of (policy:)."
        )

    def _list_clusters(self, viewer: Viewer) -> list[str]:
        names = set(self._snapshot.list_clusters()) if self._snapshot else set()
        if viewer.clusters is not None:
            names |= viewer.clusters
        scope = _build_scope(viewer)
        return sorted(filter(scope.sees_cluster, names))


def _build_scope(viewer: Viewer) -> ViewScope:
    """What of the estate a viewer may see."""
    clusters = viewer.clusters
    return ViewScope(lambda cluster: clusters is None or cluster in clusters, viewer.may_see, viewer.owners is None)


def _read_query(request: web.Request, *more: str) -> dict[str, str]:
    return {name: request.query.get(name, "")[:200] for name in ("cluster", "point", *more)}


def _read_fields(content_type: str, body: bytes) -> Paste:
    """The paste of a form, of a link that a form holds, or of a JSON object."""
    if content_type == "application/json":
        fields = parse_json(body, "the request", "an object with text, cluster, settings …")
        if not isinstance(fields, dict):
            raise InputError("the request is not a JSON object: write one with text, cluster, settings …")
    elif content_type == "application/x-www-form-urlencoded":
        try:
            pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=_FIELDS)
        except ValueError:
            raise InputError("the form cannot be read: send its fields in UTF-8, percent-encoded") from None
        fields = {name: value.replace("\r\n", "\n") for name, value in pairs}  # as forms send line ends
    else:
        raise web.HTTPUnsupportedMediaType(reason="send a form, or Content-Type: application/json")
    link = fields.pop("link", "")
    if not isinstance(link, str):
        raise InputError("link: not a string")
    return Paste.from_link(link) if link else Paste.from_fields(fields)


def _replace_halves(value: Any) -> Any:
    """A text in which half a surrogate pair is replaced: it has no place in a page."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _format_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _build_routes(console: Console) -> list[web.RouteDef]:
    """The paths of both pages, which have the same OPAs."""
    handlers = _Handlers(console)
    console.opa.close_with(handlers.close)
    return [
        web.get(RULES.path, handlers.show_rules),
        web.get(PLAYGROUND.path, handlers.show_playground),
        web.post(PLAYGROUND.path, handlers.decide),
    ]


RULES: Final = Page("Rules", "/rules", lambda _console: [])
"""The rules in force; `PLAYGROUND` has its path."""

PLAYGROUND: Final = Page("Playground", "/playground", _build_routes)
"""The playground."""
