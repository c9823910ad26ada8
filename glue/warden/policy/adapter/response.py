"""Results of a Kafka request from decisions: one per resource, the request that may go on, the response to the rest."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from warden.base.errors import KafkaError
from warden.policy.adapter.parse import Item, ParsedRequest
from warden.policy.adapter.request_types import REQUEST_TYPES, RequestType
from warden.policy.adapter.results import Result, build_decision_result, build_undecided_result
from warden.policy.adapter.structs import list_structs
from warden.policy.contract.decision import Decision, Document
from warden.policy.contract.names import CONFIG_RESOURCE_TYPES

__all__ = ["build_denied_elements", "build_results", "merge_response", "select_allowed"]


def build_results(
    parsed: ParsedRequest,
    decisions: Mapping[str, Decision | Document],
    *,
    log: Callable[[str], None] = logging.getLogger("warden.policy.adapter").warning,
    as_kip: bool = True,
) -> dict[str, Result]:
    """Return the result of each item; one without a decision is not allowed.

    What an old version of the response cannot say is logged: its client gets UNKNOWN_SERVER_ERROR (KIP-201's
    ``UNEXPECTED_SERVER_ERROR``) or a bare code.

    Args:
        parsed: From `warden.policy.adapter.parse_request`.
        decisions: The contract's decisions, under the items' keys: read, or as OPA answered them.
        log: Receives a line for each such result.
        as_kip: Whether versions of which the KIP says so get UNKNOWN_SERVER_ERROR in place of POLICY_VIOLATION.
    """
    documents = {key: each.document if isinstance(each, Decision) else each for key, each in decisions.items()}
    results = {
        key: _build_result(parsed, item, documents.get(key), as_kip=as_kip) for key, item in parsed.items.items()
    }
    for key, result in results.items():
        if result.suppressed_reason is not None:
            version = "" if parsed.version is None else f" v{parsed.version}"
            log(f"{parsed.api}{version}: {_describe_item(parsed.items[key])}: {result.suppressed_reason}")
    return results


def select_allowed(
    parsed: ParsedRequest, results: Mapping[str, Result], amended: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, Any] | None:
    """Return the request with only what is allowed, or None where nothing of it may be sent.

    A request that only validates is sent on where brokers know ``validateOnly`` for it; elsewhere it ends here.

    Args:
        parsed: From `warden.policy.adapter.parse_request`.
        results: From `build_results`; an item without a result is not allowed.
        amended: Decision inputs in place of the request's own (`warden.policy.adapter.suggest_fix`), by key:
            their configs replace the caller's.
    """
    row = REQUEST_TYPES.get(parsed.api)
    kept = [key for key in parsed.items if key in results and results[key].allowed]
    if row is None or parsed.refusal is not None or not kept:
        return None
    if parsed.validate_only and not row.validates:
        return None
    positions = {position: key for key in kept for position in parsed.items[key].positions}
    lists = {
        name: [
            _rewrite_configs(row, element, (amended or {}).get(positions[name, index]))
            for index, element in enumerate(parsed.request[name])
            if (name, index) in positions
        ]
        for name in row.lists
        if parsed.request.get(name) is not None
    }
    flag = {"validateOnly": parsed.validate_only} if row.validates else {}
    return {**parsed.request, **lists, **flag}


def build_denied_elements(parsed: ParsedRequest, results: Mapping[str, Result]) -> list[dict[str, Any]]:
    """Return the elements of Kafka's response for what is not allowed, in its field names.

    Of a request that is decided as one, the one element is the response.
    """
    row = REQUEST_TYPES.get(parsed.api)
    if row is None:
        return []
    return [
        element
        for key, item in parsed.items.items()
        if not (result := results.get(key, build_undecided_result(_describe_item(item)))).allowed
        for element in _build_elements(row, parsed, item, result)
    ]


def merge_response(
    parsed: ParsedRequest, results: Mapping[str, Result], answered: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the elements of Kafka's response about all resources, in the request's order.

    Args:
        parsed: From `warden.policy.adapter.parse_request`, of a form whose results tell by their place, their
            user or their entity what they are about: ACLs, quotas and credentials.
        results: From `build_results`.
        answered: The elements of the broker's response to `select_allowed`.

    Raises:
        ValueError: The form is another one.
        KafkaError: The broker has not answered about all.
    """
    row = REQUEST_TYPES.get(parsed.api)
    identify = None if row is None else row.identify
    if row is None or identify is None:
        raise ValueError(f"{parsed.api}: its results do not tell by their place, user or entity what they are about")
    rest = [dict(element) for element in answered]
    elements = []
    for key, item in parsed.items.items():
        if not (result := results.get(key, build_undecided_result(_describe_item(item)))).allowed:
            elements += _build_elements(row, parsed, item, result)
            continue
        identity = identify(_find_struct(parsed, item.positions[0]))
        place = next((i for i, element in enumerate(rest) if identify(element) == identity), None)
        if place is None:
            raise KafkaError(f"{parsed.api}: the broker has not answered about {_describe_item(item)}")
        elements.append(rest.pop(place))
    return elements


