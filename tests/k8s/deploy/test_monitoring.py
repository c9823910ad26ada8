"""Alert rules and dashboard: checked by promtool, and every name and query by what the parts really show."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import yaml

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tools.toolchain.go_programs import find_promtool
from warden.base.http.ports import find_free_port
from warden.base.process.child_process import Process

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

PROMETHEUS = CHECKOUT / "deploy/prometheus"
ALERTS = yaml.safe_load((PROMETHEUS / "alerts.yaml").read_text(encoding="utf-8"))
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
PANELS = json.loads((CHECKOUT / "deploy/grafana/warden.json").read_text(encoding="utf-8"))["panels"]
QUERIES = [target["expr"].replace("$__rate_interval", "5m") for panel in PANELS for target in panel.get("targets", [])]
_WORDS = re.compile(
    r'"[^"]*"|\{[^}]*\}|\[[^]]*\]|\b(?:by|on|without)\s*\([^)]*\)|[a-zA-Z_:][\w:]*\s*\(|[a-zA-Z_:][\w:]*'
)
_SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")


def _names(query: str) -> set[str]:
    """Return the metrics of a query: what is not a function, label, text or number."""
    words = {word for word in _WORDS.findall(query) if re.fullmatch(r"[a-zA-Z_:][\w:]*", word)}
    return {word for word in words if not re.fullmatch(r"\d.*|e\d+|bool|and|or|unless|sum|max|min|count", word)}


def _promtool(*arguments: object) -> str:
    command = [str(find_promtool()), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_promtool_takes_them(tmp_path):
    """The rules are sound, and so is the configuration that loads them."""
    _promtool("check", "rules", "--lint=all", "--lint-fatal", PROMETHEUS / "alerts.yaml")
    for name in ("admin", "ca.crt"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    text = (PROMETHEUS / "prometheus.yml").read_text(encoding="utf-8")
    (tmp_path / "alerts.yaml").write_bytes((PROMETHEUS / "alerts.yaml").read_bytes())
    (tmp_path / "prometheus.yml").write_text(text.replace("/etc/prometheus/warden", str(tmp_path)), encoding="utf-8")
    assert f"SUCCESS: {len(RULES)} rules found" in _promtool("check", "config", tmp_path / "prometheus.yml")


def test_each_alert_fires_when_it_should():
    """Each has a case in which it does, and is quiet before."""
    path = PROMETHEUS / "alerts_test.yaml"
    _promtool("test", "rules", path)
    cases = yaml.safe_load(path.read_text(encoding="utf-8"))["tests"]
    fired = [case["alertname"] for test in cases for case in test["alert_rule_test"] if case["exp_alerts"]]
    assert sorted(fired) == sorted(rule["alert"] for rule in RULES)


@pytest.fixture(scope="module")
def scraped(pods, control_plane, documents, tmp_path_factory) -> dict[str, str]:
    """What each part shows at /metrics, by the name of its job; gateway and service have no broker to reach."""
    directory, ports = (
        tmp_path_factory.mktemp("scraped"),
        {name: find_free_port() for name in ("gateway", "serve", "broker")},
    )
    roots = pods.logs["remediator"].parent / "etc/opa"
    opa: dict[str, Any] = {"url": f"https://localhost:{pods.ports['opa']}", "token": {"file": str(roots / "token")}}
    opa["caFile"] = str(roots / "ca.crt")
    broker = f"127.0.0.1:{ports['broker']}"
    cluster: dict[str, Any] = {"name": "prod", "advertisedHost": "127.0.0.1", "authentication": "none"}
    cluster["brokers"] = [{"id": 1, "address": broker, "port": find_free_port()}]
    (directory / "caller").write_text("a-token-of-a-caller", encoding="utf-8")
    callers = [{"token": {"file": "caller"}, "principal": "User:alice"}]
    configurations = {
        "gateway": {"opa": opa, "clusters": [cluster]},
        "serve": {"opa": opa, "callers": callers, "clusters": [{"name": "prod", "bootstrapServers": broker}]},
    }
    started = []
    urls = {
        "opa": f"https://127.0.0.1:{pods.ports['opa']}",
        "replicator": f"http://127.0.0.1:{pods.ports['replicator']}",
        "webhook": f"https://127.0.0.1:{pods.ports['webhook']}",
        "remediator": f"http://127.0.0.1:{pods.ports['remediator']}",
    }
    try:
        for name, configuration in configurations.items():
            path = directory / f"{name}.yaml"
            path.write_text(yaml.safe_dump(configuration), encoding="utf-8")
            urls[name] = f"http://127.0.0.1:{ports[name]}"
            options = ["--config", str(path), "--listen", f"127.0.0.1:{ports[name]}"]
            command = [sys.executable, "-m", "warden", name, *options]
            started.append(Process(command, dict(os.environ), directory / f"{name}.log"))
        [admin] = [
            one["data"]["admin"] for one in documents if one["kind"] == "Secret" and "admin" in one.get("data", {})
        ]
        return {name: eventually(partial(_scrape, url, admin), f"{name} shows metrics") for name, url in urls.items()}
    finally:
        for process in started:
            process.stop()


def _scrape(url: str, admin: str) -> str | None:
    import base64
    import ssl
    import urllib.request

    headers = {"Authorization": f"Bearer {base64.b64decode(admin).decode()}"}
    request = urllib.request.Request(f"{url}/metrics", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30, context=ssl._create_unverified_context()) as answer:
            return str(answer.read().decode())
    except OSError:
        return None


def _families(text: str) -> Iterator[str]:
    for name, kind in re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE):
        yield name
        if kind == "histogram":
            yield from (f"{name}{ending}" for ending in ("_bucket", "_count", "_sum"))


def test_each_name_is_shown_by_a_part(scraped):
    """No alert and no panel is about a metric that nobody has."""
    shown = {name for text in scraped.values() for name in _families(text)} | {"up"}
    used = {query: _names(query) for query in [*QUERIES, *(rule["expr"] for rule in RULES)]}

    assert all(used.values())
    assert {} == {query: names - shown for query, names in used.items() if names - shown}


def test_each_query_finds_what_was_scraped(scraped, tmp_path):
    """With what the parts show, as Prometheus labels it, each query whose metrics have values has a result."""
    series: dict[str, str] = {f'up{{job="warden-{name}", instance="a"}}': "1x20" for name in scraped}
    valued = {"up"}
    for job, text in scraped.items():
        for found in filter(None, map(_SAMPLE.match, text.splitlines())):
            labels = ",".join(filter(None, [found[2], f'job="warden-{job}"', 'instance="a"']))
            series[f"{found[1]}{{{labels}}}"] = f"{found[3]}x20"
            valued.add(found[1])
    used = {name for query in QUERIES for name in _names(query)}
    given = [{"series": name, "values": values} for name, values in series.items() if name.partition("{")[0] in used]
    answered = [query for query in QUERIES if _names(query) <= valued]
    tests: list[dict[str, Any]] = [
        {"expr": f"count({query}) > bool 0", "eval_time": "15m", "exp_samples": [{"labels": "{}", "value": 1}]}
        for query in answered
    ]
    document = {"tests": [{"interval": "1m", "input_series": given, "promql_expr_test": tests}]}
    (tmp_path / "test.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")

    _promtool("test", "rules", tmp_path / "test.yaml")
    assert len(answered) > len(QUERIES) / 2
