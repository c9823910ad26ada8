"""Topics of a polled cluster: what changed since the last poll.

Metadata tells names, ids and assignments of all topics at once. Configs have no version that a client could ask for, so
they are described again: those of topics that are new or were made anew at once, those of all others in turn, always in
the same batches, so that `warden.state.sources.kafka.live.repeated_requests` notices when nothing changed.
"""

from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Sequence
from typing import Any

from warden.base.errors import KafkaUnreachable
from warden.state.sources.kafka.live.repeated_requests import AnswerDigests
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed, format_reason
from warden.state.sources.kafka.read.configs import TOPIC, DescribedResource, iter_described, request_descriptions

__all__ = ["LiveTopics"]

_BATCH = 250
_GONE = (3, 100)  # UNKNOWN_TOPIC_OR_PARTITION, UNKNOWN_TOPIC_ID: it went between two requests, or is not everywhere yet


class LiveTopics:
    """All topics, without labels.

    Args:
        connection: The cluster.
        repeated: What it answered before.
        budget: Topics whose configs are described at one poll.

    Attributes:
        topics: The contract's documents by name; replaced when they change, never changed in place. One whose configs
            are not known, or not yet, has none; without the right to see reassignments none has ``reassigning``.
        leaders: Broker that leads each partition, in order; -1 where none does.
        inherited: What topics report for keys that they do not set.
        gaps: What is not known, by what it is about.
    """

    def __init__(self, connection: Connection, repeated: AnswerDigests, budget: int) -> None:
        self._connection, self._repeated = connection, repeated
        self._per_poll = max(1, -(-budget // _BATCH))
        self._batches: list[list[str]] = []
        self._batch_of: dict[str, int] = {}
        self._next = 0
        self._shapes: dict[str, dict[str, Any]] = {}  # what Metadata tells
        self._configs: dict[str, dict[str, Any] | None] = {}  # overrides of topics that were described, None if refused
        self._undescribed: set[str] = set()
        self._dirty: set[str] = set()  # whose documents may have to be made anew
        self._reassigning: dict[str, dict[str, Any]] | None = {}  # None where the cluster does not tell
        self._node: int | None = None
        self.topics: dict[str, dict[str, Any]] = {}
        self.leaders: dict[str, tuple[int, ...]] = {}
        self.inherited: dict[str, str] = {}
        self.gaps: dict[str, str] = {}

    def poll(self, controller: int | None, node: int | None = None) -> dict[str, dict[str, Any] | None]:
        """Poll once and return the documents that changed, None for topics that are gone; one made anew is both.

        Args:
            controller: Broker that tells reassignments; None for any.
            node: Broker that tells all else; None for any.

        Raises:
            NotDisclosed: The cluster does not tell its topics.
            KafkaError, KafkaUnreachable: As `Connection.send`.
        """
        self._node = node
        self._poll_shapes()
        self._poll_configs()
        self._poll_reassignments(controller)
        return self._collect_changes()

    def _poll_shapes(self) -> None:
        from kafka.protocol.metadata import MetadataRequest

        request = MetadataRequest(topics=None, allow_auto_topic_creation=False)
        response = self._repeated.ask("topics", request, self._node)
        if response is None:
            return
        present = set()
        for topic in response.topics:
            name = str(topic.name)
            present.add(name)
            if topic.error_code:
                if name not in self._shapes:
                    self.gaps[f"topics.{name}"] = format_reason(topic.error_code)
                    present.discard(name)
                continue
            self.gaps.pop(f"topics.{name}", None)
            self._keep_shape(name, topic)
        for name in self._shapes.keys() - present:
            self._forget(name)

    def _keep_shape(self, name: str, topic: Any) -> None:
        partitions = sorted(topic.partitions, key=lambda item: int(item.partition_index))
        shape = {
            "numPartitions": len(partitions),
            "replicationFactor": len(partitions[0].replica_nodes) if partitions else 0,
            "replicasAssignments": {str(item.partition_index): list(item.replica_nodes) for item in partitions},
            "internal": bool(topic.is_internal),
            "topicId": _format_id(topic),
        }
        self.leaders[name] = tuple(item.leader_id for item in partitions)
        old = self._shapes.get(name)
        if old == shape:
            return
        if old is not None and old["topicId"] != shape["topicId"]:
            self._configs.pop(name, None)
        self._shapes[name] = shape
        self._dirty.add(name)
        if name not in self._configs:
            self._undescribed.add(name)
        if name not in self._batch_of:
            if not self._batches or len(self._batches[-1]) >= _BATCH:
                self._batches.append([])
            self._batches[-1].append(name)
            self._batch_of[name] = len(self._batches) - 1

    def _forget(self, name: str) -> None:
        del self._shapes[name], self.leaders[name]
        self._configs.pop(name, None)
        self._undescribed.discard(name)
        self._dirty.add(name)
        self.gaps.pop(f"topics.{name}.configs", None)
        self._batches[self._batch_of.pop(name)].remove(name)

    def _poll_configs(self) -> None:
        new = Counter(self._batch_of[name] for name in self._undescribed)
        whole = [number for number, count in new.items() if 2 * count > len(self._batches[number])]
        turns = min(self._per_poll, len(self._batches))
        turn = [(self._next + step) % len(self._batches) for step in range(turns)]
        try:
            for number in dict.fromkeys([*whole, *turn]):
                self._poll_batch(number, self._batches[number])
            for resource in request_descriptions(self._connection, TOPIC, sorted(self._undescribed), self._node):
                self._keep_description(resource)
        except NotDisclosed as refused:
            self.gaps["topics.*.configs"] = str(refused)
            self._configs = dict.fromkeys(self._shapes)
            self._dirty |= self._shapes.keys()
            self._undescribed.clear()
        else:
            self._next = (turn[-1] + 1) % len(self._batches) if turn else 0
            self.gaps.pop("topics.*.configs", None)

    def _poll_batch(self, number: int, names: Sequence[str]) -> None:
        from kafka.protocol.admin import DescribeConfigsRequest

        if not names:
            return
        key = ("configs", number)
        request = DescribeConfigsRequest(resources=[(TOPIC, name, None) for name in names], min_version=1)
        response = self._repeated.ask(key, request, self._node)
        complete = list(map(self._keep_description, iter_described(response))) if response is not None else []
        if not all(complete):
            self._repeated.forget(key)

    def _keep_description(self, resource: DescribedResource) -> bool:
        """Keep what was described; false where the topic has to be evaluated again."""
        path = f"topics.{resource.name}.configs"
        if resource.name not in self._shapes:
            return True
        if resource.code in _GONE:
            return False
        self._undescribed.discard(resource.name)
        if resource.error:
            self.gaps[path] = resource.error
            self._configs[resource.name] = None
            self._dirty.add(resource.name)
            return True
        self.gaps.pop(path, None)
        overrides = {}
        for key, entry in sorted(resource.configs.items()):
            if entry.is_topic_override:
                overrides[key] = entry.value
            elif entry.value is not None:
                self.inherited[key] = entry.value
        if self._configs.get(resource.name) != overrides:
            self._configs[resource.name] = overrides
            self._dirty.add(resource.name)
        return True

    def _poll_reassignments(self, controller: int | None) -> None:
        from kafka.protocol.admin import ListPartitionReassignmentsRequest

        try:
            response = self._repeated.ask("reassigning", ListPartitionReassignmentsRequest(topics=None), controller)
            if response is None:
                return
            if response.error_code:
                raise NotDisclosed(format_reason(response.error_code, response.error_message))
        except (NotDisclosed, KafkaUnreachable) as refused:
            self._repeated.forget("reassigning")
            self.gaps["topics.*.reassigning"] = str(refused)
            if self._reassigning is not None:
                self._reassigning = None
                self._dirty |= self._shapes.keys()
            return
        self.gaps.pop("topics.*.reassigning", None)
        before = self._reassigning if self._reassigning is not None else self._shapes
        self._reassigning = {
            topic.name: {
                str(item.partition_index): {
                    "adding": list(item.adding_replicas),
                    "removing": list(item.removing_replicas),
                }
                for item in sorted(topic.partitions, key=lambda item: int(item.partition_index))
            }
            for topic in response.topics
        }
        self._dirty |= before.keys() | self._reassigning.keys()

    def _collect_changes(self) -> dict[str, dict[str, Any] | None]:
        changed: dict[str, dict[str, Any] | None] = {}
        for name in sorted(self._dirty):
            shape, configs = self._shapes.get(name), self._configs.get(name)
            if shape is None:
                if self.topics.pop(name, None) is not None:
                    changed[name] = None
            else:
                document = self._build_document(name, shape, configs)
                if self.topics.get(name) != document:
                    changed[name] = self.topics[name] = document
        self._dirty = set(self._undescribed)
        return changed

    def _build_document(self, name: str, shape: dict[str, Any], configs: dict[str, Any] | None) -> dict[str, Any]:
        """The contract's document; what is not known, or not everywhere yet, is not there."""
        parts = {
            "configs": configs,
            "reassigning": None if self._reassigning is None else self._reassigning.get(name, {}),
            "topicId": shape["topicId"],
        }
        document = {**shape, "labels": {}, "markedForDeletion": False, **parts}
        return {field: value for field, value in document.items() if value is not None}


def _format_id(topic: Any) -> str | None:
    """The id as Kafka prints it; None before Kafka 2.8, which has none."""
    raw = topic.topic_id.bytes if topic.topic_id is not None else bytes(16)
    return urlsafe_b64encode(raw).decode().rstrip("=") if any(raw) else None
