"""What the service says of itself: its paths, and what it counts."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.enforce.service.running import Caller, RunningService, entry
from tests.fixtures.pages.browser import Browser, Page
from tests.fixtures.patience import PATIENCE
from tests.fixtures.schemas import validator
from warden.base.errors import InputError
from warden.enforce.service import wire
from warden.enforce.service.openapi import build_openapi
from warden.enforce.service.wire_schemas import REQUESTS

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

READ = {
    "client-configs/describe": wire.decode_describe,
    "client-configs/alter": wire.decode_alter,
    "client-configs/resolve": lambda body: (wire.decode_resolve(body, "alice"), wire.decode_client(body)),
}
WHOLE: dict[str, Any] = {
    "client-configs/describe": {
        "components": [{"entityType": "user", "matchType": 0, "match": "alice"}],
        "strict": True,
        "resolveEntity": True,
        "supportedConfigs": [],
        "softwareName": "x",
        "softwareVersion": "1",
    },
    "client-configs/alter": {
        "entries": [{"entity": entry("a", "b")["entity"], "ops": [{"key": "acks", "value": None, "remove": True}]}],
        "validateOnly": True,
    },
    "client-configs/resolve": {
        "clientId": None,
        "supportedConfigs": [],
        "softwareName": "x",
        "softwareVersion": "1",
        "kind": "producer",
        "static": {"acks": "1"},
    },
}
VALUES: list[Any] = [None, True, 1, "x", [], {}]


def _changed(document: Any) -> Iterator[Any]:
    """The document with one field left out, added or of another type, at every depth."""
    if isinstance(document, dict):
        yield document | {"another": 1}
        for name, value in document.items():
            yield {key: kept for key, kept in document.items() if key != name}
            for other in (*VALUES, *_changed(value)):
                yield document | {name: other}
    elif isinstance(document, list):
        for number, value in enumerate(document):
            for other in (*VALUES, *_changed(value)):
                changed = copy.copy(document)
                changed[number] = other
                yield changed


@pytest.mark.parametrize("path", REQUESTS)
def test_the_schemas_take_what_the_service_takes(path: str) -> None:
    """Each request with something changed is refused by both or taken by both."""
    valid, differing, refused = validator(REQUESTS[path]).is_valid, [], 0
    for request in (WHOLE[path], *_changed(WHOLE[path])):
        try:
            READ[path](request)
        except InputError:
            refused += 1
            taken = False
        else:
            taken = True
        if taken != valid(request):
            differing.append(request)
    assert [] == differing
    assert refused > 5


def test_openapi(service: RunningService, admin: Caller, alice: Caller) -> None:
    """The answers are as described; the paths are those that are served."""
    document = requests.get(f"{service.url}/openapi.json", timeout=PATIENCE).json()
    assert "3.1.0" == document["openapi"]
    topic = {"topic": "a", "numPartitions": 1, "replicationFactor": 1}
    bodies = {
        **WHOLE,
        "client-configs/alter": {"entries": [entry("alice", acks="1"), entry("bob", "", acks="7")]},
        "decide": {"operation": "CreateTopic", "request": topic},
        "decisions": {
            "items": {"a": {"operation": "CreateTopic", "request": topic}},
            "common": {"operation": "CreateTopic"},
            "order": ["a"],
        },
    }
    batch = document["paths"]["/v1/decisions"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert bodies["decisions"].keys() == batch["properties"].keys()
    assert {f"/v1/{path}" for path in bodies} == document["paths"].keys()
    for path in ("client-configs/alter", *bodies):
        operation = document["paths"][f"/v1/{path}"]["post"]
        body = operation["requestBody"]["content"]["application/json"]["schema"]
        validator(body).validate(bodies[path])
        answer = (alice if path.endswith("resolve") else admin).post(path, bodies[path])
        assert admin.post(path, operation["requestBody"]["content"]["application/json"]["example"]).ok
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        validator(schema).validate(answer.json())


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_for_people(service: RunningService, browser: Browser, tmp_path: Path, width: int, dark: bool) -> None:
    """Every path with its fields; nothing is wider than the window, nothing is loaded, the console is silent."""
    answer = requests.get(f"{service.url}/docs", timeout=PATIENCE)
    assert (200, "text/html; charset=utf-8") == (answer.status_code, answer.headers["Content-Type"])
    file = tmp_path / "docs.html"
    file.write_text(answer.text, encoding="utf-8")
    page = Page(browser, file, width=width, dark=dark)
    paths = page.run("[...document.querySelectorAll('h2 code')].map(one => one.textContent)")
    assert [f"POST {path}" for path in build_openapi()["paths"]] == paths
    fields = page.run("[...document.querySelectorAll('td:first-child code')].map(one => one.textContent)")
    assert {"components[].entityType", "entries[].ops[].remove", "violations[].waiver.expired", "request"} <= {*fields}
    types = page.run("[...document.querySelectorAll('td:nth-child(2)')].map(one => one.textContent.trim())")
    assert {'"deny" or "warn" or "dryrun" or "waived"', "list of string or number", "object or null"} <= {*types}
    assert "any" not in types
    assert page.run("document.documentElement.scrollWidth") <= width
    page.run("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert page.run("document.documentElement.scrollWidth") <= width
    assert "1px" in page.run("getComputedStyle(document.querySelector('h2')).borderTopWidth")
    assert [file.as_uri()] == page.requested()
    assert [] == page.complaints()
    page.close()


def test_metrics(service: RunningService, admin: Caller) -> None:
    """Requests are counted by path and status; a path that is none makes no metric of its own."""
    admin.post("client-configs/describe", {})
    admin.post("nothing/of/the/kind", {})
    text = requests.get(f"{service.url}/metrics", timeout=PATIENCE).text
    assert 'warden_service_requests_total{path="/v1/client-configs/describe",status="400"}' in text
    assert 'path="other",status="404"' in text
    assert "of/the/kind" not in text
    assert "process_resident_memory_bytes" in text