def _build_result(parsed: ParsedRequest, item: Item, decision: Mapping[str, Any] | None, *, as_kip: bool) -> Result:
    row = REQUEST_TYPES[parsed.api]
    full = build_decision_result(decision, _describe_item(item)) if item.refusal is None else item.refusal
    if full.allowed or parsed.version is None:
        return full
    has_text = row.text_since is not None and parsed.version >= row.text_since
    result = full if has_text else replace(full, error_message=None)
    unsaid = f"{full.error_name}: {full.error_message}"
    if as_kip and full.error_name == "POLICY_VIOLATION" and parsed.version < row.denial_since:
        return Result(-1, "UNKNOWN_SERVER_ERROR", None, unsaid)
    return result if has_text or not full.error_message else replace(result, suppressed_reason=unsaid)


def _describe_item(item: Item) -> str:
    return f"{item.resource_type} {item.name!r}"


def _rewrite_configs(row: RequestType, element: Any, amended: Mapping[str, Any] | None) -> Any:
    configs = None if amended is None else amended.get("request", {}).get("configs")
    if row.write_configs is None or configs is None:
        return element
    return {**element, "configs": row.write_configs(configs)}


def _build_elements(row: RequestType, parsed: ParsedRequest, item: Item, result: Result) -> list[dict[str, Any]]:
    error = {"errorCode": result.error_code, "errorMessage": result.error_message}
    if row.text_since is None:
        del error["errorMessage"]
    if not row.lists:
        return [error if row.refuse_whole is None else row.refuse_whole(parsed.request, error)]
    if row.echo is not None:
        return [{**row.echo(_find_struct(parsed, item.positions[0])), **error}]
    if row.in_partitions is not None:
        partitions = [
            {"partitionIndex": struct.get("partitionIndex"), **row.in_partitions, **error}
            for struct in _list_partitions(parsed, item)
        ]
        return [{"name": item.name, "partitions": partitions}]
    if row.operation is None:
        return [{**error, "resourceType": _find_resource_code(parsed, item), "resourceName": item.name}]
    if parsed.api == "DeleteTopics":
        requested = _find_struct(parsed, item.positions[0])
        id_ = requested.get("topicId") if item.topic_id is None else item.topic_id
        return [{"name": requested.get("name"), "topicId": id_, **error}]
    return [{"name": item.name, **error}]


def _list_partitions(parsed: ParsedRequest, item: Item) -> list[Mapping[str, Any]]:
    lists = (_find_struct(parsed, position).get("partitions") for position in item.positions)
    return [struct for list_ in lists for struct in list_structs(list_)]


def _find_resource_code(parsed: ParsedRequest, item: Item) -> Any:
    return CONFIG_RESOURCE_TYPES.get(item.resource_type) or _find_struct(parsed, item.positions[0]).get("resourceType")


def _find_struct(parsed: ParsedRequest, position: tuple[str, int]) -> Mapping[str, Any]:
    """Return what stands at a place; a bare name as the struct that later versions have in its stead."""
    name, index = position
    element = parsed.request[name][index]
    if isinstance(element, Mapping):
        return element
    return {"name": element} if isinstance(element, str) else {}
