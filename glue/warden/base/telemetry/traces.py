"""Spans of what the programs do, as OpenTelemetry has them: none, and at no cost, unless somebody asks for them.

A program traces where the environment names a collector (`start_tracing`); within another's application its own traces
go on. In both cases OpenTelemetry is loaded then, which is all that is looked at here.
"""

import contextvars
import os
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Final, Literal, ParamSpec, Self, TypeVar

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import ConfigurationError
from warden.base.extras import check_extras
from warden.base.version import __version__

__all__ = [
    "NO_SPAN",
    "Span",
    "begin_span",
    "bind_context",
    "extract_context",
    "find_context",
    "find_trace_id",
    "inject_context",
    "is_tracing",
    "start_tracing",
]

_API: Final = "opentelemetry.trace"
_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS: Final = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_PROTOCOL: Final = "http/protobuf"

Kind = Literal["internal", "server", "client"]
_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Span:
    """One step of a trace. As a context manager it is the current one within the block, and ends with it.

    Args:
        span: OpenTelemetry's; None where nothing is traced.
    """

    __slots__ = ("_scopes", "_span")

    def __init__(self, span: Any = None) -> None:
        self._span = span
        self._scopes: list[Any] = []

    def __enter__(self) -> Self:
        if self._span is not None:
            self._scopes.append(_use(self._span))
            self._scopes[-1].__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._span is not None:
            if error is not None:
                self.fail(type(error).__name__)
            self._scopes.pop().__exit__(None, None, None)
            self.end()

    @property
    def trace_id(self) -> str | None:
        """The trace's id, 32 hexadecimal digits; None where it is not kept."""
        return None if self._span is None else _find_sampled_id(self._span)

    @property
    def context(self) -> Any:
        """What makes another span a child of this one, or a link to it: None where nothing is traced."""
        if self._span is None:
            return None
        from opentelemetry.trace import set_span_in_context

        return set_span_in_context(self._span)

    @contextmanager
    def use(self) -> Iterator[None]:
        """Make it the current one within the block; it goes on afterwards."""
        if self._span is None:
            yield
            return
        with _use(self._span):
            yield

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        """Add attributes; those that are None are left out."""
        if self._span is not None:
            self._span.set_attributes({name: value for name, value in attributes.items() if value is not None})

    def fail(self, reason: str) -> None:
        """Say that the step has failed, and the kind of reason (``error.type``)."""
        if self._span is not None:
            from opentelemetry.trace import Status, StatusCode

            self._span.set_status(Status(StatusCode.ERROR))
            self._span.set_attribute("error.type", reason)

    def end(self) -> None:
        """End it: it is sent."""
        if self._span is not None:
            self._span.end()


NO_SPAN: Final = Span()
"""What there is where nothing is traced."""


def start_tracing(service: str) -> None:
    """Trace from now on, where the environment asks for it by OpenTelemetry's own variables.

    ``OTEL_EXPORTER_OTLP_ENDPOINT`` (or ``…_TRACES_ENDPOINT``) names a collector; ``OTEL_TRACES_EXPORTER=console``
    writes spans to stdout. Sampler, headers, certificates, resource and limits are as OpenTelemetry specifies them.

    Args:
        service: ``service.name``, where ``OTEL_SERVICE_NAME`` does not say another.

    Raises:
        ConfigurationError: The extra is not installed, or a variable asks for what there is not.
    """
    exporter = _read_exporter(os.environ)
    if exporter is None:
        return
    check_extras("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")
    from opentelemetry import trace
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter

    resource = Resource.create(
        {"service.name": os.environ.get("OTEL_SERVICE_NAME") or service, "service.version": __version__}
    )
    provider = TracerProvider(resource=resource)
    made: SpanExporter
    if exporter == "console":
        made = ConsoleSpanExporter(formatter=lambda span: span.to_json(indent=None) + "\n")
    else:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        made = OTLPSpanExporter()
    provider.add_span_processor(BatchSpanProcessor(made))
    trace.set_tracer_provider(provider)


def _read_exporter(environment: Mapping[str, str]) -> Literal["otlp", "console"] | None:
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    default = "otlp" if any(environment.get(name) for name in _ENDPOINTS) else "none"
    wanted = environment.get("OTEL_TRACES_EXPORTER") or default
    if wanted == "none":
        return None
    if wanted not in ("otlp", "console"):
        raise ConfigurationError(describe_unknown("OTEL_TRACES_EXPORTER", wanted, ["otlp", "console", "none"]))
    protocol = next((value for name in _PROTOCOLS if (value := environment.get(name))), _PROTOCOL)
    if wanted == "otlp" and protocol != _PROTOCOL:
        raise ConfigurationError(f"invalid OTEL_EXPORTER_OTLP_PROTOCOL {protocol!r}: expected {_PROTOCOL}")
    return "console" if wanted == "console" else "otlp"


def begin_span(
    name: str,
    kind: Kind = "internal",
    *,
    parent: Any = None,
    links: Sequence[Any] = (),
    attributes: Mapping[str, Any] | None = None,
) -> Span:
    """Begin a step.

    Args:
        name: What it does, in few words of which there are not many.
        kind: Whether it answers somebody, or waits for an answer.
        parent: What it is part of (`Span.context`, `extract_context`); None for what is current.
        links: What else it is done for, as ``parent``; those that are None are left out.
        attributes: As of `Span.describe`.
    """
    if not is_tracing():
        return NO_SPAN
    from opentelemetry import trace

    kinds = {"internal": trace.SpanKind.INTERNAL, "server": trace.SpanKind.SERVER, "client": trace.SpanKind.CLIENT}
    linked = [trace.Link(trace.get_current_span(link).get_span_context()) for link in links if link is not None]
    span = Span(trace.get_tracer("warden", __version__).start_span(name, parent, kinds[kind], links=linked))
    span.set_attributes(attributes or {})
    return span


def is_tracing() -> bool:
    """Whether something may trace."""
    return _API in sys.modules


def find_context() -> Any:
    """Return the trace that the current step belongs to, as `begin_span` takes it; None where it is not kept."""
    if find_trace_id() is None:
        return None
    from opentelemetry.context import get_current

    return get_current()


def find_trace_id() -> str | None:
    """Return the id of the trace that the current step belongs to; None where it is not kept."""
    if not is_tracing():
        return None
    from opentelemetry.trace import get_current_span

    return _find_sampled_id(get_current_span())


def inject_context(headers: MutableMapping[str, str]) -> None:
    """Add the headers by which whoever is called goes on with the trace (W3C Trace Context: ``traceparent``)."""
    if is_tracing():
        from opentelemetry.propagate import inject

        inject(headers)


def extract_context(headers: Mapping[str, str]) -> Any:
    """Return the trace that a caller's headers are part of; None where nothing is traced."""
    if not is_tracing():
        return None
    from opentelemetry.propagate import extract

    return extract(headers)


def bind_context(call: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Return a function whose calls, in whatever thread, are part of the step that is current now."""
    if not is_tracing():
        return call
    context = contextvars.copy_context()

    def run(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        return context.copy().run(call, *args, **kwargs)

    return run


def _use(span: Any) -> Any:
    from opentelemetry.trace import use_span

    return use_span(span, record_exception=False, set_status_on_exception=False)


def _find_sampled_id(span: Any) -> str | None:
    context = span.get_span_context()
    return f"{context.trace_id:032x}" if context.is_valid and context.trace_flags.sampled else None
