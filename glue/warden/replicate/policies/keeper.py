"""The thread that keeps the policies of ConfigMaps in OPA."""

import logging
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from warden.errors import OpaError, OpaRefused, WardenError
from warden.process.backoff import Backoff
from warden.replicate.policies.compiler import Compiler
from warden.replicate.policies.policy_set import Place, PolicySet, read_set
from warden.replicate.policies.reports import Reports
from warden.replicate.policies.site import Site
from warden.replicate.status import Status
from warden.sources.kubernetes.api import ApiServer
from warden.sources.kubernetes.live import Live

__all__ = ["PolicyKeeper"]

_LOG: Final = logging.getLogger(__name__)
_TOGETHER: Final = 0.05  # seconds in which changes are of one moment


class PolicyKeeper:
    """Follows the ConfigMaps, checks them together, and brings OPA to the last set that was good.

    Args:
        live: Lists and watches them.
        site: What OPA has of them.
        compiler: Checks Rego.
        status: What the probes tell.
        interval: Seconds between two looks whether OPA still has them.
    """

    def __init__(
        self, live: Callable[[], Live], site: Site, compiler: Callable[[], Compiler], status: Status, interval: float
    ) -> None:
        self._live, self._site, self._status, self._interval = live, site, status, interval
        self._new_compiler = compiler
        self._compiler: Compiler | None = None
        self._things: dict[tuple[str, ...], dict[str, Any]] = {}
        self._seen = PolicySet()
        self._good: PolicySet | None = None  # the last that passed every check
        self._loaded: PolicySet | None = None  # the last that OPA took
        self._problems: Mapping[Place, tuple[str, ...]] = {}
        self._known = False
        self._reports = Reports(status)

    def run(self, stop: threading.Event) -> None:
        """Keep them until ``stop`` is set."""
        backoff = Backoff(0.5, 10.0)
        while not stop.is_set():
            try:
                with self._live() as live:
                    self._follow(live, stop, backoff)
            except WardenError as error:
                self._status.source_error = str(error)
                self._status.count("errors", "source")
                _LOG.error("ConfigMaps cannot be followed", extra={"error": str(error)})
                stop.wait(backoff.pause())
                self._mind_opa(None)
            except Exception:
                _LOG.exception("a defect")
                self._status.count("errors", "defect")
                stop.wait(backoff.pause())

    def _follow(self, live: Live, stop: threading.Event, backoff: Backoff) -> None:
        begun = datetime.now(UTC)
        self._things = {
            (collection.key, *key): thing for collection in live.collections for key, thing in live.objects(collection)
        }
        live.watch()
        self._known, self._status.source_error = True, None
        backoff.reset()
        alive = begun
        while not stop.is_set():
            self._mind_opa(live.api)
            self._status.observed = max(begun, alive)
            alive, came = live.take(self._interval)
            while came:
                for key, thing in came.items():
                    if thing is None:
                        self._things.pop(key, None)
                    else:
                        self._things[key] = thing
                alive, came = live.take(_TOGETHER)

    def _mind_opa(self, api: ApiServer | None) -> None:
        """Check what is new, and bring OPA to what is good."""
        if not self._known:
            return
        try:
            self._check()
            if self._good is None:
                self._site.close_down()
            elif steps := self._site.bring(self._good):
                self._status.count("writes", "policies", steps)
                _LOG.info("policies loaded", extra={"policies": len(self._good.modules), "steps": steps})
            self._loaded = self._good
            self._status.opa_error = None
        except OpaRefused as error:
            self._refused(error)
        except OpaError as error:
            self._status.opa_error = str(error)
            self._status.count("errors", "opa")
            return
        self._status.loaded = self._loaded is not None
        self._status.entries = {"policies": len(self._loaded.modules) if self._loaded else 0}
        self._status.held = (
            "; ".join(_sentence(place, self._problems[place]) for place in sorted(self._problems)) or None
        )
        if api is not None:
            self._reports.write(api, self._config_maps(), {place: self._state(place) for place in self._seen.places})

    def _config_maps(self) -> list[dict[str, Any]]:
        """Return each ConfigMap once, also one in the namespace that has the label too."""
        return list({tuple(key[1:]): thing for key, thing in self._things.items()}.values())

    def _check(self) -> None:
        wanted = read_set(self._config_maps())
        if wanted == self._seen and (self._problems or self._good is not None):
            return
        self._compiler = self._compiler or self._new_compiler()
        found = {place: list(sentences) for place, sentences in wanted.problems.items()}
        for place, sentences in self._compiler.problems(wanted.modules).items():
            found.setdefault(place, []).extend(sentences)
        self._seen, self._problems = wanted, {place: tuple(sentences) for place, sentences in found.items()}
        if not self._problems:
            self._good = wanted
        else:
            self._status.count("held")
            _LOG.error("policies refused, the last good ones stay", extra={"problems": [*self._problems.values()]})

    def _refused(self, error: OpaRefused) -> None:
        """OPA itself does not take what was checked: go back to what it had."""
        self._status.count("errors", "opa")
        _LOG.error("OPA refuses the policies", extra={"error": str(error)})
        of_policies = error.code == "invalid_parameter"  # else it is the token that is refused
        if of_policies and self._good is not None and self._good is not self._loaded:
            self._problems = dict.fromkeys(self._good.places, (f"OPA refuses the policies: {error}",))
            self._good = self._loaded
        else:
            self._status.opa_error = str(error)

    def _state(self, place: Place) -> dict[str, str]:
        if place in self._problems:
            return {"status": "error", "error": "; ".join(self._problems[place])}
        if self._loaded is not None and self._loaded.part(place) == self._seen.part(place):
            return {"status": "ok"}
        others = ", ".join("/".join(other) for other in sorted(self._problems))
        return {"status": "error", "error": f"not loaded, since all are loaded together: mend {others}"}


def _sentence(place: Place, sentences: tuple[str, ...]) -> str:
    return f"{'/'.join(place)}: {'; '.join(sentences)}"
