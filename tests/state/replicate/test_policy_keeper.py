"""The threads about policies, and what they write back, where something fails that a real API server seldom does."""

import io
import logging
import tarfile
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from warden.base.errors import KubernetesError, OpaUndefined
from warden.state.config_map_policies.policy_set import get_object_key, read_text
from warden.state.replicate.policies import refused_writes
from warden.state.replicate.policies.compiler import Compiler
from warden.state.replicate.policies.config_map_watch import ConfigMapWatch, NamespaceView
from warden.state.replicate.policies.keeper import PolicyKeeper
from warden.state.replicate.policies.last_good import LastGood
from warden.state.replicate.policies.refused_writes import RefusedWrites
from warden.state.replicate.policies.reports import AnnotationWriter
from warden.state.replicate.registration_guard import RegistrationGuard
from warden.state.replicate.status import SourceStatus

_PLACE = ("all", "p")
_THING = {
    "metadata": {"namespace": "all", "name": "p", "uid": "1", "resourceVersion": "1"},
    "data": {"a.rego": "package site.placement\n"},
}


class _Watch:
    """A watch that has seen some ConfigMaps."""

    def __init__(self, *things: Any) -> None:
        listed: Any = {get_object_key(thing): thing for thing in things or (_THING,)}
        self.views = {"all": NamespaceView(listed, datetime.now(UTC))}
        self.change_count = 1

    def start(self) -> None:
        """Have seen it."""

    def stop(self) -> None:
        """See nothing more."""

    def wait(self, changes: int, timeout: float) -> bool:
        """Wait for a change that does not come."""
        return self.change_count > changes or threading.Event().wait(timeout)

    def select_fleet_policies(self) -> frozenset[str]:
        """There is one."""
        return frozenset({"1"})


class _Server(SimpleNamespace):
    """What is published."""

    def publish(self, bundle: Any) -> None:
        self.bundle = bundle


class _Client:
    """An OPA that has fetched nothing yet."""

    def get_data(self, _path: Any) -> Any:
        raise OpaUndefined("made up")


def _run_until(run: Any, condition: Any) -> bool:
    """Run something in a thread until a condition holds, and return whether it ran on until then."""
    stop = threading.Event()
    thread = threading.Thread(target=run, args=(stop,))
    thread.start()
    try:
        eventually(lambda: condition() or not thread.is_alive(), "the condition, or the thread's end")
        return thread.is_alive()
    finally:
        stop.set()
        thread.join()


@pytest.mark.opa
def test_a_defect_does_not_end_the_keeper(opa_binary: Any) -> None:
    """It is said of the source, and what comes after it is published."""
    status, server = SourceStatus("policies", "configmaps", 30.0), _Server(bundle=None)
    problems: list[str | None] = []

    def build_compiler() -> Compiler:
        problems.append(status.source_error)
        if len(problems) < 3:
            raise OSError(28, "No space left on device")
        return Compiler(opa_binary, {"all": "fleet"})

    source: Any = SimpleNamespace(scopes={"all": "fleet"}, namespace="all")
    watch: Any = _Watch()
    client: Any = _Client()
    keeper = PolicyKeeper(source, watch, server, client, build_compiler, status, 0.1)  # type: ignore[arg-type]

    assert _run_until(keeper.run, lambda: server.bundle)
    assert "a defect: see the log" in problems
    assert status.counts["errors", "defect"]


@pytest.mark.opa
def test_a_config_map_that_is_too_much_takes_no_other_along(opa_binary: Any) -> None:
    """A few bytes of aliases that are gigabytes, and errors without end: each is said of it, and shortly."""
    anchors = [f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 10)}]" for at in range(1, 6)]
    metadata = {"namespace": "all", "resourceVersion": "1"}
    aliases = {f"{key}.yaml": "\n".join(["a0: &a0 [1]", *anchors]) for key in range(400)}
    errors = "\n".join(["package site.placement", *(f"x{at}[y] {{ y := 1 }}" for at in range(1200))])
    things = [
        {"metadata": {**metadata, "name": "aliases", "uid": "2"}, "data": aliases},
        {"metadata": {**metadata, "name": "errors", "uid": "3"}, "data": {"a.rego": errors}},
    ]
    status, server = SourceStatus("policies", "configmaps", 30.0), _Server(bundle=None)
    source: Any = SimpleNamespace(scopes={"all": "fleet"}, namespace="all")
    watch: Any = _Watch(_THING, *things)
    client: Any = _Client()
    compiler = partial(Compiler, opa_binary, {"all": "fleet"})
    keeper = PolicyKeeper(source, watch, server, client, compiler, status, 0.1)  # type: ignore[arg-type]

    assert _run_until(keeper.run, lambda: server.bundle and status.held)
    with tarfile.open(fileobj=io.BytesIO(server.bundle.content)) as archive:
        assert ["/configmaps/all/p/a.rego"] == [name for name in archive.getnames() if name.endswith(".rego")]
    assert len(status.held or "") < 32 * 1024
    assert len(server.bundle.content) < 10_000
    for name in ("all/aliases: ", "all/errors: "):
        assert name in (status.held or "")


