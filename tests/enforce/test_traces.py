"""Traces of all programs: each request is one, over OPA, to the broker's answer; every log is found by it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml
from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic

from tests.enforce.webhook.process import WebhookProcess
from tests.enforce.webhook.test_review import review
from tests.fixtures.collector import Collector, collect
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.warden_process import WardenProcess
from warden.base.http.ports import find_free_port
from warden.base.resources import find_shipped
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import Bundle
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_TRACE, _CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
_THING = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "traced", "namespace": "web"}}
_CALL = "POST /v1/data/kafka/decisions"


@dataclass(frozen=True)
class Traced:
    """Programs that send their traces to one collector.

    Args:
        collector: It.
        opa: The OPA that decides, and goes on with traces.
        directory: Where files of programs go.
        broker: The broker of cluster ``traced``.
    """

    collector: Collector
    opa: LocalOpa
    directory: Path
    broker: LocalBroker

    def start(self, command: str, document: dict[str, Any]) -> WardenProcess:
        """Return a program, not started."""
        (self.directory / "query").write_text(self.opa.tokens.query)
        (self.directory / "replicator").write_text(self.opa.tokens.replicator)
        (self.directory / "alice").write_text("token-of-alice")
        own = {"opa": {"url": self.opa.url, "token": {"file": "query"}, "timeout": PATIENCE}}
        environment = self.collector.environment
        return WardenProcess(command, self.directory, {**own, **document}, **environment)


@pytest.fixture(scope="module")
def traced(
    broker: LocalBroker, opa_binary: Path, few_bundle: Bundle, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Traced]:
    """A broker, an OPA that knows it by a replicator that is traced, and what they send."""
    directory = tmp_path_factory.mktemp("traced")
    with collect() as collector:
        text = find_shipped("deploy/opa-config.yaml").read_text(encoding="utf-8")
        tracing = {
            "type": "http",
            "address": collector.url.removeprefix("http://"),
            "service_name": "opa",
            "batch_span_processor_options": {"batch_timeout_ms": 50},
        }
        config = directory / "opa-config.yaml"
        config.write_text(f"{text}\n{yaml.safe_dump({'distributed_tracing': tracing})}", encoding="utf-8")
        with LocalOpa(few_bundle, opa=opa_binary, config=config) as opa:
            programs = Traced(collector, opa, directory, broker)
            replicator = {
                "opa": {"url": opa.url, "token": {"file": "replicator"}},
                "clusters": [{"name": "traced", "bootstrapServers": broker.bootstrap_servers}],
            }
            with programs.start("replicate", replicator):
                collector.wait("warden-replicate", "swap replica", source="kafka/traced")
                yield programs


@pytest.fixture(scope="module")
def gateway(traced: Traced) -> Iterator[tuple[WardenProcess, AdminClient]]:
    """A gateway, and a client of it."""
    port = find_free_port()
    cluster = {
        "name": "traced",
        "advertisedHost": "127.0.0.1",
        "bind": "127.0.0.1",
        "authentication": "none",
        "brokers": [{"id": 1, "address": traced.broker.bootstrap_servers, "port": port}],
    }
    patient = {"connectSeconds": PATIENCE, "waitSeconds": PATIENCE}
    with traced.start("gateway", {"clusters": [cluster], "limits": patient}) as process:
        yield process, AdminClient({"bootstrap.servers": f"127.0.0.1:{port}"})


def _create(client: AdminClient, *names: str) -> dict[str, bool]:
    created = {}
    for name, future in client.create_topics([NewTopic(name, 1, 1) for name in names], request_timeout=250).items():
        try:
            future.result(PATIENCE)
            created[name] = True
        except KafkaException:
            created[name] = False
    return created


def test_a_request_is_one_trace(traced: Traced, gateway: tuple[WardenProcess, AdminClient]) -> None:
    """From the client's request to OPA, which goes on with it, and to the broker's answer; with OPA's decision id."""
    process, client = gateway
    assert {"traced.good": True, "Traced_Bad": False} == _create(client, "traced.good", "Traced_Bad")
    collector = traced.collector

    request = collector.wait("warden-gateway", "CreateTopics", cluster="traced", forwarded="some")
    decide = collector.wait("warden-gateway", "decide", request.id, items=2)
    call = collector.wait("warden-gateway", _CALL, decide.id)
    broker = collector.wait("warden-gateway", "CreateTopics broker", request.id)
    of_opa = eventually(
        lambda: next((one for one in collector.spans if (one.service, one.trace) == ("opa", request.trace)), None),
        "OPA goes on with the trace",
    )

    assert ("", call.id) == (request.parent, of_opa.parent)
    assert {request.trace} == {one.trace for one in (decide, call, broker)}
    assert (1, 2, [call.attributes["warden.decision_id"]]) == (
        request.attributes["warden.denied"],
        request.attributes["warden.items"],
        request.attributes["warden.decision_id"],
    )
    openmetrics = {"Accept": "application/openmetrics-text; version=1.0.0"}
    metrics = requests.get(f"http://{process.begun['probes']}/metrics", headers=openmetrics, timeout=PATIENCE).text
    assert '# {trace_id="' in metrics
    line = next(one for one in process.lines() if one["message"] == "decided" and one["api"] == "CreateTopics")
    assert (request.trace, request.attributes["warden.decision_id"]) == (line["traceId"], line["decisionIds"])
    logs = ["--log", str(process.log), "--log", str(traced.opa.log)]
    command = [sys.executable, "-m", "warden", "gateway", "explain", "--trace", request.trace, "--output", "json"]
    explained = json.loads(subprocess.run([*command, *logs], check=True, capture_output=True, text=True).stdout)
    assert ([request.trace], set(line["decisionIds"])) == (
        [one["traceId"] for one in explained["requests"]],
        set(explained["decisions"]),
    )


