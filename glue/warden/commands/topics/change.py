"""The steps that all verbs share: read the topics, ask the policy, send what is allowed, print the results."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from warden.base.errors import ConfigurationError, KafkaError
from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.options import read_login
from warden.commands.shared.unknown_clusters import print_unknown_clusters
from warden.commands.topics.options import ChangeOptions
from warden.policy.contract.decision_text import iter_decision_lines

if TYPE_CHECKING:
    from warden.enforce.sdk.evaluate import EvaluatedRequest
    from warden.enforce.sdk.warden import Warden
    from warden.policy.adapter import Result

__all__ = ["TopicRequest", "carry_out_change"]

_State = Mapping[str, Any]
_Sender = Callable[[str, Mapping[str, Any]], Mapping[str, str | None]]


@dataclass(frozen=True, slots=True)
class TopicRequest:
    """A Kafka request.

    Args:
        api: Its name, without ``TopicRequest``.
        fields: Its fields in camelCase.
    """

    api: str
    fields: Mapping[str, Any]


@dataclass(slots=True)
class _TopicChange:
    """What became of one topic."""

    topic: str
    result: "Result"
    decisions: list[Mapping[str, Any]] = field(default_factory=list)
    amended: list[Mapping[str, Any]] = field(default_factory=list)
    patch: list[Mapping[str, Any]] = field(default_factory=list)
    done: bool = False
    refused_by_kafka: str | None = None

    @property
    def is_going(self) -> bool:
        """Whether nobody has anything against it until now."""
        return self.result.allowed and self.refused_by_kafka is None


def carry_out_change(
    options: ChangeOptions,
    topics: Collection[str],
    requests: Callable[[_State], list[TopicRequest]],
    done: str,
    *,
    labels: Mapping[str, Mapping[str, str]] | None = None,
    activity: bool = False,
) -> int:
    """Carry out a change of topics, as far as it is allowed, and print what became of each.

    Of a topic that is in several requests, none is sent when one is denied, or when Kafka would refuse one: several are
    tried with validateOnly first.

    Args:
        options: Those of the command.
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
    from warden.enforce.sdk.evaluate import evaluate_request
    from warden.enforce.sdk.warden import Warden
    from warden.policy.opa.session import open_session
    from warden.state.sources.kafka.change_requests import send_change
    from warden.state.sources.kafka.login.connection import connect
    from warden.state.sources.kafka.read.request_state import collect_topics_state

    if options.state == "replicated" and not options.opa.urls:
        raise ConfigurationError(
            "--state replicated needs --opa-url: an OPA that is started here has no replicated state"
        )
    from warden.policy.adapter import parse_request

    security = read_login(options.command_config)
    with connect(options.bootstrap_server, security=security, timeout=options.timeout) as connection:
        state = collect_topics_state(connection, topics, activity=activity and options.state == "collected")
        kafka_requests = requests(state)
        if not kafka_requests:
            return _show([], options, done)
        with open_session(options.opa) as session, session.build_client() as client:
            cluster = options.cluster or state["meta"]["clusterId"]
            print_unknown_clusters(client, [options.cluster] if options.cluster else [])
            warden = Warden(
                client, cluster=cluster, principal=options.principal, enforcement_point=options.enforcement_point
            )
            shown = state if options.state == "collected" else None
            parsed = [parse_request(req.api, req.fields, validate_only=options.validate_only) for req in kafka_requests]
            evaluated = [evaluate_request(warden, request, state=shown, labels=labels) for request in parsed]
            topic_changes = _build_topic_changes(evaluated, warden)
        send = partial(send_change, connection, timeout=options.timeout)
        if len(evaluated) > 1 and not options.validate_only:
            _send(evaluated, topic_changes, lambda form, request: send(form, {**request, "validateOnly": True}))
        _send(evaluated, topic_changes, send)
    return _show(list(topic_changes.values()), options, done)


