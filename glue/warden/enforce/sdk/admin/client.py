"""confluent-kafka's AdminClient, asking the policy before anything is changed."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, TypeVar

from confluent_kafka import ConsumerGroupTopicPartitions, ElectionType, KafkaError, KafkaException, TopicPartition
from confluent_kafka.admin import (
    AclBinding,
    AclBindingFilter,
    AdminClient,
    ConfigResource,
    DeletedRecords,
    NewPartitions,
    NewTopic,
    UserScramCredentialAlteration,
)

from warden.base.errors import WardenError
from warden.enforce.sdk.admin import requests
from warden.enforce.sdk.evaluate import EvaluatedRequest, evaluate_request
from warden.enforce.sdk.warden import Warden
from warden.policy.adapter import ParsedRequest, parse_request
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.read.request_state import collect_topics_state

__all__ = ["PolicyAdminClient"]

_Item = TypeVar("_Item")
_Futures = dict[Any, "Future[Any]"]
_Rewrite = Callable[[Any, Mapping[str, Any]], Any]
_DELETIONS: Final = frozenset({"DeleteRecords", "DeleteTopics"})


class PolicyAdminClient(AdminClient):
    """Stands in for ``confluent_kafka.admin.AdminClient``: what the policy denies never reaches Kafka.

    Methods take and return what the original's do; an argument that is no list of what they take raises a
    TypeError. The future of what is denied fails with ``KafkaException(KafkaError(POLICY_VIOLATION, message))``, or
    with the error that Kafka itself would give; the others of the same call go on. Where nothing was decided it fails
    with UNKNOWN and has the `WardenError` as its cause: an `OpaError`, or where the cluster's state could not be read
    the `KafkaError` of this package. Configs that the policy wants on a topic replace the caller's.

    `delete_topics` and `delete_records` take ``validate_only`` too (KIP-201): nothing is deleted then. `create_topics`
    takes ``labels``, such as ``{"orders": {"owner": "payments"}}``, for rules about them.

    Reading needs no decision: those methods are the original's own.

    Args:
        conf: librdkafka's configuration.
        warden: The client that decides.
        connection: By which the cluster's state is read for each call, for the topics concerned, and sent along (from
            `warden.connect`); None where OPA has it replicated.
        kwargs: As for the original.
    """

    def __init__(
        self,
        conf: Mapping[str, Any],
        *,
        warden: Warden,
        connection: Connection | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(dict(conf), **kwargs)
        self._warden = warden
        self._connection = connection

    def create_topics(
        self, new_topics: list[NewTopic], *, labels: Mapping[str, Mapping[str, str]] | None = None, **kwargs: Any
    ) -> dict[str, "Future[None]"]:
        """Create what is allowed of some topics; as the original, with ``labels`` by topic for the policy."""
        _check_list(new_topics, NewTopic)
        parsed = parse_request(
            "CreateTopics", requests.build_create_topics_request(new_topics), validate_only=_is_validate_only(kwargs)
        )
        send = partial(super().create_topics, **kwargs)
        return self._carry_out(parsed, new_topics, _get_topic, send, requests.with_configs, labels)

    def create_partitions(self, new_partitions: list[NewPartitions], **kwargs: Any) -> dict[str, "Future[None]"]:
        """Add what is allowed of some partitions; as the original."""
        _check_list(new_partitions, NewPartitions)
        parsed = parse_request(
            "CreatePartitions",
            requests.build_create_partitions_request(new_partitions),
            validate_only=_is_validate_only(kwargs),
        )
        send = partial(super().create_partitions, **kwargs)
        return self._carry_out(parsed, new_partitions, _get_topic, send)

    def delete_topics(
        self, topics: list[str], *, validate_only: bool = False, **kwargs: Any
    ) -> dict[str, "Future[None]"]:
        """Delete what is allowed of some topics; with ``validate_only`` nothing is deleted."""
        _check_list(topics, str)
        parsed = parse_request(
            "DeleteTopics", requests.build_delete_topics_request(topics), validate_only=validate_only
        )
        send = partial(super().delete_topics, **kwargs)
        return self._carry_out(parsed, topics, str, _build_completed_futures if validate_only else send)

    def delete_records(
        self, topic_partition_offsets: list[TopicPartition], *, validate_only: bool = False, **kwargs: Any
    ) -> dict[TopicPartition, "Future[DeletedRecords | None]"]:
        """Delete what is allowed of some records; with ``validate_only`` nothing is deleted."""
        _check_list(topic_partition_offsets, TopicPartition)
        parsed = parse_request(
            "DeleteRecords", requests.build_delete_records_request(topic_partition_offsets), validate_only=validate_only
        )
        send = partial(super().delete_records, **kwargs)
        return self._carry_out(
            parsed, topic_partition_offsets, _return_unchanged, _build_completed_futures if validate_only else send
        )

    def alter_configs(self, resources: list[ConfigResource], **kwargs: Any) -> dict[ConfigResource, "Future[None]"]:
        """Replace what is allowed of some resources' configs; as the original."""
        _check_list(resources, ConfigResource)
        parsed = parse_request(
            "AlterConfigs", requests.build_alter_configs_request(resources), validate_only=_is_validate_only(kwargs)
        )
        send = partial(super().alter_configs, **kwargs)
        return self._carry_out(parsed, resources, _return_unchanged, send, requests.with_entries)

    def incremental_alter_configs(
        self, resources: list[ConfigResource], **kwargs: Any
    ) -> dict[ConfigResource, "Future[None]"]:
        """Change what is allowed of some resources' configs; as the original."""
        _check_list(resources, ConfigResource)
        request = requests.build_incremental_alter_configs_request(resources)
        parsed = parse_request("IncrementalAlterConfigs", request, validate_only=_is_validate_only(kwargs))
        send = partial(super().incremental_alter_configs, **kwargs)
        return self._carry_out(parsed, resources, _return_unchanged, send, requests.with_changes)

    def create_acls(self, acls: list[AclBinding], **kwargs: Any) -> dict[AclBinding, "Future[None]"]:
        """Create what is allowed of some access control entries; as the original."""
        _check_list(acls, AclBinding)
        send = partial(super().create_acls, **kwargs)
        return self._decide_and_send(
            "CreateAcl", acls, lambda acl: {"acl": requests.build_acl(acl)}, _return_unchanged, send
        )

    def delete_acls(
        self, acl_binding_filters: list[AclBindingFilter], **kwargs: Any
    ) -> dict[AclBindingFilter, "Future[list[AclBinding]]"]:
        """Delete what is allowed of the access control entries that some filters match; as the original."""
        _check_list(acl_binding_filters, AclBindingFilter)
        send = partial(super().delete_acls, **kwargs)
        return self._decide_and_send(
            "DeleteAcl", acl_binding_filters, lambda acl: {"acl": requests.build_acl(acl)}, _return_unchanged, send
        )

    def alter_user_scram_credentials(
        self, alterations: list[UserScramCredentialAlteration], **kwargs: Any
    ) -> dict[str, "Future[None]"]:
        """Change what is allowed of some users' credentials: all of a user's, or none. As the original."""
        _check_list(alterations, UserScramCredentialAlteration)
        send = partial(super().alter_user_scram_credentials, **kwargs)
        return self._decide_and_send(
            "AlterScram", alterations, requests.build_scram_request, lambda alteration: alteration.user, send
        )

    def delete_consumer_groups(self, group_ids: list[str], **kwargs: Any) -> dict[str, "Future[None]"]:
        """Delete what is allowed of some groups; as the original."""
        _check_list(group_ids, str)
        send = partial(super().delete_consumer_groups, **kwargs)
        return self._decide_and_send("DeleteGroup", group_ids, lambda group: {"group": group}, _return_unchanged, send)

    def alter_consumer_group_offsets(
        self, alter_consumer_group_offsets_request: list[ConsumerGroupTopicPartitions], **kwargs: Any
    ) -> dict[str, "Future[ConsumerGroupTopicPartitions]"]:
        """Alter the offsets of a group where that is allowed; as the original."""
        groups = alter_consumer_group_offsets_request
        _check_list(groups, ConsumerGroupTopicPartitions)
        send = partial(super().alter_consumer_group_offsets, **kwargs)
        return self._decide_and_send(
            "AlterGroupOffsets", groups, requests.build_group_offsets_request, lambda group: group.group_id, send
        )

    def elect_leaders(
        self, election_type: ElectionType, partitions: list[TopicPartition] | None = None, **kwargs: Any
    ) -> "Future[dict[TopicPartition, KafkaException | None]]":
        """Elect the leaders of all of some partitions, or of none of them; as the original."""
        request = requests.build_election_request(election_type, partitions)
        send = partial(super().elect_leaders, election_type, partitions, **kwargs)
        futures = self._decide_and_send("ElectLeaders", [request], dict, lambda _: "", lambda _: {"": send()})
        return futures[""]

    def _carry_out(
        self,
        parsed: ParsedRequest,
        items: Sequence[_Item],
        key: Callable[[_Item], Hashable],
        send: Callable[[list[_Item]], _Futures],
        rewrite: _Rewrite | None = None,
        labels: Mapping[str, Mapping[str, str]] | None = None,
    ) -> _Futures:
        """Ask about all of ``items`` (the n-th stands n-th in the request), and send what is allowed."""
        if not items:
            return send([])
        try:
            evaluated = evaluate_request(self._warden, parsed, state=self._read_state(parsed), labels=labels)
        except WardenError as error:
            return {key(item): _build_undecided_future(error) for item in items}
        name = "topics" if "topics" in parsed.request else "resources"
        failed: _Futures = {}
        kept: list[_Item] = []
        for index, item in enumerate(items):
            result = evaluated.get_result((name, index))
            if result.allowed:
                kept.append(_apply_suggestion(evaluated, (name, index), item, rewrite))
            else:
                failed[key(item)] = _build_failed_future(result.error_code, result.error_message or result.error_name)
        sent = send(kept) if kept else {}
        return {key(item): failed[key(item)] if key(item) in failed else sent[key(item)] for item in items}

    def _decide_and_send(
        self,
        operation: str,
        items: Sequence[_Item],
        request: Callable[[_Item], Mapping[str, Any]],
        key: Callable[[_Item], Hashable],
        send: Callable[[list[_Item]], _Futures],
    ) -> _Futures:
        """As `_carry_out`, with a decision input of each item in place of a request of Kafka's for all.

        Of items with the same key one denial fails all.
        """
        if not items:
            return send([])
        inputs = {str(index): {"operation": operation, "request": request(item)} for index, item in enumerate(items)}
        try:
            state = collect_topics_state(self._connection, ()) if self._connection else None
            decisions = self._warden.decide_many(inputs, state=state, in_order=True)
        except WardenError as error:
            return {key(item): _build_undecided_future(error) for item in items}
        denied = {
            key(item): decision.error
            for item, decision in zip(items, decisions.values(), strict=True)
            if decision.error is not None
        }
        kept = [item for item in items if key(item) not in denied]
        failed = {at: _build_failed_future(error.code, error.message) for at, error in denied.items()}
        return failed | (send(kept) if kept else {})

    def _read_state(self, parsed: ParsedRequest) -> dict[str, Any] | None:
        if self._connection is None:
            return None
        topics = {item.name for item in parsed.items.values() if item.resource_type == "topic" and item.name}
        return collect_topics_state(self._connection, topics, activity=parsed.api in _DELETIONS)


