"""Traces: off unless the environment asks for them, and what it may ask for."""

import json
import subprocess
import sys

import pytest

from warden.base.errors import ConfigurationError
from warden.base.telemetry.traces import _read_exporter

_UNTRACED = """
import sys
from warden.base.telemetry.traces import begin_span, start_tracing
start_tracing("tried")
begin_span("a").end()
print(any(name.startswith("opentelemetry") for name in sys.modules))
"""
_TRACED = """
import sys
from warden.base.telemetry.traces import begin_span, bind_context, find_trace_id, inject_context, start_tracing
start_tracing("tried")
with begin_span("outer", attributes={"a": 1, "b": None}) as outer:
    headers = {}
    inject_context(headers)
    inner = bind_context(lambda: begin_span("inner").end())
inner()
print(headers["traceparent"].split("-")[1] == outer.trace_id, find_trace_id())
"""


def _run(code: str, **environment: str) -> list[str]:
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


@pytest.mark.process
def test_nothing_is_loaded_where_nothing_traces():
    """Neither OpenTelemetry nor its own parts: to look for it costs one look-up of a name."""
    assert ["False"] == _run(_UNTRACED)


@pytest.mark.process
def test_spans_are_written_to_the_console():
    """What is current is the parent, in another thread's call too; attributes that are None are left out."""
    first, *rest = _run(_TRACED, OTEL_TRACES_EXPORTER="console", OTEL_SERVICE_NAME="mine")
    inner, outer = sorted(map(json.loads, rest), key=lambda span: span["name"])

    assert "True None" == first
    assert (outer["context"]["span_id"], None) == (inner["parent_id"], outer["parent_id"])
    assert ({"a": 1}, "mine") == (outer["attributes"], outer["resource"]["attributes"]["service.name"])


@pytest.mark.parametrize(
    ("environment", "exporter"),
    [
        ({}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, "otlp"),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector:4318/v1/traces"}, "otlp"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_SDK_DISABLED": "TRUE"}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318", "OTEL_TRACES_EXPORTER": "none"}, None),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, "otlp"),
        ({"OTEL_TRACES_EXPORTER": "console", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "console"),
    ],
)
def test_what_the_environment_asks_for(environment, exporter):
    """The variables are OpenTelemetry's; a collector's address is enough."""
    assert exporter == _read_exporter(environment)


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"OTEL_TRACES_EXPORTER": "zipkin"}, "unknown OTEL_TRACES_EXPORTER zipkin: write one of otlp, console, none"),
        (
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
            "invalid OTEL_EXPORTER_OTLP_PROTOCOL 'grpc': expected http/protobuf",
        ),
    ],
)
def test_what_there_is_not(environment, sentence):
    """It is said, and nothing runs without the traces that somebody relies on."""
    with pytest.raises(ConfigurationError) as refused:
        _read_exporter(environment)
    assert sentence == str(refused.value)
