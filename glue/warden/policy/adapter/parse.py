"""Parse a Kafka request into decision inputs: one for each resource, under a key of its own."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from warden.policy.adapter.fields import Malformed
from warden.policy.adapter.request_types import REQUEST_TYPES, RESOURCE_TYPES, Field, RequestType
from warden.policy.adapter.results import UNKNOWN_TOPIC_ID, Result, build_invalid_request_result
from warden.policy.adapter.topic_ids import TopicIds, find_no_name, format_topic_id

__all__ = ["Item", "ParsedRequest", "parse_request"]

_LISTS_OF_NAMES = frozenset({"groupsNames", "topicNames"})

_ListPosition = tuple[str, int]
"""Where a resource stands in its request: the list's name and the index in it."""


@dataclass(frozen=True, slots=True)
class Item:
    """One resource of a request.

    Args:
        name: The resource's name; None where the request gave none that can be read.
        resource_type: ``topic``, for configs also ``broker``, ``broker-logger``, ``client-metrics`` and ``group``; for
            other requests what they are about, such as ``acl``, ``quota`` or ``scram``; ``unknown``.
        positions: Where it stands in the request; several where Kafka takes a resource in pieces, or named it twice;
            none where it is the request.
        input: ``operation`` and ``request`` of its decision input; None where it is refused without a decision.
        refusal: Why it is refused without a decision, in Kafka's words.
        topic_id: The id by which a topic was given, as the request has it; None where it was given by name alone.
    """

    name: str | None
    resource_type: str
    positions: tuple[_ListPosition, ...]
    input: Mapping[str, Any] | None = None
    refusal: Result | None = None
    topic_id: Any = None


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    """A Kafka request as decision inputs.

    Args:
        api: The name of its API, such as ``CreateTopics``.
        version: Its version, which decision inputs tell; None where nobody knows, then it counts as the newest.
        request: The request itself.
        validate_only: Whether the caller only wants to know.
        items: Its resources by a key that is unique in the request.
        refusal: Why the request as a whole cannot be read; then it has no items.
    """

    api: str
    version: int | None
    request: Mapping[str, Any]
    validate_only: bool
    items: Mapping[str, Item] = field(default_factory=dict)
    refusal: Result | None = None

    @property
    def inputs(self) -> dict[str, Mapping[str, Any]]:
        """The decision inputs, by item; what they share (cluster, principal, …) is the caller's to add."""
        api = {} if self.version is None else {"api": {"key": self.api, "version": self.version}}
        asks = {key: item.input for key, item in self.items.items() if item.input is not None}
        return {key: {**input, "validateOnly": self.validate_only, **api} for key, input in asks.items()}


def parse_request(
    api: str,
    request: Any,
    *,
    version: int | None = None,
    validate_only: bool = False,
    topic_ids: TopicIds = find_no_name,
) -> ParsedRequest:
    """Return a Kafka request as decision inputs; what cannot be read is refused, nothing raises.

    Args:
        api: A key of `warden.policy.adapter.request_types.REQUEST_TYPES`, such as ``CreateTopics``.
        request: The request as Kafka's JSON has it (camelCase).
        version: The version it came in; None where that is not known, then it counts as the newest.
        validate_only: For requests that have no ``validateOnly`` of their own (KIP-201).
        topic_ids: Names of topics by id, as the cluster's state has them.
    """
    if api not in REQUEST_TYPES:
        return ParsedRequest(
            api,
            version,
            {},
            validate_only,
            refusal=build_invalid_request_result(f"{api}: not a request that is decided"),
        )
    if not isinstance(request, Mapping):
        return ParsedRequest(
            api, version, {}, validate_only, refusal=build_invalid_request_result(f"{api}: must be an object")
        )
    asks_only = request.get("validateOnly", validate_only)
    row = REQUEST_TYPES[api]
    lists = {name: request[name] for name in row.lists if request.get(name) is not None}
    wrong = [name for name, value in lists.items() if not isinstance(value, list | tuple)]
    wrong += [*([] if lists else row.lists[:1]), *([] if isinstance(asks_only, bool) else ["validateOnly"])]
    if wrong:
        refusal = build_invalid_request_result(f"{api}.{wrong[0]} is missing or of a wrong type")
        return ParsedRequest(api, version, request, True, refusal=refusal)
    if row.read_whole is not None:
        whole = _parse_whole(row, row.read_whole, request)
        return ParsedRequest(api, version, request, asks_only or validate_only, {"request": whole})
    named = _identify_item if row.read is None else _parse_other_resource
    resources = [
        named(row, (name, index), element, topic_ids)
        for name, elements in lists.items()
        for index, element in enumerate(elements)
    ]
    gathered = sorted(
        _merge_by_resource(row, resources, request),
        key=lambda item: (row.lists.index(item.positions[0][0]), item.positions[0][1]),
    )
    items = {f"{item.positions[0][0]}/{item.positions[0][1]}": item for item in gathered}
    return ParsedRequest(api, version, request, asks_only or validate_only, items)


