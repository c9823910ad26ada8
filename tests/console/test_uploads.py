"""A real OPA uploads what it decides, and the console shows it: as a list, as news, one, and why."""

import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.console.logged import build_event
from tests.console.running import RunningConsole, write_config
from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.console.gate import Viewer
from warden.console.intake.events import iter_decisions_and_notes
from warden.console.policy.pastes import Paste
from warden.console.store.decision_store import DecisionStore
from warden.console.store.search import Filter, list_new_decisions
from warden.policy.bundle.build import Bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

_TOKEN = "upload-token"
_SERVICE = """services:
  console:
    url: {url}
    credentials: {{bearer: {{token: {token}}}}}
"""
_REQUEST = {
    "operation": "CreateTopic", "cluster": "prod-eu", "enforcementPoint": "gateway",
    "principal": {"type": "User", "name": "alice"}, "clusterState": {"topics": {}, "brokers": {}},
    "request": {"topic": "Bad_Name", "numPartitions": 1, "replicationFactor": 1, "configs": {},
                "labels": {"owner": "payments", "password": "hunter2-is-secret"}},
}  # fmt: skip


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    """A console that OPAs may upload to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UPLOADS", _TOKEN)
        config = write_config(tmp_path_factory.mktemp("console"), decisions={"receive": {"token": {"env": "UPLOADS"}}})
        with RunningConsole(config) as running:
            yield running


@pytest.fixture(scope="module")
def client(
    console: RunningConsole, opa_binary: Path, shipped_bundle: Bundle, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OpaClient]:
    """A client of an OPA whose decision log goes there, with Warden's own configuration for the rest."""
    shipped = (CHECKOUT / "deploy" / "opa-config.yaml").read_text(encoding="utf-8")
    named = shipped.replace("services:\n", _SERVICE.format(url=console.url, token=_TOKEN), 1)
    reporting = "decision_logs:\n  service: console\n  reporting: {min_delay_seconds: 1, max_delay_seconds: 1}\n"
    config = tmp_path_factory.mktemp("opa") / "config.yaml"
    config.write_text(named.replace("decision_logs:\n  console: true\n", reporting), encoding="utf-8")
    with LocalOpa(shipped_bundle, opa=opa_binary, config=config) as opa, opa.build_client() as client:
        yield client


def _find(console: RunningConsole, query: str) -> Any:
    return eventually(lambda: console.json(f"/decisions?{query}")["decisions"], f"a decision with {query}")


def test_what_opa_decides_is_shown(console: RunningConsole, client: OpaClient) -> None:
    """With its violations and fixes, with the text that commands print, and without what the mask took away."""
    denied = client.decide(_REQUEST)
    row = _find(console, "resource=Bad_Name&status=denied")[0]
    shown = console.json(f"/decisions/{row['id']}")

    assert (row["owner"], row["principal"], row["point"]) == ("payments", "User:alice", "gateway")
    assert shown["document"]["result"]["violations"] == denied["violations"]
    assert shown["text"].startswith("denied: POLICY_VIOLATION")
    assert {"name": "replicationFactor", "before": None, "after": 1} in shown["changes"]
    assert "hunter2" not in json.dumps(shown)
    page = console.get(f"/decisions/{row['id']}").text
    assert "hunter2" not in page
    assert denied["violations"][0]["fix"].split("<")[0][:20] in page
    assert {each["rule"] for each in denied["violations"]} == shown["controls"].keys()
    assert {"SOC2", "ISO27001"} <= {each["framework"] for each in shown["controls"]["KFK-DUR-001"]}
    assert "control=SOC2+A1.2" in page


def test_a_decision_is_explained(console: RunningConsole, client: OpaClient) -> None:
    """By the function of `warden explain`, with an OPA of the console's own and the lines of the shipped settings."""
    client.decide(_REQUEST)
    row = _find(console, "resource=Bad_Name")[0]
    explained = console.json(f"/decisions/{row['id']}/explain")

    assert explained["problem"] is None
    assert "bundle/settings/data.yaml:" in explained["text"]
    assert {row["rules"][0]} <= explained["rules"].keys()


def test_a_decision_is_tried_again(console: RunningConsole, client: OpaClient) -> None:
    """Its page leads to the playground with the input, as far as the log's mask left it."""
    client.decide(_REQUEST)
    row = _find(console, "resource=Bad_Name")[0]
    found = re.search(r"/playground#s=([\w-]+)", console.get(f"/decisions/{row['id']}").text)

    assert found
    paste = Paste.from_link(found[1])
    assert ("input", "Bad_Name") == (paste.form, json.loads(paste.text)["request"]["topic"])
    assert "hunter2" not in paste.text


def test_news_come_with_the_filter(console: RunningConsole, client: OpaClient) -> None:
    """A page that is open gets what its filter leaves, and goes on after what it has seen."""
    found: list[Any] = []
    address = f"{console.url}/decisions/stream?resource=Bad_News"
    with requests.get(address, stream=True, timeout=PATIENCE) as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"

        def read() -> None:
            lines = (line for line in stream.iter_lines() if line.startswith(b"data: "))
            found.append(json.loads(next(lines)[6:]))

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        for topic in ("Bad_Other", "Bad_News"):
            client.decide({**_REQUEST, "request": {**_REQUEST["request"], "topic": topic}})  # type: ignore[dict-item]
        reader.join(PATIENCE)

    (news,) = found
    assert [row["resource"] for row in news["rows"]] == ["Bad_News"]
    assert "<tr>" in news["html"]


def test_a_decision_is_news_once(console: RunningConsole, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that is stored while those before it are read for the page."""

    def send(id: str) -> None:
        headers = {"Authorization": f"Bearer {_TOKEN}"}
        event = build_event(id, at=time.time(), cluster="news")
        assert requests.post(f"{console.url}/logs", json=[event], headers=headers, timeout=PATIENCE).json()["new"] == 1

    def find(store: DecisionStore, wanted: Filter, viewer: Viewer, after: int) -> list[dict[str, Any]]:
        rows = list_new_decisions(store, wanted, viewer, after)
        if [row["id"] for row in rows] != ["first"]:
            return rows
        store.add(iter_decisions_and_notes(build_event("meanwhile", at=time.time(), cluster="news")))
        return list_new_decisions(store, wanted, viewer, after)

    with requests.get(f"{console.url}/decisions/stream?cluster=news", stream=True, timeout=PATIENCE) as stream:
        news = (json.loads(line[6:])["rows"] for line in stream.iter_lines() if line.startswith(b"data: "))
        with monkeypatch.context() as patch:
            patch.setattr("warden.console.pages.decisions.list_new_decisions", find)
            send("first")
            assert [row["id"] for row in next(news)] == ["meanwhile", "first"]
        send("next")
        assert [row["id"] for row in next(news)] == ["next"]


def test_an_upload_needs_its_token(console: RunningConsole) -> None:
    """Nobody else adds decisions; what is no upload is refused, and OPA sends what was not taken again."""
    events = [build_event("upload-1")]

    def send(token: str, body: Any) -> requests.Response:
        headers = {"Authorization": f"Bearer {token}"}
        return requests.post(f"{console.url}/logs", json=body, headers=headers, timeout=PATIENCE)

    assert send("wrong", events).status_code == 401
    assert send(_TOKEN, {}).status_code == 400
    assert send(_TOKEN, [{**build_event("old"), "timestamp": "2001-01-01T00:00:00Z"}]).json() == {"new": 0}
