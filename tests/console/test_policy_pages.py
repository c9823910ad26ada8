"""The pages of the policy over HTTP: what they answer, to whom, and that no paste makes them fail."""

import html
import json
import random
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.console.running import RunningConsole, write_config
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.seed import SEED
from tests.fuzz.json_text import random_value, render
from warden.console.policy.pastes import FORMS, Paste
from warden.demo.estate import write_estate
from warden.policy.opa.local import LocalOpa

TOPIC = "topic: shop.orders.created\nnumPartitions: 3\nreplicationFactor: 3\nconfigs: {retention.ms: 60000}\n"
INPUT = {
    "operation": "CreateTopic",
    "cluster": "prod",
    "enforcementPoint": "ci",
    "principal": {"type": "User", "name": "alice"},
    "clusterState": {},
    "request": {"topic": "shop.orders.created", "numPartitions": 3, "replicationFactor": 3, "configs": {"a": "b"}},
}
REQUEST = {
    "requestHeader": {"requestApiKeyName": "INCREMENTAL_ALTER_CONFIGS", "requestApiVersion": 1},
    "request": {
        "resources": [
            {
                "resourceType": 2,
                "resourceName": "shop.orders.created",
                "configs": [{"name": "retention.ms", "configOperation": 0, "value": "1"}],
            }
        ],
        "validateOnly": False,
    },
}
SETTINGS = "rules:\n  KFK-RET-001: {mode: warn, params: {min: 1, max: 9}}\nclusters: []\nwaivers: []\n"


@pytest.fixture(scope="module")
def console(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    """A console with a snapshot, and somebody who sees one cluster and what payments has there."""
    directory = tmp_path_factory.mktemp("console")
    write_estate(directory / "snapshot", topics=200)
    (directory / "all").write_text("all-seeing\n", encoding="utf-8")
    (directory / "one").write_text("one-cluster\n", encoding="utf-8")
    callers: list[dict[str, Any]] = [
        {"principal": "User:admin", "token": {"file": "all"}},
        {"principal": "User:pay", "token": {"file": "one"}, "clusters": ["dev-eu"], "owners": ["payments"]},
    ]
    with RunningConsole(write_config(directory, snapshot="snapshot", callers=callers), "all-seeing") as running:
        yield running


def post(console: RunningConsole, fields: Any, token: str = "all-seeing", **headers: str) -> requests.Response:
    """Send a paste: a form, or JSON where it is a text or bytes."""
    kind = {"Content-Type": "application/json"} if isinstance(fields, str | bytes) else {}
    wanted = {"Authorization": f"Bearer {token}", "Accept": "application/json", **kind, **headers}
    return requests.post(f"{console.url}/playground", data=fields, headers=wanted, timeout=PATIENCE)


def test_a_form_a_link_and_json_say_the_same(console: RunningConsole) -> None:
    """Whichever way a paste comes; as a page it says it too."""
    form = post(console, {"text": TOPIC.replace("\n", "\r\n"), "cluster": "elsewhere", "form": "auto"}).json()
    link = post(console, {"text": "", "link": form["link"]}).json()
    data = post(console, json.dumps({"text": TOPIC, "cluster": "elsewhere"})).json()
    page = post(console, {"text": TOPIC, "cluster": "elsewhere"}, Accept="text/html")
    (row,) = form["result"]["decided"]

    assert form == link == data
    assert (TOPIC, None, "denied") == (form["paste"]["text"], form["error"], row["status"])
    assert Paste(text=TOPIC, cluster="elsewhere") == Paste.from_link(form["link"])
    assert 200 == page.status_code
    assert all(each["message"] in html.unescape(page.text) for each in row["violations"])
    assert f'href="/playground#s={form["link"]}"' in page.text


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"text": ""}, 400, "nothing was pasted"),
        ({"text": "x" * 70_000}, 400, "text: 70000 bytes: write 65536 at most"),
        ({"text": TOPIC, "settings": "rules: {KFK-X-1: {}}"}, 400, "your settings:1: rules: unknown rule KFK-X-1"),
        ({"text": TOPIC, "principal": "alice"}, 400, "principal 'alice': write it as Kafka does"),
        ({"text": TOPIC, "other": "1"}, 400, "unknown field other: write "),
        ({"link": "AAAA"}, 400, "the link is damaged"),
        ("[]", 400, "the request is not a JSON object"),
        ('{"text": 1}', 400, "text: not a string"),
        ('{"link": 1}', 400, "link: not a string"),
        (b"\xff", 400, "not JSON"),
    ],
)
def test_errors(console: RunningConsole, fields: Any, status: int, sentence: str) -> None:
    """They name what is wrong, on the page beside the form too."""
    answer = post(console, fields)
    page = post(console, fields, Accept="text/html")

    assert (status, True) == (answer.status_code, sentence in answer.json()["error"])
    assert (status, True) == (page.status_code, sentence in html.unescape(page.text))
    assert '<form class="paste"' in page.text