def _build_topic_changes(evaluated: list["EvaluatedRequest"], warden: "Warden") -> dict[str, _TopicChange]:
    topic_changes: dict[str, _TopicChange] = {}
    for request in evaluated:
        for key, item in request.parsed.items.items():
            name = str(item.name)
            topic_change = topic_changes.setdefault(name, _TopicChange(name, request.results[key]))
            if topic_change.result.allowed:
                topic_change.result = request.results[key]
            if key in request.decisions:
                decision = request.decisions[key]
                topic_change.decisions.append(decision.document)
                if not decision.allowed:
                    patch = warden.suggest_fix_for(request.documents[key], decision.document).patch
                    topic_change.patch += () if patch is None else patch.operations
            if key in request.amended:
                topic_change.amended.append(request.amended[key]["request"])
    return topic_changes


def _send(evaluated: list["EvaluatedRequest"], topic_changes: Mapping[str, _TopicChange], send: _Sender) -> None:
    """Send what is left of the requests, and note what Kafka has against each topic."""
    from warden.policy.adapter import Result

    stopped = Result(-1, "UNKNOWN_SERVER_ERROR")
    for evaluated_request in evaluated:
        left = {key: topic_changes[str(item.name)] for key, item in evaluated_request.parsed.items.items()}
        results = {key: topic_change.result if topic_change.is_going else stopped for key, topic_change in left.items()}
        request = replace(evaluated_request, results=results).request
        if request is None:
            continue
        refusals = send(evaluated_request.parsed.api, request)
        for topic_change in left.values():
            if topic_change.is_going:
                topic_change.refused_by_kafka = refusals.get(topic_change.topic, "no answer about it")
                topic_change.done = topic_change.refused_by_kafka is None


def _show(topic_changes: list[_TopicChange], options: ChangeOptions, done: str) -> int:
    if options.output == "json":
        click.echo(
            json.dumps(
                {"results": [_build_document(topic_change, options) for topic_change in topic_changes]}, indent=2
            )
        )
    else:
        for topic_change in topic_changes:
            click.echo("\n".join(_iter_lines(topic_change, options, done)))
        if not topic_changes:
            click.echo("nothing to do")
    refused = [
        f"{topic_change.topic}: {topic_change.refused_by_kafka}"
        for topic_change in topic_changes
        if topic_change.refused_by_kafka
    ]
    if refused:
        raise KafkaError(f"allowed by the policy, and refused by Kafka: {'; '.join(refused)}")
    return EXIT_OK if all(topic_change.result.allowed for topic_change in topic_changes) else EXIT_DENIED


def _build_document(topic_change: _TopicChange, options: ChangeOptions) -> dict[str, Any]:
    return {
        "topic": topic_change.topic,
        "allowed": topic_change.result.allowed,
        "done": topic_change.done and not options.validate_only,
        **topic_change.result.to_document(),
        "refusedByKafka": topic_change.refused_by_kafka,
        "decisions": topic_change.decisions,
        "offered": topic_change.amended,
        "patch": topic_change.patch,
    }


def _iter_lines(topic_change: _TopicChange, options: ChangeOptions, done: str) -> Iterator[str]:
    if topic_change.refused_by_kafka:
        yield f"{topic_change.topic}: refused by Kafka: {topic_change.refused_by_kafka}"
    elif not topic_change.result.allowed:
        yield f"{topic_change.topic}: denied: {topic_change.result.error_name}"
    else:
        yield f"{topic_change.topic}: {'allowed, nothing was done' if options.validate_only else done}"
    for decision in topic_change.decisions:
        _, *reasons = iter_decision_lines(decision)
        yield from reasons
    if not topic_change.decisions and topic_change.result.error_message:
        yield f"  {topic_change.result.error_message}"
    for request in topic_change.amended:
        yield f"  with the policy's configs: {json.dumps(request['configs'], sort_keys=True)}"
    if topic_change.patch:
        yield f"  allowed with this patch: {json.dumps(topic_change.patch)}"
