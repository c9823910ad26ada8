"""Whatever a log, an upload or an address has in it: it is stored, shown or refused, and no page fails."""

import copy
import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, Never
from urllib.parse import quote

import pytest
import requests

from tests.console.logged import build_event, build_violation
from tests.console.running import RunningConsole, write_config
from tests.fixtures.patience import PATIENCE
from warden.base.errors import InputError
from warden.base.http.ports import find_free_port
from warden.console.intake.texts import read_upload

_TOKEN = "upload-token"
_ODD: list[Any] = [None, True, -1, 1.5, 10**400, "", "\ud800\0", [], ["deny"], {}, {"a": {"b": 1}}]
_LEFT_ALONE = ("decision_id", "timestamp", "path")
_QUERIES = [
    "", "%", "%00", "%ff", "%ed%a0%80", "*", "*" * 300, "*a" * 200, "[", "'", "-1", "1e9", "NaN", "%D9%A3d", "²h", "é",
    "0001-01-01T00:00:00%2B14:00", "9999-12-31T23:59:59.999999-14:00", "9" * 18 + "-" + "9" * 18, "0-0", "9" * 19,
    "9" * 5000, "9" * 18 + "d", "x" * 7000,
]  # fmt: skip


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    """A console that may be uploaded to, with one ordinary decision."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UPLOADS", _TOKEN)
        directory, receive = tmp_path_factory.mktemp("console"), {"token": {"env": "UPLOADS"}}
        storage = {"path": "console.db", "maxDays": 100_000}
        opa = {"url": f"http://127.0.0.1:{find_free_port()}"}  # which does not answer
        config = write_config(directory, storage=storage, decisions={"receive": receive}, opa=opa)
        with RunningConsole(config) as running:
            assert _upload(running, [build_event("ordinary", build_violation())]).json() == {"new": 1}
            yield running


def _upload(console: RunningConsole, body: Any) -> requests.Response:
    headers = {"Authorization": f"Bearer {_TOKEN}"}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return requests.post(f"{console.url}/logs", data=content, headers=headers, timeout=PATIENCE)


def _build_events() -> list[dict[str, Any]]:
    """Of each kind one: a decision, a batch, an admission, and a gateway's line."""
    waiver = {"id": "W-1", "owner": "x", "expires": "2026-12-01", "expired": False, "reason": "r", "ticket": "T-1"}
    ops = [{"name": "retention.ms", "op": "SET", "value": "1"}]
    decision = build_event(
        "decision",
        build_violation(waiver=waiver),
        clusterState={"topics": {"a": {"configs": {"retention.ms": "2"}, "labels": {"owner": "x"}}}, "meta": {}},
        request={"topic": "a", "configs": {"mode": "incremental", "ops": ops}, "labels": {"owner": "x"}},
        clientId="portal",
    )
    decision |= {"masked": ["/input/a"], "erased": ["/input/b"], "trace_id": "t", "error": {"message": "m"}}
    batch = {**build_event("batch"), "path": "kafka/decisions"}
    batch |= {"input": {"common": {"cluster": "c"}, "items": {"1": batch["input"]}}, "result": {"1": batch["result"]}}
    placed = {**build_event("placed"), "path": "io/k8s/federation/admission"}
    placed["input"] = {"kind": "Deployment", "metadata": {"namespace": "shop", "name": "web"}}
    placed["result"] = {"annotations": {}, "errors": ["KFK-PLC-001: no"], "warnings": ["KFK-PLC-002: w"]}
    line = {
        "time": decision["timestamp"], "message": "decided", "cluster": "c", "api": "CreateTopics", "clientId": "p",
        "client": "10.0.0.7:4711", "correlationId": 3, "principal": "User:a", "decisionIds": [], "decisionKeys": ["0/"],
        "forwarded": "none", "items": [{"type": "topic", "name": "a", "allowed": False, "message": "no"}],
    }  # fmt: skip
    return [decision, batch, placed, line]


def _iter_places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a document has anything."""
    if place:
        yield place
    named = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, child in named:
        yield from _iter_places(child, (*place, name))


def _replace_each(event: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An event with each of its values replaced by each odd one; each has its own id where it is a decision's."""
    for place in _iter_places(event):
        for number, odd in enumerate(_ODD):
            if place[0] in _LEFT_ALONE:
                continue
            changed = copy.deepcopy(event)
            if "decision_id" in changed:
                changed["decision_id"] += f"-{number}-" + "-".join(map(str, place)).replace("/", "")
            node = changed
            for name in place[:-1]:
                node = node[name]
            node[place[-1]] = copy.deepcopy(odd)
            yield changed


