"""The steps that all verbs share: read the topics, ask the policy, send what is allowed, print the results."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.decision_text import decision_lines
from warden.cli.topics.options import Asking
from warden.errors import ConfigurationError, KafkaError

if TYPE_CHECKING:
    from warden.adapter import Result
    from warden.client.evaluate import EvaluatedRequest
    from warden.client.warden import Warden

__all__ = ["Request", "change"]

_State = Mapping[str, Any]
_Sender = Callable[[str, Mapping[str, Any]], Mapping[str, str | None]]


@dataclass(frozen=True, slots=True)
class Request:
    """A Kafka request.

    Args:
        api: Its name, without ``Request``.
        fields: Its fields in camelCase.
    """

    api: str
    fields: Mapping[str, Any]


@dataclass(slots=True)
class _Outcome:
    """What became of one topic."""

    topic: str
    result: "Result"
    decisions: list[Mapping[str, Any]] = field(default_factory=list)
    amended: list[Mapping[str, Any]] = field(default_factory=list)
    patch: list[Mapping[str, Any]] = field(default_factory=list)
    done: bool = False
    refused_by_kafka: str | None = None

    @property
    def going(self) -> bool:
        """Whether nobody has anything against it until now."""
        return self.result.allowed and self.refused_by_kafka is None


def change(
    asking: Asking,
    topics: Collection[str],
    requests: Callable[[_State], list[Request]],
    done: str,
    *,
    labels: Mapping[str, Mapping[str, str]] | None = None,
    activity: bool = False,
) -> int:
    """Carry out a change of topics, as far as it is allowed, and print what became of each.

    Of a topic that is in several requests, none is sent when one is denied, or when Kafka would refuse one: several are
    tried with validateOnly first.

    Args:
        asking: The options.
        topics: The topics that are concerned.
        requests: Makes the requests, once the cluster's state is known; none where there is nothing to do.
        done: What to say of a topic when it is done, such as "created".
        labels: Labels of new topics.
        activity: Whether it matters who reads and writes the topics.

    Returns:
        The exit status.

    Raises:
        OpaError: Nothing was decided.
        KafkaError: The cluster does not answer, or refuses what the policy allows.
    """
    from warden.client.evaluate import evaluate_request
    from warden.client.warden import Warden
    from warden.opa.session import open_session
    from warden.sources.kafka.connection import connect
    from warden.sources.kafka.partial_state import collect_concerned
    from warden.sources.kafka.requests import send_request
    from warden.sources.kafka.security import read_properties

    if asking.state == "replicated" and not asking.opa.urls:
        raise ConfigurationError(
            "--state replicated needs --opa-url: an OPA that is started here has no replicated state"
        )
    from warden.adapter import parse_request

    security = read_properties(asking.command_config) if asking.command_config else {}
    with connect(asking.bootstrap_server, security=security, timeout=asking.timeout) as connection:
        state = collect_concerned(connection, topics, activity=activity and asking.state == "collected")
        kafka_requests = requests(state)
        if not kafka_requests:
            return _show([], asking, done)
        with open_session(asking.opa) as session, session.client() as client:
            cluster = asking.cluster or state["meta"]["clusterId"]
            warden = Warden(
                client=client, cluster=cluster, principal=asking.principal, enforcement_point=asking.enforcement_point
            )
            shown = state if asking.state == "collected" else None
            parsed = [parse_request(one.api, one.fields, validate_only=asking.validate_only) for one in kafka_requests]
            evaluated = [evaluate_request(warden, one, state=shown, labels=labels) for one in parsed]
            outcomes = _outcomes(evaluated, warden)
        send = partial(send_request, connection, timeout=asking.timeout)
        if len(evaluated) > 1 and not asking.validate_only:
            _send(evaluated, outcomes, lambda form, request: send(form, {**request, "validateOnly": True}))
        _send(evaluated, outcomes, send)
    return _show(list(outcomes.values()), asking, done)


def _outcomes(evaluated: list["EvaluatedRequest"], warden: "Warden") -> dict[str, _Outcome]:
    outcomes: dict[str, _Outcome] = {}
    for one in evaluated:
        for key, item in one.parsed.items.items():
            name = str(item.name)
            outcome = outcomes.setdefault(name, _Outcome(name, one.results[key]))
            if outcome.result.allowed:
                outcome.result = one.results[key]
            if key in one.decisions:
                decision = one.decisions[key]
                outcome.decisions.append(decision.document)
                if not decision.allowed:
                    patch = warden.suggest_fix_for(one.documents[key], decision.document).patch
                    outcome.patch += () if patch is None else patch.operations
            if key in one.amended:
                outcome.amended.append(one.amended[key]["request"])
    return outcomes


def _send(evaluated: list["EvaluatedRequest"], outcomes: Mapping[str, _Outcome], send: _Sender) -> None:
    """Send what is left of the requests, and note what Kafka has against each topic."""
    from warden.adapter import Result

    stopped = Result(-1, "UNKNOWN_SERVER_ERROR")
    for one in evaluated:
        left = {key: outcomes[str(item.name)] for key, item in one.parsed.items.items()}
        results = {key: outcome.result if outcome.going else stopped for key, outcome in left.items()}
        request = replace(one, results=results).request
        if request is None:
            continue
        build_results = send(one.parsed.api, request)
        for outcome in left.values():
            if outcome.going:
                outcome.refused_by_kafka = build_results.get(outcome.topic, "no answer about it")
                outcome.done = outcome.refused_by_kafka is None


def _show(outcomes: list[_Outcome], asking: Asking, done: str) -> int:
    if asking.output == "json":
        click.echo(json.dumps({"results": [_document(outcome, asking) for outcome in outcomes]}, indent=2))
    else:
        for outcome in outcomes:
            click.echo("\n".join(_lines(outcome, asking, done)))
        if not outcomes:
            click.echo("nothing to do")
    refused = [f"{outcome.topic}: {outcome.refused_by_kafka}" for outcome in outcomes if outcome.refused_by_kafka]
    if refused:
        raise KafkaError(f"allowed by the policy, and refused by Kafka: {'; '.join(refused)}")
    return EXIT_OK if all(outcome.result.allowed for outcome in outcomes) else EXIT_DENIED


def _document(outcome: _Outcome, asking: Asking) -> dict[str, Any]:
    return {
        "topic": outcome.topic,
        "allowed": outcome.result.allowed,
        "done": outcome.done and not asking.validate_only,
        **outcome.result.document(),
        "refusedByKafka": outcome.refused_by_kafka,
        "decisions": outcome.decisions,
        "offered": outcome.amended,
        "patch": outcome.patch,
    }


def _lines(outcome: _Outcome, asking: Asking, done: str) -> Iterator[str]:
    if outcome.refused_by_kafka:
        yield f"{outcome.topic}: refused by Kafka: {outcome.refused_by_kafka}"
    elif not outcome.result.allowed:
        yield f"{outcome.topic}: denied: {outcome.result.error_name}"
    else:
        yield f"{outcome.topic}: {'allowed, nothing was done' if asking.validate_only else done}"
    for decision in outcome.decisions:
        _, *reasons = decision_lines(decision)
        yield from reasons
    if not outcome.decisions and outcome.result.error_message:
        yield f"  {outcome.result.error_message}"
    for request in outcome.amended:
        yield f"  with the policy's configs: {json.dumps(request['configs'], sort_keys=True)}"
    if outcome.patch:
        yield f"  allowed with this patch: {json.dumps(outcome.patch)}"
