"""A row of the table of decided requests (`warden.policy.adapter.request_types`)."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from warden.policy.adapter.fields import Read, parse_unchanged

__all__ = ["Field", "RequestType"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of one resource.

    Args:
        name: Its name in the decision input.
        read: Makes the value of the one from the value of the other.
        is_absent: Says which values stand for "not given".
    """

    name: str
    read: Read = parse_unchanged
    is_absent: Callable[[Any], bool] = field(default=lambda value: value is None)


@dataclass(frozen=True, slots=True)
class RequestType:
    """One request form.

    Args:
        operation: The decision input's operation; None where the resource's type decides (`RESOURCE_TYPES`).
        lists: The fields that hold its resources; none where it is decided as one (``read_whole``).
        fields: The fields of a resource, by Kafka's name.
        repeated: What Kafka says of a resource named twice, ``{}`` for its name; None where it takes both.
        validates: Whether brokers know ``validateOnly`` for it: else a request that only asks must not reach them.
        write_configs: Makes the form's ``configs`` of the decision input's; None where it has none.
        response: The field of the response that holds the results; empty where the response is the result.
        unknown: Codes of resource types that brokers do not know in this form.
        common: The fields of the request itself that stand in the decision input of each resource, by Kafka's name.
        counted: The field of the decision input that tells how many resources the request names; None where none does.
        in_partitions: What a result of a partition holds beside the error, where results are per partition.
        text_since: First version whose response has a text; None: no version has.
        denial_since: First version that may answer POLICY_VIOLATION; older ones get UNKNOWN_SERVER_ERROR (KIP-201).
        resource: What its resources are called.
        subject: The field of the decision input's request that has a resource's name, where it has ``fields``.
        read: Makes the name and the decision input's request of a resource, of the list that it stands in and of the
            struct, where these are not ``fields`` of a topic or of a resource with configs.
        read_whole: Makes what the request is about and its decision input's request, where it is decided as one.
        refuse_whole: Makes the response of that request and the error; None where the error is all of it.
        whole_since: First version whose response has an error for the request.
        echo: Makes what else a result says, of the struct.
        identify: Makes what a result has in common with the struct that it is about; the same for all where results
            stand in the request's order.
        repeated_code: Kafka's code and its name of a resource named twice.
    """

    operation: str | None
    lists: tuple[str, ...] = ()
    response: str = ""
    fields: Mapping[str, Field] = field(default_factory=dict)
    repeated: str | None = None
    validates: bool = False
    unknown: frozenset[int] = frozenset()
    common: Mapping[str, Field] = field(default_factory=dict)
    counted: str | None = None
    write_configs: Callable[[Mapping[str, Any]], list[dict[str, Any]]] | None = None
    in_partitions: Mapping[str, Any] | None = None
    text_since: int | None = 0
    denial_since: int = 0
    resource: str = "topic"
    subject: str = "topic"
    read: Callable[[str, Mapping[str, Any]], tuple[str, dict[str, Any]]] | None = None
    read_whole: Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]] | None = None
    refuse_whole: Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any]] | None = None
    whole_since: int = 0
    echo: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    identify: Callable[[Mapping[str, Any]], Hashable] | None = None
    repeated_code: tuple[int, str] = (42, "INVALID_REQUEST")
