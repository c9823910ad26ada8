"""From decisions back to Kafka: a result per resource, the request that may go on, and the response of the rest."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from warden.adapter.forms import FORMS, Form
from warden.adapter.read import Asked, Item
from warden.adapter.results import Result, of_decision, undecided

__all__ = ["answer", "refusals", "remaining"]

Decisions = Mapping[str, Mapping[str, Any]]
Log = Callable[[str], None]

_RESOURCE_CODES = {"topic": 2, "broker": 4, "broker-logger": 8, "client-metrics": 16, "group": 32}


def answer(
    asked: Asked, decisions: Decisions, *, log: Log = logging.getLogger("warden.adapter").warning
) -> dict[str, Result]:
    """Return the result of each item; one without a decision is not allowed.

    What an old version of the response cannot say is logged: its client gets UNKNOWN_SERVER_ERROR (KIP-201's
    ``UNEXPECTED_SERVER_ERROR``) or a bare code.

    Args:
        asked: From `warden.adapter.read.read`.
        decisions: The contract's decisions, under the items' keys.
        log: Told a line for each such result.
    """
    results = {key: _result(asked, item, decisions.get(key)) for key, item in asked.items.items()}
    for key, result in results.items():
        if result.unsaid is not None:
            version = "" if asked.version is None else f" v{asked.version}"
            log(f"{asked.form}{version}: {_what(asked.items[key])}: {result.unsaid}")
    return results


def remaining(
    asked: Asked, results: Mapping[str, Result], offered: Mapping[str, Mapping[str, Any]] | None = None
) -> dict[str, Any] | None:
    """Return the request with only what is allowed, or None where nothing of it may be sent.

    A request that only asks is sent on where brokers know ``validateOnly`` for it; elsewhere it ends here.

    Args:
        asked: From `warden.adapter.read.read`.
        results: From `answer`; an item without a result is not allowed.
        offered: Decision inputs that stand in for what was asked (`warden.adapter.offer.offer`), by key: their
            configs replace the caller's.
    """
    row = FORMS.get(asked.form)
    kept = [key for key in asked.items if key in results and results[key].allowed]
    if row is None or asked.refusal is not None or not kept:
        return None
    if asked.validate_only and not row.validates:
        return None
    places = {place: key for key in kept for place in asked.items[key].places}
    lists = {
        name: [
            _rewritten(row, element, (offered or {}).get(places[name, index]))
            for index, element in enumerate(asked.request[name])
            if (name, index) in places
        ]
        for name in row.lists
        if asked.request.get(name) is not None
    }
    flag = {"validateOnly": asked.validate_only} if row.validates else {}
    return {**asked.request, **lists, **flag}


def refusals(asked: Asked, results: Mapping[str, Result]) -> list[dict[str, Any]]:
    """Return the elements of Kafka's response for what is not allowed, in its field names (`Form.response`)."""
    row = FORMS.get(asked.form)
    if row is None:
        return []
    return [
        element
        for key, item in asked.items.items()
        if not (result := results.get(key) or undecided(_what(item))).allowed
        for element in _elements(row, asked, item, result)
    ]


def _result(asked: Asked, item: Item, decision: Mapping[str, Any] | None) -> Result:
    row = FORMS[asked.form]
    full = item.refusal or of_decision(decision, _what(item))
    if full.allowed or asked.version is None:
        return full
    has_text = row.text_since is not None and asked.version >= row.text_since
    result = full if has_text else replace(full, error_message=None)
    unsaid = f"{full.error_name}: {full.error_message}"
    if full.error_name == "POLICY_VIOLATION" and asked.version < row.denial_since:
        return Result(-1, "UNKNOWN_SERVER_ERROR", None, unsaid)
    return result if has_text or not full.error_message else replace(result, unsaid=unsaid)


def _what(item: Item) -> str:
    return f"{item.resource_type} {item.name!r}"


def _rewritten(row: Form, element: Any, offered: Mapping[str, Any] | None) -> Any:
    configs = None if offered is None else offered.get("request", {}).get("configs")
    if row.write_configs is None or configs is None:
        return element
    return {**element, "configs": row.write_configs(configs)}


def _elements(row: Form, asked: Asked, item: Item, result: Result) -> list[dict[str, Any]]:
    error = {"errorCode": result.error_code, "errorMessage": result.error_message}
    if row.text_since is None:
        del error["errorMessage"]
    if row.in_partitions is not None:
        partitions = [
            {"partitionIndex": struct.get("partitionIndex"), **row.in_partitions, **error}
            for struct in _partitions(asked, item)
        ]
        return [{"name": item.name, "partitions": partitions}]
    if row.operation is None:
        return [{**error, "resourceType": _code(asked, item), "resourceName": item.name}]
    if asked.form == "DeleteTopics":
        given = _struct(asked, item.places[0])
        return [{"name": given.get("name"), "topicId": given.get("topicId"), **error}]
    return [{"name": item.name, **error}]


def _partitions(asked: Asked, item: Item) -> list[Mapping[str, Any]]:
    given = [_struct(asked, place).get("partitions") for place in item.places]
    listed = [struct for list_ in given if isinstance(list_, list | tuple) for struct in list_]
    return [struct for struct in listed if isinstance(struct, Mapping)]


def _code(asked: Asked, item: Item) -> Any:
    return _RESOURCE_CODES.get(item.resource_type) or _struct(asked, item.places[0]).get("resourceType")


def _struct(asked: Asked, place: tuple[str, int]) -> Mapping[str, Any]:
    """Return what stands at a place; a bare name as the struct that later versions have in its stead."""
    name, index = place
    element = asked.request[name][index]
    if isinstance(element, Mapping):
        return element
    return {"name": element} if isinstance(element, str) else {}