def test_what_is_denied_ends_with_the_decision(traced: Traced, gateway: tuple[WardenProcess, AdminClient]) -> None:
    """No broker has seen it; a denial is an answer and no failure."""
    assert {"Traced_Alone": False} == _create(gateway[1], "Traced_Alone")
    request = traced.collector.wait("warden-gateway", "CreateTopics", forwarded="none")

    children = [one.name for one in traced.collector.spans if one.parent == request.id]
    assert (["decide"], False) == (children, request.failed)


def test_a_callers_trace_goes_on(traced: Traced) -> None:
    """The service is part of what calls it, and has OPA go on; a caller that is not sampled leaves nothing."""
    document = {
        "callers": [{"token": {"file": "alice"}, "principal": "User:alice"}],
        "clusters": [{"name": "traced", "bootstrapServers": traced.broker.bootstrap_servers}],
    }
    question = {"operation": "CreateTopic", "topic": "Traced_Service", "partitions": 1, "replicationFactor": 1}
    with traced.start("serve", document) as process:
        url = f"http://127.0.0.1:{process.begun['port']}/v1/decide"
        for trace, flags in ((_TRACE.replace("4", "5"), "00"), (_TRACE, "01")):
            headers = {"Authorization": "Bearer token-of-alice", "traceparent": f"00-{trace}-{_CALLER}-{flags}"}
            answer = requests.post(url, json=question, headers=headers, timeout=PATIENCE)
            assert 200 == answer.status_code, answer.text
        request = traced.collector.wait("warden-service", "POST /v1/decide", status_code=200)
        call = traced.collector.wait("warden-service", "POST /v1/data/kafka/decision")

    assert (_TRACE, _CALLER) == (request.trace, request.parent)
    assert (_TRACE, request.id) == (call.trace, call.parent)
    assert call.attributes["warden.decision_id"]
    eventually(
        lambda: any((one.service, one.trace) == ("opa", _TRACE) for one in traced.collector.spans),
        "OPA goes on with the caller's trace",
    )
    assert {_TRACE} == {one.trace for one in traced.collector.spans if one.service == "warden-service"}


def test_an_admission_is_a_trace(traced: Traced, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The webhook's too, and lines of its log name it."""
    (tmp_path / "token").write_text(traced.opa.tokens.query)
    for name, value in traced.collector.environment.items():
        monkeypatch.setenv(name, value)
    opa = {"url": traced.opa.url, "token": {"file": "token"}, "timeout": PATIENCE}
    with WebhookProcess(tmp_path, yaml.safe_dump({"opa": opa})) as process:
        assert 200 == process.send(review(_THING)).status_code
        request = traced.collector.wait("warden-webhook", "POST /mutate", status_code=200)
        call = eventually(
            lambda: next((one for one in traced.collector.spans if one.parent == request.id), None),
            "the call of OPA",
        )
        assert "POST" == call.attributes["http.request.method"]
        assert request.trace in [line.get("traceId") for line in process.lines()]