class _Live:
    """An informer that sees two ConfigMaps come, one after the other."""

    collections = (None,)

    def __init__(self, look: Callable[[], None]) -> None:
        self._look, self._left = look, ["b", "c"]

    def iter_objects(self, _collection: object) -> list[Any]:
        return [(_PLACE, _THING)]

    def watch(self) -> None:
        """Begin to watch."""

    def take_changes(self, _timeout: float) -> tuple[datetime, dict[Any, Any]]:
        self._look()
        name = self._left.pop(0) if self._left else ""
        added = {("configmaps", "all", name): {**_THING, "metadata": {**_THING["metadata"], "name": name}}}
        return datetime.now(UTC), added if name else {}


def test_each_change_after_a_list_is_one() -> None:
    """Also the first; and what was seen before it is left as it was to whoever goes through it."""
    source: Any = SimpleNamespace(scopes={"all": "fleet"})
    watch = ConfigMapWatch(source, logging.getLogger(__name__))
    seen: list[tuple[int, Any]] = []

    def look() -> None:
        seen.append((watch.change_count, watch.views["all"].config_maps))
        if len(seen) == 3:
            watch.stop()

    live: Any = _Live(look)
    watch._follow("all", live, lambda: None)

    assert [(1, 1), (2, 2), (3, 3)] == [(count, len(config_maps)) for count, config_maps in seen]


def test_a_defect_does_not_end_the_guard() -> None:
    """The guard of the registration, where there is no room for its files."""
    status = SourceStatus("registration", "registration", 30.0)

    def read_access() -> Any:
        raise OSError(28, "No space left on device")

    source: Any = SimpleNamespace(read_access=read_access, namespace="all")
    watch: Any = _Watch()
    guard = RegistrationGuard(source, watch, "warden", status)

    assert _run_until(guard.run, lambda: status.counts["errors", "defect"] == 2)
    assert "a defect: see the log" == status.source_error


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time by which refusals end; a test sets it."""
    time = [0.0]
    monkeypatch.setattr(refused_writes, "time", SimpleNamespace(monotonic=lambda: time[0]))
    return time


@pytest.mark.parametrize(
    ("status", "seconds"),
    [(400, None), (413, None), (422, None), (403, 60.0), (429, 5.0), (500, 5.0), (503, 5.0), (None, 5.0)],
)
def test_how_long_a_text_stays_refused(now: list[float], status: int | None, seconds: float | None) -> None:
    """What is wrong with the text for good, a missing right for a minute, and trouble of the API server for moments."""
    refused = RefusedWrites()
    refused.record(_PLACE, "text", KubernetesError("made up", status=status))
    seen = [refused.has(_PLACE, "text"), refused.has(_PLACE, "another"), refused.has(("all", "q"), "text")]
    now[0] = 1e9 if seconds is None else seconds

    assert [True, False, False] == seen
    assert (seconds is None) == refused.has(_PLACE, "text")


def test_what_the_api_server_did_not_take_is_sent_again(now: list[float]) -> None:
    """The text that is kept, and the status: not at once, and not never."""
    sent: list[str] = []

    def send(method: str, *_: Any) -> None:
        sent.append(method)
        raise KubernetesError("made up", status=503)

    api: Any = SimpleNamespace(send=send)
    status = SourceStatus("policies", "configmaps", 30.0)
    last_good, reports = LastGood(status), AnnotationWriter(status)
    for now[0] in (0.0, 1.0, 6.0):
        last_good.write(api, [_THING], {_PLACE: read_text(_THING)})
        reports.write(api, [_THING], {_PLACE: {"status": "ok"}})

    assert ["POST", "PATCH"] * 2 == sent


def test_a_login_that_is_refused_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kubeconfig's token that is replaced is taken up without a restart, and then all is written."""
    tokens, sent, server = iter(["old", "new"]), list[tuple[str, str]](), _Server(bundle=None)

    def open_api(token: str, **_: int) -> Any:
        def send(method: str, *_: Any) -> None:
            sent.append((token, method))
            if token == "old":
                raise KubernetesError("made up", status=401)

        return SimpleNamespace(send=send, close=lambda: None)

    monkeypatch.setattr("warden.state.replicate.policies.keeper.ApiServer", open_api)
    scopes = {"all": "fleet"}
    source: Any = SimpleNamespace(scopes=scopes, namespace="all", read_access=lambda: next(tokens))
    client: Any = SimpleNamespace(get_data=lambda _: {"revision": server.bundle.revision, "policies": {}})
    compiler: Any = SimpleNamespace(check_modules=lambda _: {}, forget_broken_off=lambda: False)
    status, watch = SourceStatus("policies", "configmaps", 30.0), _Watch()
    keeper = PolicyKeeper(source, watch, server, client, lambda: compiler, status, 0.1)  # type: ignore[arg-type]

    assert _run_until(keeper.run, lambda: ("new", "PATCH") in sent)
    assert [("old", "POST"), ("new", "POST"), ("new", "PATCH")] == sent[:3]
