"""Send Kafka's requests that change something, as its JSON writes them, and read the errors of the answer."""

import re
from collections.abc import Mapping
from typing import Any

from warden.base.errors import KafkaError
from warden.policy.bundle.catalog import read_catalog
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed, format_reason
from warden.state.sources.kafka.read.last_write_times import read_leaders

__all__ = ["send_change"]

_WITH_ONE_ERROR = ("AlterPartitionReassignments",)  # whose response has an error of its own beside its results
_RESULTS = {  # else "responses"
    "AlterClientQuotas": "entries",
    "AlterUserScramCredentials": "results",
    "CreatePartitions": "results",
    "CreateTopics": "topics",
    "DeleteRecords": "topics",
}


def send_change(
    connection: Connection,
    form: str,
    request: Mapping[str, Any],
    *,
    timeout: float = 30.0,
    node: int | None = None,
) -> dict[str, str | None]:
    """Send a request and return, for each resource, what Kafka has against it; None where it is done.

    Args:
        connection: The cluster.
        form: The request's name, without ``Request``, such as ``CreateTopics``.
        request: Its fields in camelCase.
        timeout: Seconds that brokers may take, for requests that tell them.
        node: The node to send it to; None for any.

    Raises:
        KafkaError: The cluster refuses or does not know the request as a whole.
    """
    from kafka.protocol import admin

    message = getattr(admin, f"{form}Request")
    if "timeout_ms" in message._struct.fields:  # noqa: SLF001 - what a message is made of has no public name
        request = {"timeoutMs": int(timeout * 1000), **request}
    try:
        if form == "DeleteRecords":
            return _send_to_leaders(connection, message, request)
        return _parse_errors(
            form, connection.send(_build_message(message, request), node, check=form in _WITH_ONE_ERROR)
        )
    except NotDisclosed as refused:
        raise KafkaError(
            f"the cluster at {connection.bootstrap_servers} refuses {form}: {refused}", code=refused.code
        ) from None


def _send_to_leaders(connection: Connection, message: Any, request: Mapping[str, Any]) -> dict[str, str | None]:
    """Records are deleted by the leader of each partition."""
    by_leader: dict[int | None, dict[str, list[Any]]] = {}
    leaders = read_leaders(connection, [topic["name"] for topic in request["topics"]])
    for topic in request["topics"]:
        of_topic = dict(enumerate(leaders.get(topic["name"], ())))
        for partition in topic["partitions"]:
            leader_id = of_topic.get(partition["partitionIndex"], -1)
            named = by_leader.setdefault(leader_id if leader_id >= 0 else None, {})
            named.setdefault(topic["name"], []).append(partition)
    errors: dict[str, str | None] = {}
    for leader, topics in by_leader.items():
        part = {"topics": [{"name": name, "partitions": partitions} for name, partitions in topics.items()]}
        answer = connection.send(_build_message(message, {**request, **part}), leader, check=False)
        for name, error in _parse_errors("DeleteRecords", answer).items():
            errors[name] = errors.get(name) or error
    return errors


def _parse_errors(form: str, answer: Any) -> dict[str, str | None]:
    errors: dict[str, str | None] = {}
    for result in getattr(answer, _RESULTS.get(form, "responses")):
        name = str(getattr(result, "resource_name", None) or getattr(result, "name", ""))
        for part in getattr(result, "partitions", None) or [result]:
            if part.error_code:
                errors[name] = errors.get(name) or _format_error(part.error_code, getattr(part, "error_message", None))
        errors.setdefault(name, None)
    return errors


def _format_error(code: int, message: str | None) -> str:
    """Kafka's own name of an error, where the catalogue has it, and its text."""
    name = next((name for name, number in read_catalog("errors").items() if number == code), None)
    return (
        format_reason(code, message) if name is None else ": ".join([name, *([message.rstrip(".")] if message else [])])
    )


def _build_message(container: Any, fields: Mapping[str, Any]) -> Any:
    """Return kafka-python's message, or a struct of one, with these fields."""
    schema = container._struct.fields  # noqa: SLF001 - what a message is made of has no public name
    values = {}
    for camel, value in fields.items():
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", camel).lower()
        field = schema[name]
        nested = field.is_struct_array() and value is not None
        values[name] = [_build_message(field.data_class, element) for element in value] if nested else value
    return container(**values)