def _parse_whole(row: RequestType, read: Callable[[Any], tuple[str, dict[str, Any]]], request: Any) -> Item:
    """Read a request that is decided as one."""
    try:
        name, parsed = read(request)
    except Malformed as error:
        return Item(None, row.resource, (), refusal=Result(*error.code, str(error)))
    return Item(name, row.resource, (), {"operation": row.operation, "request": parsed})


def _identify_item(row: RequestType, position: _ListPosition, element: Any, topic_ids: TopicIds) -> Item:
    """Read what a resource is called, or why it cannot be reported."""
    if row.operation is None:
        return _identify_config_resource(row, position, element)
    if isinstance(element, str) and position[0] in _LISTS_OF_NAMES:
        return Item(element, row.resource, (position,))
    if row.resource == "group" or not isinstance(element, Mapping):
        wanted = "a group must be a string" if row.resource == "group" else "a topic must be an object"
        return Item(None, row.resource, (position,), refusal=build_invalid_request_result(wanted))
    name, topic_id = element.get("name"), format_topic_id(element.get("topicId"))
    if row.operation == "DeleteTopic" and topic_id is not None:
        return _identify_by_id(position, element, topic_ids(topic_id))
    if not isinstance(name, str):
        neither = "Neither topic name nor id were specified." if name is None else "name: must be a string"
        return Item(None, "topic", (position,), refusal=build_invalid_request_result(neither))
    return Item(name, "topic", (position,))


def _parse_other_resource(row: RequestType, position: _ListPosition, element: Any, _topic_ids: TopicIds) -> Item:
    """Read all of a resource that is neither a topic nor one with configs."""
    if row.read is None or not isinstance(element, Mapping):
        return Item(
            None, row.resource, (position,), refusal=build_invalid_request_result(f"{position[0]}: must be objects")
        )
    try:
        name, request = row.read(position[0], element)
    except Malformed as error:
        return Item(None, row.resource, (position,), refusal=build_invalid_request_result(str(error)))
    return Item(name, row.resource, (position,), {"operation": row.operation, "request": request})


def _identify_by_id(position: _ListPosition, element: Mapping[str, Any], stored_name: str | None) -> Item:
    if element.get("name") is not None:
        both = "You may not specify both topic name and topic id."
        return Item(str(element["name"]), "topic", (position,), refusal=build_invalid_request_result(both))
    return Item(stored_name, "topic", (position,), topic_id=element["topicId"])


def _identify_config_resource(row: RequestType, position: _ListPosition, element: Any) -> Item:
    if not isinstance(element, Mapping) or not isinstance(element.get("resourceName"), str):
        return Item(
            None, "topic", (position,), refusal=build_invalid_request_result("a resource must have a resourceName")
        )
    name, code = element["resourceName"], element.get("resourceType")
    if isinstance(code, bool) or not isinstance(code, int) or code not in RESOURCE_TYPES or code in row.unknown:
        return Item(name, "unknown", (position,), refusal=build_invalid_request_result(f"Unknown resource type {code}"))
    return Item(name, RESOURCE_TYPES[code][1], (position,))


