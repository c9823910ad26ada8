"""A client for services: a typed decision about any operation."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from warden.base.errors import ConfigurationError
from warden.base.process.closing import Closing
from warden.enforce.sdk.arguments import drop_none, parse_principal, require_mapping, require_text, stringify_keys
from warden.enforce.sdk.opa_access import Reversible, prepare_client
from warden.policy.contract.decision import Decision, Document

if TYPE_CHECKING:
    from warden.policy.adapter import Suggestion
    from warden.policy.opa.client import OpaClient

__all__ = ["Warden"]


class Warden(Closing):
    """Asks one OPA about one cluster, and changes nothing; safe to share between threads, and to fork with.

    A context manager. Every method that makes a decision input takes ``state``, the contract's cluster state, where OPA
    has none replicated. `decide` and the methods about changes also take ``validate_only``, which tells the policy that
    nothing will be carried out.

    Args:
        url: OPA's address, such as ``http://127.0.0.1:8181``; a client of it in Warden's own programs, which close it.
        token: OPA's query token; or a function that reads it, called again when OPA refuses the last one.
        cluster: The cluster's name, as in the settings and under ``data.clusters``.
        principal: Who asks, as Kafka writes it (``User:alice``); None where that is not known.
        enforcement_point: Its name in the settings.
        ca_file: PEM file of certificates to trust for https; None for the system's.
        certificate: PEM files of certificate and key, where OPA, or what stands before it, asks for them.
        timeout: Seconds that a call may take, with its repetitions where OPA is away or busy; 60 where None.

    Raises (by every method that asks OPA):
        OpaError: Nothing was decided: that is neither allowed nor denied. Its subclasses say why.
        InputError: What should be a mapping is none, or an argument cannot be written as JSON. Anything else that the
            contract does not have is denied.
        RuntimeError: It is closed.

    Raises:
        ConfigurationError: One of these is wrong.
    """

    def __init__(
        self,
        url: "str | OpaClient",
        token: str | Callable[[], str] | None = None,
        *,
        cluster: str,
        principal: str | None = None,
        enforcement_point: str = "service",
        ca_file: str | Path | None = None,
        certificate: tuple[str | Path, str | Path] | None = None,
        timeout: float | None = None,
    ) -> None:
        require_text("cluster", cluster)
        require_text("enforcement_point", enforcement_point)
        self.cluster, self.enforcement_point = cluster, enforcement_point
        self._principal = None if principal is None else parse_principal(principal)
        self._url, self._is_closed, self._process = getattr(url, "url", url), False, os.getpid()
        self._open: Callable[[], OpaClient] | None = None  # not of a client that is another's
        if isinstance(url, str) or not hasattr(url, "decide"):
            self._open = prepare_client(str(url), token, ca_file, certificate, timeout)
            self._client = self._open()
        elif (token, ca_file, certificate, timeout) == (None, None, None, None):
            self._client = url
        else:
            raise ConfigurationError("a client has its token, ca_file, certificate and timeout: leave them out")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of cluster {self.cluster!r} at {self._url}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Warden has connections, and cannot be pickled: make one where it is used")

    def close(self) -> None:
        """Close the connections that this object opened; what comes later raises. May be called again."""
        if self._open is not None:
            self._is_closed = True
            self._client.close()

    def _get_client(self) -> "OpaClient":
        if self._is_closed:
            raise RuntimeError(f"{self!r} is closed: make another, or ask before its with block ends")
        if self._open is not None and self._process != os.getpid():
            # Forked: on connections of its parent it would read answers to its parent's questions.
            self._client, self._process = self._open(), os.getpid()
        return self._client

    def build_document(self, operation: str, request: Document, state: Document | None = None, **more: Any) -> Document:
        """Return the decision input for an operation of the contract; ``more`` are further fields of it."""
        return self.build_shared_input(state) | {"operation": operation, "request": request} | more

    def build_shared_input(self, state: Document | None = None) -> dict[str, Any]:
        """Return what all decision inputs of this client have in common."""
        common: dict[str, Any] = {"cluster": self.cluster, "enforcementPoint": self.enforcement_point}
        if self._principal is not None:
            common["principal"] = self._principal
        if state is not None:
            common["clusterState"] = state
        return common

    def decide(
        self, operation: str, request: Document, *, state: Document | None = None, validate_only: bool = False
    ) -> Decision:
        """Return the decision about any operation.

        Args:
            operation: As in the contract, such as ``AlterQuota``.
            request: As the contract has it for that operation.
            state: The cluster's state; None for the replicated one.
            validate_only: Whether the caller only wants to know.
        """
        document = self.build_document(operation, request, state, validateOnly=validate_only)
        return Decision.from_document(self.decide_document(document))

    def decide_document(self, document: Document) -> dict[str, Any]:
        """Return the decision about a whole decision input, as a document: both are as the contract has them."""
        return self._get_client().decide(document)

    def decide_many(
        self, inputs: Mapping[str, Document], *, state: Document | None = None, in_order: bool = False
    ) -> dict[str, Decision]:
        """Return a decision for each input, under the same keys.

        Args:
            inputs: ``operation``, ``request`` and what else differs (`warden.ParsedRequest.inputs`).
            state: The cluster's state, shared by all.
            in_order: Whether they are the items of one request: each is decided with what those before it add.
        """
        require_mapping("inputs", inputs)
        decided = self._get_client().decide_many(inputs, self.build_shared_input(state), in_order=in_order)
        return {key: Decision.from_document(decision) for key, decision in decided.items()}

    def suggest_fix(self, operation: str, request: Document, *, state: Document | None = None) -> "Suggestion":
        """Return what can be suggested in place of a request: configs merged in, a patch where it is denied."""
        document = self.build_document(operation, request, state)
        return self.suggest_fix_for(document, self.decide_document(document))

    def suggest_fix_for(self, document: Document, decision: Document) -> "Suggestion":
        """Return as `suggest_fix` what the policy makes of a decision input that it has decided."""
        from warden.policy.adapter.suggest import suggest_fix

        return suggest_fix(document, decision, self.decide_document, reversible=Reversible(self._get_client()))

    def create_topic(
        self,
        topic: str,
        *,
        num_partitions: int = -1,
        replication_factor: int = -1,
        replicas_assignments: Mapping[int, Sequence[int]] | None = None,
        configs: Mapping[str, str | None] | None = None,
        labels: Mapping[str, str] | None = None,
        state: Document | None = None,
        validate_only: bool = False,
    ) -> Decision:
        """Ask about a new topic; -1 stands for the broker's default."""
        request = drop_none(
            topic=topic,
            numPartitions=num_partitions,
            replicationFactor=replication_factor,
            replicasAssignments=stringify_keys("replicas_assignments", replicas_assignments),
            configs=configs,
            labels=labels,
        )
        return self.decide("CreateTopic", request, state=state, validate_only=validate_only)

    def alter_topic(
        self,
        topic: str,
        *,
        configs: Document | None = None,
        num_partitions: int | None = None,
        new_assignments: Sequence[Sequence[int]] | None = None,
        reassignments: Mapping[int, Sequence[int] | None] | None = None,
        labels: Mapping[str, str] | None = None,
        state: Document | None = None,
        validate_only: bool = False,
    ) -> Decision:
        """Ask about a change of a topic.

        Args:
            topic: Its name.
            configs: A change in one of the contract's forms, such as ``{"mode": "full", "entries": {…}}``, or
                ``{"mode": "incremental", "ops": [{"name": "retention.ms", "op": "SET", "value": "1000"}]}``.
            num_partitions: The new total.
            new_assignments: Broker ids of each new partition.
            reassignments: Broker ids by partition; None cancels a running reassignment.
            labels: All labels that it will have; None where they stay. OPA takes them from trusted callers alone.
            state: The cluster's state; None for the replicated one.
            validate_only: Whether the caller only wants to know.
        """
        request = drop_none(
            topic=topic,
            configs=configs,
            numPartitions=num_partitions,
            newAssignments=new_assignments,
            reassignments=stringify_keys("reassignments", reassignments),
            labels=labels,
        )
        return self.decide("AlterTopic", request, state=state, validate_only=validate_only)

    def delete_topic(
        self,
        topic: str,
        *,
        topics_in_request: int | None = None,
        state: Document | None = None,
        validate_only: bool = False,
    ) -> Decision:
        """Ask about the deletion of a topic, together with how many topics it is deleted (1 where it is left out)."""
        request = drop_none(topic=topic, topicsInRequest=topics_in_request)
        return self.decide("DeleteTopic", request, state=state, validate_only=validate_only)

    def delete_records(
        self, topic: str, offsets: Mapping[int, int], *, state: Document | None = None, validate_only: bool = False
    ) -> Decision:
        """Ask about the deletion of records below an offset for each partition; -1 stands for the high watermark."""
        request = {"topic": topic, "deletedMessageOffsets": stringify_keys("offsets", offsets)}
        return self.decide("DeleteRecords", request, state=state, validate_only=validate_only)

    def alter_broker(
        self, broker: int | None, configs: Document, *, state: Document | None = None, validate_only: bool = False
    ) -> Decision:
        """Ask about a change of a broker's configs; None is the cluster-wide default."""
        request = {"broker": "" if broker is None else str(broker), "configs": configs}
        return self.decide("AlterBroker", request, state=state, validate_only=validate_only)

    def start_broker(self, broker: int, configs: Mapping[str, str], *, state: Document | None = None) -> Decision:
        """Ask whether a broker may start with a configuration."""
        return self.decide("StartBroker", {"broker": str(broker), "configs": configs}, state=state)

    def alter_config(
        self, type: str, name: str, configs: Document, *, state: Document | None = None, validate_only: bool = False
    ) -> Decision:
        """Ask about a change of another resource's configs: ``group``, ``client-metrics`` or ``broker-logger``."""
        request = {"resource": {"type": type, "name": name}, "configs": configs}
        return self.decide("AlterConfig", request, state=state, validate_only=validate_only)

    def create_acl(self, acl: Document, *, state: Document | None = None, validate_only: bool = False) -> Decision:
        """Ask about a new access control entry.

        Its keys are ``resourceType``, ``resourceName``, ``patternType``, ``principal``, ``host``, ``operation`` and
        ``permissionType``; names are Kafka's, such as ``TOPIC``, ``LITERAL``, ``READ`` and ``ALLOW``.
        """
        return self.decide("CreateAcl", {"acl": acl}, state=state, validate_only=validate_only)

    def delete_acl(self, acl: Document, *, state: Document | None = None, validate_only: bool = False) -> Decision:
        """Ask about the deletion of the access control entries that a filter matches; None in it matches any."""
        return self.decide("DeleteAcl", {"acl": acl}, state=state, validate_only=validate_only)

    def alter_quota(
        self, entity: Document, ops: Sequence[Document], *, state: Document | None = None, validate_only: bool = False
    ) -> Decision:
        """Ask about a change of a client's quota.

        Args:
            entity: Of ``user``, ``clientId`` and ``ip`` those that name it; None is the default.
            ops: Each ``{"key": "producer_byte_rate", "value": 1000}``, or ``"remove": True`` in place of the value.
            state: The cluster's state; None for the replicated one.
            validate_only: Whether the caller only wants to know.
        """
        request = {"entity": entity, "ops": ops}
        return self.decide("AlterQuota", request, state=state, validate_only=validate_only)

    def alter_scram(
        self,
        user: str,
        mechanism: str,
        *,
        iterations: int | None = None,
        remove: bool = False,
        state: Document | None = None,
        validate_only: bool = False,
    ) -> Decision:
        """Ask about a user's SCRAM credential; salts and passwords are no business of a policy."""
        request = drop_none(user=user, mechanism=mechanism, iterations=iterations, remove=remove)
        return self.decide("AlterScram", request, state=state, validate_only=validate_only)

    def audit_topic(self, topic: str, *, state: Document | None = None) -> Decision:
        """Ask about a topic as it stands, as if it were created today."""
        return self.decide("AuditTopic", {"topic": topic}, state=state)

    def audit_broker(self, broker: int, *, state: Document | None = None) -> Decision:
        """Ask about a broker as it stands."""
        return self.decide("AuditBroker", {"broker": str(broker)}, state=state)

    def audit_acl(self, acl: Document, *, state: Document | None = None) -> Decision:
        """Ask about an access control entry as it stands."""
        return self.decide("AuditAcl", {"acl": acl}, state=state)