def _check_list(items: Any, kind: type) -> None:
    if not isinstance(items, list) or not all(isinstance(item, kind) for item in items):
        raise TypeError(f"Expected list of {kind.__name__}")


def _is_validate_only(kwargs: Mapping[str, Any]) -> bool:
    return bool(kwargs.get("validate_only", False))


def _get_topic(item: Any) -> str:
    return str(item.topic)


def _return_unchanged(item: _Item) -> _Item:
    return item


def _apply_suggestion(
    evaluated: EvaluatedRequest, position: tuple[str, int], item: _Item, rewrite: _Rewrite | None
) -> _Item:
    request = evaluated.find_amended(position)
    return item if request is None or rewrite is None else rewrite(item, request)


def _build_completed_futures(keys: list[Any]) -> _Futures:
    done: _Futures = {}
    for key in keys:
        done[key] = Future()
        done[key].set_result(None)
    return done


def _build_failed_future(code: int, message: str, cause: BaseException | None = None) -> "Future[Any]":
    future: Future[Any] = Future()
    error = KafkaException(KafkaError(code, message))
    error.__cause__ = cause
    future.set_exception(error)
    return future


def _build_undecided_future(error: WardenError) -> "Future[Any]":
    return _build_failed_future(KafkaError.UNKNOWN, f"nothing was decided, so nothing is carried out: {error}", error)
