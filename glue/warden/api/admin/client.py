"""confluent-kafka's AdminClient, asking the policy before anything is changed."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, Literal, TypeVar

from confluent_kafka import KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AdminClient,
    ConfigResource,
    NewPartitions,
    NewTopic,
    UserScramCredentialAlteration,
)

from warden.adapter import ParsedRequest, parse_request
from warden.api.admin import requests
from warden.api.admin.state import collect_state
from warden.api.evaluate import EvaluatedRequest, evaluate_request
from warden.api.warden import Warden
from warden.errors import WardenError

__all__ = ["PolicyAdminClient"]

_Thing = TypeVar("_Thing")
_Futures = dict[Any, "Future[Any]"]
_Rewrite = Callable[[Any, Mapping[str, Any]], Any]


class PolicyAdminClient(AdminClient):
    """Stands in for ``confluent_kafka.admin.AdminClient``: what the policy denies never reaches Kafka.

    Methods take and return what the original's do. The future of what is denied fails with
    ``KafkaException(KafkaError(POLICY_VIOLATION, message))``, or with the error that Kafka itself would give; the
    others of the same call go on. Where nothing was decided (OPA is out of reach) it fails with UNKNOWN and has the
    `OpaError` as its cause. Configs that the policy wants on a topic replace the caller's.

    `delete_topics` and `delete_records` take ``validate_only`` too (KIP-201): nothing is deleted then. `create_topics`
    takes ``labels``, such as ``{"orders": {"owner": "payments"}}``, for rules about them.

    Reading needs no decision, and neither do consumer group offsets and the election of leaders, for which there is no
    operation: those methods are the original's own.

    Args:
        conf: librdkafka's configuration.
        warden: The client that decides.
        state: ``replicated``: OPA has the cluster's state. ``collected``: it is read from the cluster for each call,
            for the topics concerned, and sent along.
        timeout: Seconds for each request with which state is collected.
        kwargs: As for the original.
    """

    def __init__(
        self,
        conf: Mapping[str, Any],
        *,
        warden: Warden,
        state: Literal["replicated", "collected"] = "replicated",
        timeout: float = 15.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(dict(conf), **kwargs)
        self._warden = warden
        self._collects = state == "collected"
        self._timeout = timeout

    def create_topics(
        self, new_topics: list[NewTopic], *, labels: Mapping[str, Mapping[str, str]] | None = None, **kwargs: Any
    ) -> dict[str, "Future[Any]"]:
        """Create what is allowed of some topics; as the original, with ``labels`` by topic for the policy."""
        _expect(new_topics, NewTopic)
        parsed = parse_request("CreateTopics", requests.create_topics(new_topics), validate_only=_validates(kwargs))
        send = partial(super().create_topics, **kwargs)
        return self._carry_out(parsed, new_topics, _topic, send, requests.with_configs, labels)

    def create_partitions(self, new_partitions: list[NewPartitions], **kwargs: Any) -> dict[str, "Future[Any]"]:
        """Add what is allowed of some partitions; as the original."""
        _expect(new_partitions, NewPartitions)
        parsed = parse_request(
            "CreatePartitions", requests.create_partitions(new_partitions), validate_only=_validates(kwargs)
        )
        send = partial(super().create_partitions, **kwargs)
        return self._carry_out(parsed, new_partitions, _topic, send)

    def delete_topics(
        self, topics: list[str], *, validate_only: bool = False, **kwargs: Any
    ) -> dict[str, "Future[Any]"]:
        """Delete what is allowed of some topics; with ``validate_only`` nothing is deleted."""
        _expect(topics, str)
        parsed = parse_request("DeleteTopics", requests.delete_topics(topics), validate_only=validate_only)
        send = partial(super().delete_topics, **kwargs)
        return self._carry_out(parsed, topics, str, _nothing_done if validate_only else send)

    def delete_records(
        self, topic_partition_offsets: list[TopicPartition], *, validate_only: bool = False, **kwargs: Any
    ) -> dict[TopicPartition, "Future[Any]"]:
        """Delete what is allowed of some records; with ``validate_only`` nothing is deleted."""
        _expect(topic_partition_offsets, TopicPartition)
        parsed = parse_request(
            "DeleteRecords", requests.delete_records(topic_partition_offsets), validate_only=validate_only
        )
        send = partial(super().delete_records, **kwargs)
        return self._carry_out(parsed, topic_partition_offsets, _itself, _nothing_done if validate_only else send)

    def alter_configs(self, resources: list[ConfigResource], **kwargs: Any) -> dict[ConfigResource, "Future[Any]"]:
        """Replace what is allowed of some resources' configs; as the original."""
        _expect(resources, ConfigResource)
        parsed = parse_request("AlterConfigs", requests.alter_configs(resources), validate_only=_validates(kwargs))
        send = partial(super().alter_configs, **kwargs)
        return self._carry_out(parsed, resources, _itself, send, requests.with_entries)

    def incremental_alter_configs(
        self, resources: list[ConfigResource], **kwargs: Any
    ) -> dict[ConfigResource, "Future[Any]"]:
        """Change what is allowed of some resources' configs; as the original."""
        _expect(resources, ConfigResource)
        request = requests.incremental_alter_configs(resources)
        parsed = parse_request("IncrementalAlterConfigs", request, validate_only=_validates(kwargs))
        send = partial(super().incremental_alter_configs, **kwargs)
        return self._carry_out(parsed, resources, _itself, send, requests.with_changes)

    def create_acls(self, acls: list[AclBinding], **kwargs: Any) -> dict[AclBinding, "Future[Any]"]:
        """Create what is allowed of some access control entries; as the original."""
        _expect(acls, AclBinding)
        send = partial(super().create_acls, **kwargs)
        return self._decide("CreateAcl", acls, lambda acl: {"acl": requests.acl(acl)}, _itself, send)

    def delete_acls(
        self, acl_binding_filters: list[AclBindingFilter], **kwargs: Any
    ) -> dict[AclBindingFilter, "Future[Any]"]:
        """Delete what is allowed of the access control entries that some filters match; as the original."""
        _expect(acl_binding_filters, AclBindingFilter)
        send = partial(super().delete_acls, **kwargs)
        return self._decide("DeleteAcl", acl_binding_filters, lambda acl: {"acl": requests.acl(acl)}, _itself, send)

    def alter_user_scram_credentials(
        self, alterations: list[UserScramCredentialAlteration], **kwargs: Any
    ) -> dict[str, "Future[Any]"]:
        """Change what is allowed of some users' credentials: all of a user's, or none. As the original."""
        _expect(alterations, UserScramCredentialAlteration)
        send = partial(super().alter_user_scram_credentials, **kwargs)
        return self._decide("AlterScram", alterations, requests.scram, lambda alteration: alteration.user, send)

    def _carry_out(
        self,
        parsed: ParsedRequest,
        given: Sequence[_Thing],
        key: Callable[[_Thing], Hashable],
        send: Callable[[list[_Thing]], _Futures],
        rewrite: _Rewrite | None = None,
        labels: Mapping[str, Mapping[str, str]] | None = None,
    ) -> _Futures:
        """Ask about all of ``given`` (the n-th stands n-th in the request), and send what is allowed."""
        if not given:
            return send([])
        try:
            evaluated = evaluate_request(self._warden, parsed, state=self._state(parsed), labels=labels)
        except WardenError as error:
            return {key(thing): _undecided(error) for thing in given}
        name = "topics" if "topics" in parsed.request else "resources"
        failed: _Futures = {}
        kept: list[_Thing] = []
        for index, thing in enumerate(given):
            result = evaluated.of((name, index))
            if result.allowed:
                kept.append(_offered(evaluated, (name, index), thing, rewrite))
            else:
                failed[key(thing)] = _failed(result.error_code, result.error_message or result.error_name)
        sent = send(kept) if kept else {}
        return {key(thing): failed[key(thing)] if key(thing) in failed else sent[key(thing)] for thing in given}

    def _decide(
        self,
        operation: str,
        given: Sequence[_Thing],
        request: Callable[[_Thing], Mapping[str, Any]],
        key: Callable[[_Thing], Hashable],
        send: Callable[[list[_Thing]], _Futures],
    ) -> _Futures:
        """As `_carry_out`, for what has no request form; of things with the same key one denial fails all."""
        if not given:
            return send([])
        inputs = {str(index): {"operation": operation, "request": request(thing)} for index, thing in enumerate(given)}
        try:
            state = collect_state(self, (), timeout=self._timeout) if self._collects else None
            decisions = self._warden.decide_many(inputs, state=state)
        except WardenError as error:
            return {key(thing): _undecided(error) for thing in given}
        denied = {
            key(thing): decision.error
            for thing, decision in zip(given, decisions.values(), strict=True)
            if decision.error is not None
        }
        kept = [thing for thing in given if key(thing) not in denied]
        failed = {at: _failed(error.code, error.message) for at, error in denied.items()}
        return failed | (send(kept) if kept else {})

    def _state(self, parsed: ParsedRequest) -> dict[str, Any] | None:
        if not self._collects:
            return None
        topics = {item.name for item in parsed.items.values() if item.resource_type == "topic" and item.name}
        return collect_state(self, topics, timeout=self._timeout)


