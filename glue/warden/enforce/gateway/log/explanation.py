"""Why a request was denied, from the lines that gateways and OPA have logged. No input or output."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from warden.enforce.gateway.log.log_filter import (
    LogLine,
    LogQuery,
    filter_decisions,
    format_decisions,
    is_request,
)
from warden.policy.contract.effect import format_rule_and_effect

__all__ = ["ExplainQuery", "iter_log_lines", "iter_text_lines", "select_decisions", "select_requests"]

_EXTENTS: Final = {
    "all": "all of it went on",
    "some": "some of it went on",
    "none": "none of it went on",
    "amended": "it went on with configs of the policy",
}


@dataclass(frozen=True, slots=True)
class ExplainQuery:
    """What is looked for: a decision, or a request.

    Args:
        decision_id: Of OPA.
        cluster: The cluster's name.
        correlation_id: The client's number of the request.
        client_id: What the client calls itself; None for any.
        trace_id: Of the request's trace.
    """

    decision_id: str | None = None
    cluster: str | None = None
    correlation_id: int | None = None
    client_id: str | None = None
    trace_id: str | None = None

    def matches(self, line: LogLine) -> bool:
        """Return whether a gateway's line is about it."""
        if self.decision_id is not None:
            return self.decision_id in line.get("decisionIds", ())
        if self.trace_id is not None:
            return self.trace_id == line.get("traceId")
        return (line.get("cluster"), line.get("correlationId")) == (self.cluster, self.correlation_id) and (
            self.client_id in (None, line.get("clientId"))
        )


def select_requests(lines: Iterable[str], sought: ExplainQuery) -> list[LogLine]:
    """Return the gateways' lines about what is sought; of a log, lines that are something else are passed over."""
    return [line for line in iter_log_lines(lines) if is_request(line) and sought.matches(line)]


def select_decisions(lines: Iterable[str], ids: Iterable[str]) -> dict[str, LogLine]:
    """Return OPA's decisions by their ids, from lines of its decision log."""
    sought = set(ids)
    decided = ((line.get("decision_id"), line) for line in iter_log_lines(lines))
    return {id_: line for id_, line in decided if isinstance(id_, str) and id_ in sought}


def iter_text_lines(requests: Iterable[LogLine], decisions: Mapping[str, LogLine]) -> Iterator[str]:
    """Yield what was found, for people.

    Args:
        requests: From `select_requests`.
        decisions: From `select_decisions`.
    """
    shown = set()
    for line in requests:
        client = f"client {line.get('clientId') or 'without a name'} at {line.get('client')}"
        yield (
            f"{line.get('time')} {line.get('cluster')}: {line.get('api')} v{line.get('version')} of "
            f"{line.get('principal')}, correlation id {line.get('correlationId')}, {client}: "
            f"{_EXTENTS.get(line.get('forwarded', ''), 'decided')}"
            f"{', and no policy decides about it' if line.get('decided') is False else ''}"
        )
        for item in line.get("items", ()):
            yield from _describe_item(item)
        ids = line.get("decisionIds", ())
        for id_, prefix in zip(ids, line.get("decisionKeys") or [""] * len(ids), strict=False):
            shown.add(id_)
            yield f"  decision {id_}" + ("" if id_ in decisions else ": not in these decision logs")
            yield from _describe_decision(decisions.get(id_, {}), prefix)
    for id_, entry in decisions.items():
        if id_ in shown:
            continue
        if rows := filter_decisions([entry], LogQuery()):  # of another enforcement point, or without the gateway's log
            yield from format_decisions(rows)
        else:
            yield f"{entry.get('timestamp')} decision {id_}"
            yield from _describe_decision(entry)


def _describe_item(item: LogLine) -> Iterator[str]:
    error = f" {item['error']}" if item.get("error") else ""
    yield f"  {item.get('type')} {item.get('name')}: {'allowed' if item.get('allowed') else 'denied'}{error}"
    if item.get("message"):
        yield f"    {item['message']}"
    if item.get("rules"):
        yield f"    rules: {', '.join(item['rules'])}"


def _describe_decision(entry: LogLine, prefix: str = "") -> Iterator[str]:
    """Yield what was decided about the items whose keys begin so: OPA decides about those of others beside them."""
    result = entry.get("result")
    for key, decision in result.items() if isinstance(result, dict) else ():
        if isinstance(decision, dict) and key.startswith(prefix):
            for violation in decision.get("violations", ()):
                yield f"    {key.removeprefix(prefix)}: {format_rule_and_effect(violation)}: {violation.get('message')}"


def iter_log_lines(lines: Iterable[str]) -> Iterator[LogLine]:
    """Yield the JSON objects of a log, whatever stands before and between them.

    Args:
        lines: Of logs.
    """
    for line in lines:
        start = line.find("{")  # container runtimes put a time and more before it
        if start < 0:
            continue
        try:
            document = json.loads(line[start:])
        except (ValueError, RecursionError):
            continue
        if isinstance(document, dict):
            yield document