def test_odd_events_are_taken_in_and_shown(console: RunningConsole) -> None:
    """Each value replaced by each type of JSON: no event keeps another out, or a page from being shown."""
    events = list(chain.from_iterable(map(_replace_each, _build_events())))
    assert _upload(console, events).json()["new"] > 1000
    assert _upload(console, [*events, build_event("after")]).json() == {"new": 1}
    with requests.Session() as session:
        older: str | None = ""
        while older is not None:
            page = session.get(f"{console.url}/decisions?format=json&before={older}", timeout=PATIENCE)
            assert page.status_code == 200
            shown = json.loads(page.text, parse_constant=pytest.fail)
            assert session.get(f"{console.url}/decisions?before={older}", timeout=PATIENCE).status_code == 200
            older = shown["older"]
            for row in shown["decisions"]:
                url = f"{console.url}/decisions/{quote(row['id'], '')}"
                for form in ("json", "html"):
                    one = session.get(url, params={"item": row["item"], "format": form}, timeout=PATIENCE)
                    assert one.status_code == 200, (form, row)
    assert console.get("/estate").status_code == 200


def test_an_id_with_a_slash_has_a_page(console: RunningConsole) -> None:
    """A line's id has the cluster's name, such as that of EKS: the link of the list leads to it."""
    line = {"time": build_event("now")["timestamp"], "message": "undecided", "cluster": "arn:aws:eks:eu/prod"}
    assert _upload(console, [line]).json() == {"new": 1}
    (link,) = re.findall(r'href="(/decisions/gateway[^"]+prod[^"]*)"', console.get("/decisions?rule=&resource=").text)

    assert console.get(link).status_code == 200


def test_news_that_take_too_long(console: RunningConsole, monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows them ends as an answer does, and the browser comes again; no second answer is in it."""

    def take_too_long(*_arguments: object) -> Never:
        raise InputError("too long")

    monkeypatch.setattr("warden.console.pages.decisions.list_new_decisions", take_too_long)
    with requests.get(f"{console.url}/decisions/stream?after=0", timeout=PATIENCE, stream=True) as answer:
        assert answer.content == b"retry: 2000\n\n"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        *(("/decisions", each) for each in ("status", "rule", "cluster", "resource", "since", "before", "format")),
        *(("/decisions/ordinary", each) for each in ("item", "format")),
        *(("/decisions/stream", each) for each in ("since", "after")),  # of which 100 may be open
        *(("/estate", "format"), ("/static/console.css", "a"), ("/nowhere", "a")),
    ],
)
def test_no_query_fails(path: str, name: str, console: RunningConsole) -> None:
    """It is answered, or refused with what to write."""
    for value in _QUERIES:
        with requests.get(f"{console.url}{path}?{name}={value}", timeout=PATIENCE, stream=True) as answer:
            assert answer.status_code in (200, 400, 404), (value, answer.text)


@pytest.mark.parametrize("name", ["a" * 300, "%00", "..%2fconsole.css", "%ff", "console.css%2f"])
def test_no_name_fails(name: str, console: RunningConsole) -> None:
    """Of a stylesheet or a decision that there cannot be."""
    assert console.get(f"/static/{name}").status_code == 404
    assert console.get(f"/decisions/{name}").status_code == 404


@pytest.mark.parametrize("written", ["Infinity", "NaN", "-Infinity"])
def test_what_is_no_json_is_refused(written: str, console: RunningConsole) -> None:
    """Python's reader would take it, and answers would have it."""
    body = json.dumps([build_event("never")]).replace('"stateAge": 2', f'"stateAge": {written}')

    assert _upload(console, body.encode()).status_code == 400


def test_numbers_that_no_double_holds(console: RunningConsole) -> None:
    """They are shown as the text that they were, also where it is longer than Python converts."""
    for id, written in (("e", "1e400"), ("digits", "9" * 5000)):
        body = json.dumps([build_event(id)]).replace('"stateAge": 2', f'"stateAge": {written}')
        assert _upload(console, body.encode()).json() == {"new": 1}
        shown = console.json(f"/decisions/{id}")
        assert (shown["state_age"], shown["document"]["result"]["stateAge"]) == (None, written)


def test_an_event_that_is_too_deep(console: RunningConsole) -> None:
    """It is left out, and the rest is not."""
    deep = json.dumps(build_event("deep")).replace('"annotations": {}', '"annotations": ' + "[" * 300 + "]" * 300)
    body = f"[{deep}, {json.dumps(build_event('beside'))}]"

    assert _upload(console, body.encode()).json() == {"new": 1}
    assert console.get("/decisions/beside").status_code == 200


@pytest.mark.parametrize("body", [b"", b"{}", b"[", b"\xff", b"[" * 100_000])
def test_an_upload_that_is_none(body: bytes) -> None:
    """It is refused in a sentence, not stored in part."""
    with pytest.raises(InputError, match="decision_logs"):
        read_upload(body, "owner")
