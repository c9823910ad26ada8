"""The thread that keeps the policies of ConfigMaps in OPA."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from warden.base.errors import OpaError, OpaUndefined, WardenError
from warden.base.process.backoff import Backoff
from warden.policy.opa.client import OpaClient
from warden.state.config_map_policies.entry import FLEET, PolicySource
from warden.state.config_map_policies.policy_set import ObjectKey, get_object_key
from warden.state.replicate.policies.active_policies import ActivePolicies, build_policy_status, join_problems
from warden.state.replicate.policies.bundle import list_closed_namespaces, pack_policies
from warden.state.replicate.policies.compiler import Compiler
from warden.state.replicate.policies.config_map_watch import ConfigMapWatch, NamespaceView
from warden.state.replicate.policies.last_good import LastGood
from warden.state.replicate.policies.reports import AnnotationWriter
from warden.state.replicate.policies.server import PolicyServer
from warden.state.replicate.registration_guard import RegistrationGuard
from warden.state.replicate.status import SourceStatus
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["PolicyKeeper"]

_LOG: Final = logging.getLogger(__name__)
_QUIET: Final = 0.1  # seconds without a change after which a set of changes is whole
_MAX_BURST_SECONDS: Final = 2.0  # seconds that a set of changes may take
_FIRST: Final = 5.0  # seconds that namespaces may take to be known at the start, before others go on without them
_PATIENCE: Final = 10.0  # seconds that OPA may take to have fetched a bundle
_LOADED: Final = ("site", "loaded")


class PolicyKeeper:
    """Follows the ConfigMaps, decides which text of each is in force, and serves that to OPA as one bundle.

    Args:
        source: The namespaces, and the API server.
        watch: Their ConfigMaps; started and stopped here.
        server: Where OPA fetches the bundle.
        client: A client of that OPA, with the policies token.
        compiler: Checks Rego.
        status: What the probes tell.
        interval: Seconds between two checks whether OPA has the bundle.

    Attributes:
        guard: Knows whether objects are refused without the webhook; None where nobody keeps its registration closed.
    """

    def __init__(
        self,
        source: PolicySource,
        watch: ConfigMapWatch,
        server: PolicyServer,
        client: OpaClient,
        compiler: Callable[[], Compiler],
        status: SourceStatus,
        interval: float,
    ) -> None:
        self._source, self._server, self._client, self._status = source, server, client, status
        self._interval = interval
        self.guard: RegistrationGuard | None = None
        self._new_compiler = compiler
        self._compiler: Compiler | None = None
        self._watch = watch
        self._active = ActivePolicies(source.scopes, self._check_modules)
        self._published: tuple[Any, str] | None = None  # what is served, and its revision
        self._api: ApiServer | None = None
        self._loaded = ""  # revision that OPA has
        self._reports, self._last_good = AnnotationWriter(status), LastGood(status)
        self._begun = time.monotonic()

    def run(self, stop: threading.Event) -> None:
        """Keep them until ``stop`` is set."""
        backoff, seen = Backoff(0.5, 10.0), -1
        self._begun = time.monotonic()
        self._watch.start()
        try:
            while not stop.is_set():
                try:
                    seen = self._settle(seen, stop)
                    self._keep(seen, stop)
                    backoff.reset()
                except WardenError as error:
                    self._close_api()  # a kubeconfig is read again: its token may be another one
                    self._status.source_error = str(error)
                    self._status.count_event("errors", "source")
                    _LOG.error("policies cannot be kept", extra={"error": str(error)})
                    stop.wait(backoff.compute_delay())
                except Exception:
                    self._status.source_error = "a defect: see the log"
                    _LOG.exception("a defect")
                    self._status.count_event("errors", "defect")
                    stop.wait(backoff.compute_delay())
        finally:
            self._watch.stop()
            self._close_api()

    def _close_api(self) -> None:
        if self._api is not None:
            self._api.close()
        self._api = None

    def _settle(self, seen: int, stop: threading.Event) -> int:
        """Wait for a change, or for the next poll, and until a set of changes is whole; return how many there were."""
        until = time.monotonic() + self._interval
        while not self._watch.wait(seen, 0.1) and not stop.is_set() and time.monotonic() < until:
            pass
        until = time.monotonic() + _MAX_BURST_SECONDS
        while (now := self._watch.change_count) > seen and time.monotonic() < until and not stop.is_set():
            seen, quiet = now, time.monotonic() + _QUIET
            with suppress(WardenError):  # it is compiled again, and then it says what is wrong
                self._active.prepare(_list_objects(self._watch.views))
            self._watch.wait(now, max(0.0, quiet - time.monotonic()))
        return seen

    def _keep(self, seen: int, stop: threading.Event) -> None:
        views = dict(self._watch.views)
        self._report_namespaces()
        waiting = [name for name, view in views.items() if view.config_maps is None]
        if any(views[name].error is None for name in waiting) and time.monotonic() - self._begun < _FIRST:
            return
        config_maps = _list_objects(views)
        if self._compiler is not None and self._compiler.forget_broken_off():
            self._active.request_resolution()
        self._active.update(config_maps)
        if self._active.newest[self._source.namespace] is None:
            return  # OPA goes on with what it has
        revision = self._publish()
        self._report_problems()
        if self._confirm(revision, seen, stop):
            self._write_back(config_maps, seen)

    def _publish(self) -> str:
        """Serve what is in force, where that is something else than before, and return its revision."""
        scopes, texts = self._source.scopes, self._active.texts
        closed = list_closed_namespaces(scopes, self._active.newest, texts)
        content = {place: text.digest for place, text in texts.items()}, closed
        if self._published is None or self._published[0] != content:
            bundle = pack_policies(texts, scopes, closed)
            self._server.publish(bundle)
            self._published = content, bundle.revision
            self._status.count_event("writes", "policies")
            _LOG.info("policies published", extra={"revision": bundle.revision, "closed": closed})
        return self._published[1]

    def _confirm(self, revision: str, seen: int, stop: threading.Event) -> bool:
        """Return whether OPA has the bundle, once it does or something else has changed."""
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                loaded = self._client.get_data(_LOADED)
            except OpaUndefined:
                loaded = None
            except OpaError as error:
                self._status.opa_error = str(error)
                self._status.count_event("errors", "opa")
                return False
            if isinstance(loaded, Mapping) and loaded.get("revision") == revision:
                break
            late = time.monotonic() > until
            if late or stop.is_set() or self._watch.change_count > seen:
                self._status.opa_error = f"OPA has not taken the policies {revision}: see its log" if late else None
                return False
            stop.wait(0.05)
        if self._loaded != revision:
            self._loaded = revision
            _LOG.info("policies loaded", extra={"policies": len(loaded["policies"]), "revision": revision})
        self._status.opa_error, self._status.loaded = None, True
        self._status.entries = {"policies": len(loaded["policies"])}
        return True

    def _write_back(self, config_maps: Mapping[str, list[Mapping[str, Any]] | None], seen: int) -> None:
        """Keep what is in force, and tell each ConfigMap what became of it: this after that."""
        texts, problems = self._active.texts, self._active.problems
        newest = {place: text for group in self._active.newest.values() for place, text in (group or {}).items()}
        fleet = {place: text.uid for place, text in newest.items() if self._source.scopes[place[0]] == FLEET}
        open_ = self.guard is not None and not self.guard.is_closed(frozenset(fleet.values()))
        # None is in force as long as objects would pass with the webhook down.
        early = fleet.keys() - problems.keys() if open_ else set()
        states = {place: build_policy_status(place, texts, problems) for place in newest if place not in early}

        def is_over() -> bool:
            return self._watch.change_count > seen

        self._api = self._api or ApiServer(self._source.read_access(), connections=2)
        for name, listed in config_maps.items():
            if listed is not None:
                own = {place: text for place, text in texts.items() if place[0] == name}
                if not self._last_good.write(self._api, listed, own, is_over):
                    return
                there = {get_object_key(config_map): config_map for config_map in listed}
                ours: list[Any] = [there[place] for place in states if place in there]
                self._reports.write(self._api, ours, states, is_over)

    def _check_modules(self, modules: Mapping[str, str]) -> Mapping[ObjectKey, tuple[str, ...]]:
        self._compiler = self._compiler or self._new_compiler()
        return self._compiler.check_modules(modules)

    def _report_namespaces(self) -> None:
        """Tell the probes of the namespaces about the whole fleet, and of each that cannot be read."""
        views = self._watch.views
        errors = [f"namespace {name}: {view.error}" for name, view in views.items() if view.error]
        self._status.source_error = "; ".join(errors) or None
        self._status.observed = views[self._source.namespace].observed

    def _report_problems(self) -> None:
        problems = self._active.problems
        sentences = [f"{'/'.join(place)}: {join_problems(problems[place])}" for place in sorted(problems)]
        about = {place for place in problems if self._source.scopes[place[0]] == FLEET}
        self._status.held = "; ".join(sentences) if about else None
        if sentences:
            self._status.count_event("held")
            _LOG.warning("policies refused, their last good ones stay", extra={"problems": sentences})


def _list_objects(views: Mapping[str, NamespaceView]) -> dict[str, list[Mapping[str, Any]] | None]:
    return {name: None if view.config_maps is None else list(view.config_maps.values()) for name, view in views.items()}