def test_other_bodies_and_paths(console: RunningConsole) -> None:
    """What is neither a form nor JSON is refused; nothing is there to change."""
    assert 415 == post(console, b"text=a", **{"Content-Type": "text/plain"}).status_code
    assert 405 == requests.put(f"{console.url}/playground", headers={"Authorization": "Bearer all-seeing"}).status_code
    assert 405 == requests.post(f"{console.url}/rules", headers={"Authorization": "Bearer all-seeing"}).status_code
    assert 401 == post(console, {"text": TOPIC}, token="nobody").status_code
    assert 401 == console.get("/rules", "nobody").status_code


def test_rules_in_force(console: RunningConsole) -> None:
    """As JSON and as a page, with a filter in the address; each example opens in the playground."""
    shown = console.json("/rules?cluster=prod-eu&point=gateway&words=KFK-RET-001")
    (rule,) = shown["rules"]
    example = rule["examples"][0]["id"]
    page = console.get("/rules?cluster=prod-eu&point=gateway&words=KFK-RET-001").text
    (link,) = re.findall(rf'href="(/playground\?example={example}[^"]*)"', page)
    opened = console.json(html.unescape(link))
    (row,) = opened["result"]["decided"]

    assert ("prod-eu", "gateway", 64) == (shown["cluster"], shown["enforcementPoint"], len(shown["revision"]) + 52)
    assert ("prod-eu", "gateway") == (row["cluster"], row["enforcementPoint"])
    assert "KFK-RET-001" in {each["rule"] for each in row["violations"]}
    assert "as shipped, data.yaml:" in page
    assert str(Path.cwd()) not in page
    assert 104 <= len(console.json("/rules")["rules"])
    assert 400 == console.get("/rules?mode=strict").status_code
    assert 404 == console.get("/playground?example=KFK-RET-001.bad.99").status_code
    for begin in re.findall(r'href="(/playground\?example=[^"]*)"', console.get("/playground").text):
        assert console.json(begin)["result"]["decided"], begin


def test_rules_of_a_control(console: RunningConsole) -> None:
    """By framework or control, which the address has; a rule on the page leads to the others of its controls."""
    of_control = console.json("/rules?control=SOC2+A1.2")
    of_framework = console.json("/rules?control=SOC2")
    page = console.get("/rules?control=SOC2+A1.2").text
    named = {"framework": "SOC2", "control": "A1.2", "title": "Redundancy and recovery keep the system available"}

    assert 0 < len(of_control["rules"]) < len(of_framework["rules"]) < of_framework["total"]
    assert all(named in rule["controls"] for rule in of_control["rules"])
    assert {"SOC2", "PCI-DSS", "ISO27001"} == {each["framework"] for each in of_control["frameworks"]}
    assert '<option value="SOC2 A1.2" selected>' in page
    assert "control=ISO27001+A.8.14" in page
    assert 400 == console.get("/rules?control=SOC2+Z9").status_code


def test_an_example_of_a_rule_that_is_disabled(console: RunningConsole) -> None:
    """It comes with settings that put the rule in force."""
    (rule,) = console.json("/rules?words=KFK-RET-003&mode=disabled")["rules"]
    bad = next(each["id"] for each in rule["examples"] if each["kind"] == "bad")
    shown = console.json(f"/playground?example={bad}")
    (row,) = shown["result"]["decided"]

    assert shown["paste"]["settings"].startswith("rules:\n  KFK-RET-003:\n    mode: deny\n")
    assert "KFK-RET-003" in {each["rule"] for each in row["violations"]}