def _merge_by_resource(row: RequestType, items: list[Item], request: Mapping[str, Any]) -> Iterator[Item]:
    """Bring together what is about one resource, and read its fields."""
    by_resource: dict[tuple[str, str | None, str | None, str], list[Item]] = {}
    for item in items:
        nameless = item.name is None and item.topic_id is None
        if item.refusal is not None or nameless or (item.input is not None and row.repeated is None):
            yield item
        else:
            key = (item.resource_type, item.name, format_topic_id(item.topic_id), _format_entity(item))
            by_resource.setdefault(key, []).append(item)
    groups = list(by_resource.values())
    for group in _refuse_duplicates(groups):
        item = replace(group[0], positions=tuple(position for member in group for position in member.positions))
        if item.refusal is not None or (len(group) == 1 and item.input is not None):
            yield item
            continue
        if len(group) > 1 and row.repeated is not None:
            text = row.repeated.replace("{}", str(item.name))
            yield replace(item, input=None, refusal=Result(*row.repeated_code, text))
            continue
        try:
            yield replace(item, input=_build_input(row, item, request))
        except Malformed as error:
            yield replace(item, refusal=Result(*error.code, str(error)))


def _refuse_duplicates(groups: list[list[Item]]) -> Iterator[list[Item]]:
    """Refuse ids that are unknown or given twice, and names of topics that are given by id too.

    A topic by its name and by its id is one, unless either is there twice (``ControllerApis.deleteTopics``, 4.3).
    """
    by_id = {group[0].name: group for group in groups if group[0].topic_id is not None}
    names = {group[0].name for group in groups if group[0].topic_id is None and len(group) == 1}
    for group in groups:
        first, same = group[0], by_id.get(group[0].name)
        if first.topic_id is None:
            if same is None or len(group) > 1:
                yield group
            else:
                both = build_invalid_request_result("The provided topic name maps to an ID that was already supplied.")
                yield [replace(first, refusal=both, topic_id=same[0].topic_id), *(same if len(same) == 1 else ())]
        elif len(group) > 1:
            yield [replace(first, refusal=build_invalid_request_result("Duplicate topic id.")), *group[1:]]
        elif first.name is None:
            yield [replace(first, refusal=UNKNOWN_TOPIC_ID)]
        elif first.name not in names:
            yield group


def _format_entity(item: Item) -> str:
    """What tells two quotas' entities apart beside the name: a user null and the user who is called so."""
    return "" if item.input is None else str(item.input["request"].get("entity", ""))


def _build_input(row: RequestType, item: Item, request: Mapping[str, Any]) -> dict[str, Any]:
    element = _join_pieces(request, item.positions)
    operation, parsed = _build_subject(row, item)
    fields: list[tuple[Mapping[str, Any], str, Field]] = [
        (element, name, field_) for name, field_ in row.fields.items()
    ]
    fields += [(request, name, field_) for name, field_ in row.common.items()]
    for holder, name, field_ in fields:
        if field_.is_absent(holder.get(name)):
            continue
        try:
            parsed[field_.name] = field_.read(holder[name])
        except Malformed as error:
            text = str(error)
            raise Malformed(f"{name}: {text}" if text[0].islower() else text, error.code) from None
    if row.counted is not None:
        parsed[row.counted] = sum(len(request.get(name) or ()) for name in row.lists)
    return {"operation": operation, "request": parsed}


def _build_subject(row: RequestType, item: Item) -> tuple[str, dict[str, Any]]:
    """Return the operation, and the part of its request that says which resource it is about."""
    if row.operation is not None:
        return row.operation, {row.subject: item.name}
    operation = next(operation for operation, kind in RESOURCE_TYPES.values() if kind == item.resource_type)
    if operation == "AlterConfig":
        return operation, {"resource": {"type": item.resource_type, "name": item.name}}
    return operation, {item.resource_type: item.name}


def _join_pieces(request: Mapping[str, Any], positions: tuple[_ListPosition, ...]) -> dict[str, Any]:
    """Return a resource as the request has it, its pieces' lists joined."""
    whole: dict[str, Any] = {}
    for name, index in positions:
        piece = request[name][index]
        for field_, value in piece.items() if isinstance(piece, Mapping) else ():
            joins = isinstance(value, list | tuple) and isinstance(whole.get(field_), list | tuple)
            whole[field_] = [*whole[field_], *value] if joins else value
    return whole
