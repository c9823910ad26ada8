"""A watch of a server that misbehaves as no real one can be made to: how often it asks, and when it gives up."""

import json
import time
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.fixtures import http
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.errors import KubernetesError
from warden.state.sources.kubernetes.access import Access
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.watching import Watch, WatchTimings


def _event(type, name="x", version="5"):
    return {"type": type, "object": {"kind": "T", "metadata": {"name": name, "resourceVersion": version}}}


def _error(code):
    return {"type": "ERROR", "object": {"kind": "Status", "code": code, "message": "reported"}}


@contextmanager
def _server(answers):
    """Answer each watch with the next of the answers: events, a status, or text as it is; yield the requests."""
    queries: list[dict[str, str]] = []

    class Handler(http.Handler):
        protocol_version = "HTTP/1.0"  # an answer ends with its connection

        def respond(self):
            answer = answers[min(len(queries), len(answers) - 1)]
            queries.append({name: value for name, [value] in parse_qs(urlsplit(self.path).query).items()})
            status = answer if isinstance(answer, int) else 200
            self.send_response(status)
            self.end_headers()
            if isinstance(answer, str):
                self.wfile.write(answer.encode())
            elif isinstance(answer, list):
                self.wfile.writelines(json.dumps(event).encode() + b"\n" for event in answer)

    with http.served(Handler) as url:
        yield url, queries


def _watched(answers, until, timings=WatchTimings(pause=0.01, longest=0.02, patience=60)):
    """Watch until ``until(queries, events, failures)`` holds."""
    events: list[Any] = []
    failures: list[Any] = []
    with _server(answers) as (url, queries), ApiServer(Access(url, "test")) as api:
        watch = Watch(
            api,
            "/api/v1/things",
            {"labelSelector": "a=b"},
            "1",
            event=lambda *e: events.append(e),
            failed=failures.append,
            timings=timings,
        )
        watch.start()
        eventually(lambda: until(queries, events, failures), "what the test waits for")
        watch.stop()
        watch.join(PATIENCE)
        assert not watch.is_alive()
        return queries, events, failures


def test_the_position_moves_with_events_and_bookmarks():
    """The next watch begins after the last event or bookmark that came, with the same selectors."""
    answers = [[_event("ADDED", version="7")], [_event("BOOKMARK", version="9")], []]
    queries, events, failures = _watched(answers, lambda queries, *_: len(queries) >= 3)

    assert [question["resourceVersion"] for question in queries[:3]] == ["1", "7", "9"]
    assert {
        question["allowWatchBookmarks"] + question["watch"] + question["labelSelector"] for question in queries
    } == {"truetruea=b"}
    assert [(what, thing["metadata"]["name"]) for what, thing in events] == [("ADDED", "x")]
    assert failures == []


def test_a_server_that_ends_every_watch_is_not_called_without_pause():
    """Watches that end at once, or break, are opened with growing pauses."""
    begun = time.monotonic()
    _watched(
        [[], 503, "{broken"], lambda queries, *_: len(queries) >= 5, WatchTimings(pause=0.1, longest=0.4, patience=60)
    )

    assert time.monotonic() - begun >= (0.1 + 0.2 + 0.4 + 0.4) / 2  # what is left of four pauses by jitter


@pytest.mark.parametrize(
    ("answer", "status"), [([_error(410)], 410), (410, 410), (401, 401), (403, 403), (404, 404), ([_error(403)], 403)]
)
def test_what_no_repetition_mends_ends_the_watch(answer, status):
    """Gone, refused and not there are reported at once."""
    queries, _, failures = _watched([answer], lambda queries, events, failures: failures)

    assert [(type(error), error.status) for error in failures] == [(KubernetesError, status)]
    assert len(queries) == 1


@pytest.mark.parametrize("answer", [500, 503, 429, [_error(500)], "{broken", [_error(None)]])
def test_what_may_pass_is_tried_again(answer):
    """Faults of the server, and what is no answer at all, do not end the watch."""
    _, events, failures = _watched([answer, [_event("ADDED")]], lambda queries, events, failures: events)

    assert failures == []
    assert events[0][0] == "ADDED"


def test_patience_ends():
    """A server that only fails becomes an error after a while."""
    for patience in (0.2, 2.0, 20.0):  # on a slow machine the first attempt may take all of it
        timings = WatchTimings(pause=0.01, longest=0.02, patience=patience)
        queries, _, failures = _watched([503], lambda queries, events, failures: failures, timings)
        if len(queries) > 1:
            break

    assert [error.status for error in failures] == [503]
    assert len(queries) > 1


def test_a_defect_is_reported():
    """Whatever is raised while an event is handed on ends the watch with it, not in silence."""
    failures: list[Exception] = []

    def broken(what: str, thing: dict[str, Any]) -> None:
        raise ZeroDivisionError

    with _server([[_event("ADDED")]]) as (url, _), ApiServer(Access(url, "test")) as api:
        watch = Watch(api, "/things", {}, "1", event=broken, failed=failures.append)
        watch.start()
        watch.join(PATIENCE)

    assert [type(error) for error in failures] == [ZeroDivisionError]