def test_who_sees_one_cluster(console: RunningConsole) -> None:
    """Another cluster's rules and state are not theirs to see, nor what others own on their own."""
    text = json.dumps({"text": TOPIC, "cluster": "dev-eu", "settings": SETTINGS, "sample": True})
    impact = post(console, text, "one-cluster").json()["result"]["impact"]

    assert 0 < impact["topics"] < post(console, text).json()["result"]["impact"]["topics"]
    assert {"payments"} == {team["owner"] for part in impact["parts"] for team in part["teams"]}
    assert 400 == post(console, {"text": TOPIC, "cluster": "prod-eu"}, "one-cluster").status_code
    assert 400 == post(console, {"text": TOPIC}, "one-cluster").status_code
    assert 400 == console.get("/rules?cluster=prod-eu", "one-cluster").status_code
    assert "dev-eu" == console.json("/rules", "one-cluster")["cluster"]
    assert "prod-eu" not in console.get("/playground", "one-cluster").text


@pytest.mark.parametrize(
    ("text", "port", "sentence"),
    [
        ("", None, "which is made of these files."),
        ("rules: {KFK-RET-001: {mode: warn}}\n", None, "give the console the files that its bundle is made of"),
        ("", 1, "The OPA that is configured does not say which revision it decides by."),
    ],
)
def test_an_opa_that_runs(opa: LocalOpa, tmp_path: Path, text: str, port: int | None, sentence: str) -> None:
    """Whether the files that are shown are those that it decides by."""
    (tmp_path / "settings.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "token").write_text(opa.tokens.query, encoding="utf-8")
    url = opa.url if port is None else f"http://127.0.0.1:{port}"
    config = write_config(
        tmp_path, opa={"url": url, "token": {"file": "token"}}, policy={"settings": "settings.yaml"} if text else {}
    )
    with RunningConsole(config) as running:
        shown = running.json("/rules?words=KFK-RET-001")

    assert sentence in shown["note"]
    assert ("warn" if text else "deny") == shown["rules"][0]["mode"]


def test_many_at_a_time(console: RunningConsole) -> None:
    """Those beyond a queue are sent away, and other pages are answered by threads of their own."""
    with ThreadPoolExecutor(40) as threads:
        sent = [
            threads.submit(post, console, {"text": TOPIC, "settings": f"rules: {{KFK-X-{number}: {{}}}}"})
            for number in range(40)
        ]
        eventually(lambda: any(each.done() for each in sent), "an answer")
        assert 200 == console.get("/decisions").status_code
        answers = [each.result() for each in sent]
    refused = [answer for answer in answers if answer.status_code == 503]

    assert {400, 503} == {answer.status_code for answer in answers}
    assert {"5"} == {answer.headers["Retry-After"] for answer in refused}
    assert {"others are being answered: try again in a moment"} == {answer.json()["error"] for answer in refused}


def test_no_paste_makes_it_fail(console: RunningConsole) -> None:
    """Some hundreds of pastes that nobody writes: each is decided, or what is wrong is named; the others are served."""
    rng = random.Random(SEED)
    documents = [INPUT, REQUEST, {"api": "CreateTopics", "request": {"topics": [{"name": "a", "configs": []}]}}]
    for number in range(300):
        kind = rng.random()
        text = render(rng, rng.choice(documents), 0.08) if kind < 0.6 else random_value(rng)
        if kind > 0.8:
            text = "".join(rng.choice((TOPIC[n : n + 9], "\x00", "{", "[", "&a ", "*a", "é\u202e")) for n in range(40))
        fields = {"text": text, "form": rng.choice(list(FORMS)) if rng.random() < 0.5 else "auto"}
        if rng.random() < 0.3:
            fields["cluster"] = rng.choice(("dev-eu", "a\x00b", "../..", "<script>", "é" * 90))
        if rng.random() < 0.1:
            fields["settings"] = render(rng, {"rules": {"KFK-RET-001": {"mode": "warn", "params": {"min": 1}}}}, 0.3)
        accepted = rng.choice(("text/html", "application/json"))
        page = post(console, fields, Accept=accepted)
        while page.status_code == 429:  # as often as a caller may
            time.sleep(float(page.headers["Retry-After"]))
            page = post(console, fields, Accept=accepted)
        case = f"WARDEN_SEED={SEED} paste {number}: {json.dumps(fields)[:400]}"

        assert page.status_code in (200, 400), case
        if page.headers["Content-Type"].startswith("application/json"):
            shown = page.json()
            assert bool(shown["error"]) is (page.status_code == 400), case
            assert page.status_code == 400 or shown["result"]["decided"] or shown["result"]["problems"], case
        else:
            assert "<script>" not in page.text.replace("<script src=", ""), case
    assert "denied" == post(console, {"text": TOPIC}).json()["result"]["decided"][0]["status"]