def _expect(things: Any, kind: type) -> None:
    if not isinstance(things, list) or not all(isinstance(thing, kind) for thing in things):
        raise TypeError(f"Expected list of {kind.__name__}")


def _validates(kwargs: Mapping[str, Any]) -> bool:
    return bool(kwargs.get("validate_only", False))


def _topic(thing: Any) -> str:
    return str(thing.topic)


def _itself(thing: _Thing) -> _Thing:
    return thing


def _offered(evaluated: EvaluatedRequest, position: tuple[str, int], thing: _Thing, rewrite: _Rewrite | None) -> _Thing:
    request = evaluated.amended_at(position)
    return thing if request is None or rewrite is None else rewrite(thing, request)


def _nothing_done(things: list[Any]) -> _Futures:
    done: _Futures = {}
    for thing in things:
        done[thing] = Future()
        done[thing].set_result(None)
    return done


def _failed(code: int, message: str, cause: BaseException | None = None) -> "Future[Any]":
    future: Future[Any] = Future()
    error = KafkaException(KafkaError(code, message))
    error.__cause__ = cause
    future.set_exception(error)
    return future


def _undecided(error: WardenError) -> "Future[Any]":
    return _failed(KafkaError.UNKNOWN, f"nothing was decided, so nothing is carried out: {error}", error)
