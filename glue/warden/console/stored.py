"""Decisions as the console keeps them: an event of OPA's log, or a line of an enforcement point, as rows. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final

__all__ = ["ALLOWED", "DENIED", "STATUSES", "UNDECIDED", "WARNED", "ClientNote", "Stored", "read_event"]

ALLOWED, WARNED, DENIED, UNDECIDED = STATUSES = ("allowed", "warned", "denied", "not decided")
"""What became of a request: ``warned`` is allowed with a violation that warns."""

_DECIDING: Final = ("kafka/decision", "kafka/decisions")
_PLACING: Final = ("io/k8s/federation/admission", "io/k8s/federation/annotations")
_RULE: Final = re.compile(r"[A-Z]+-[A-Z]+-[0-9]+(?=: )")
# Where a request has the name of what it is about, as `warden impact` reads them.
_NAMES: Final = (
    *("topic", "broker", "group", "resource.name", "acl.resourceName", "user", "entity.user", "entity.clientId"),
    *("transactionalId", "owner"),
)
_NAMED_STATE: Final = {"topics": "topic", "brokers": "broker", "groups": "group"}
_MAX_TEXT: Final = 500
_MAX_INPUT: Final = 65_536  # characters of an input that is shown


@dataclass(frozen=True)
class Stored:
    """One decision, or that there was none.

    Args:
        id: OPA's decision id; of an enforcement point's line what tells it from others.
        item: The key in its batch; "" outside one.
        at: When, milliseconds since 1970.
        status: One of `STATUSES`.
        cluster, point, operation, resource, owner, principal, client: What it is about; "" where that is not known.
        opa: The OPA: its labels' ``id``.
        revision: The bundle's.
        state_age: Seconds since the facts were observed; None where that is not known.
        rules: Rules that are broken, each with the most severe of its effects.
        document: What the page about it shows: input, result and where they are from.
    """

    id: str
    item: str
    at: int
    status: str
    cluster: str = ""
    point: str = ""
    operation: str = ""
    resource: str = ""
    owner: str = ""
    principal: str = ""
    client: str = ""
    opa: str = ""
    revision: str = ""
    state_age: float | None = None
    rules: Mapping[str, str] = field(default_factory=dict)
    document: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ClientNote:
    """What a gateway knows of decisions and OPA does not: the client's id.

    Args:
        id: OPA's decision id.
        prefix: How keys of the client's items begin in the batch.
        client: The client's id.
        at: When, milliseconds since 1970.
    """

    id: str
    prefix: str
    client: str
    at: int


def read_event(event: Any) -> Iterator[Stored | ClientNote]:
    """Yield the decisions of an event of OPA's log, or of a line of an enforcement point; none of any other.

    A scan's batch has totals alone, and is left out. What the log's mask took away is not there.
    """
    if not isinstance(event, dict):
        return
    at = _parse_time(event.get("timestamp") or event.get("time"))
    if at is None:
        return
    if event.get("decision_id") and event.get("path") in (*_DECIDING, *_PLACING):
        yield from _read_decisions(event, at)
    elif event.get("message") in ("not decided", "decided", "undecided", "ignored"):
        yield from _read_line(event, at)


def _read_decisions(event: Mapping[str, Any], at: int) -> Iterator[Stored]:
    asked, result = event.get("input"), event.get("result")
    asked = asked if isinstance(asked, dict) else {}
    if "scan" in asked and "items" not in asked:
        return
    if event["path"] != "kafka/decisions":
        yield _build(event, at, "", asked, result)
        return
    items, common = _mapping(asked.get("items")), _mapping(asked.get("common"))
    results = _mapping(result)
    for key in items or results:
        yield _build(event, at, str(key), _merge(common, _mapping(items.get(key))), results.get(key))


def _build(event: Mapping[str, Any], at: int, item: str, asked: Mapping[str, Any], result: Any) -> Stored:
    placed = event["path"] in _PLACING
    decision = _read_placement(result) if placed else _mapping(result)
    request, labels = _mapping(asked.get("request")), _mapping(event.get("labels"))
    rules: dict[str, str] = {}
    for violation in filter(lambda one: isinstance(one, dict), _list(decision.get("violations"))):
        rule, effect = _text(violation.get("rule")), _text(violation.get("effect"))
        rules[rule] = min(rules.get(rule, effect), effect, key=_rank)
    age = decision.get("stateAge")
    return Stored(
        id=_text(event["decision_id"]),
        item=_text(item),
        at=at,
        status=_find_status(decision),
        cluster=_text(asked.get("cluster")),
        point=_text(asked.get("enforcementPoint")) or ("webhook" if placed else ""),
        operation=_text(asked.get("operation")) or ("Place" if placed else ""),
        resource=_name_object(asked) if placed else _find_name(request),
        owner=_find_owner(asked, request),
        principal=_name_principal(asked.get("principal")),
        client=_text(asked.get("clientId")),
        opa=_text(labels.get("id")),
        revision=_text(
            decision.get("revision") or _mapping(_mapping(event.get("bundles")).get("warden")).get("revision")
        ),
        state_age=float(age) if isinstance(age, int | float) and not isinstance(age, bool) else None,
        rules=rules,
        document={
            "input": _reduce(asked),
            "result": decision if placed else result,
            "path": event["path"],
            "labels": labels,
            **{name: event[name] for name in ("masked", "erased", "error", "trace_id") if event.get(name)},
        },
    )


def _read_line(event: Mapping[str, Any], at: int) -> Iterator[Stored | ClientNote]:
    """What a gateway or webhook says that OPA's log lacks: whose client it was, and that there was no decision."""
    if event["message"] == "decided":
        for id, prefix in zip(_list(event.get("decisionIds")), _list(event.get("decisionKeys")), strict=False):
            if client := _text(event.get("clientId")):
                yield ClientNote(_text(id), _text(prefix), client, at)
        for number, item in enumerate(_list(event.get("items"))):
            if isinstance(item, dict) and item.get("allowed") is False and not event.get("decisionIds"):
                yield _build_undecided(event, at, f"{number}", "gateway", _text(item.get("name")), item)
        return
    webhook = "uid" in event
    resource = _text(event.get("object")) if webhook else ""
    yield _build_undecided(event, at, "", "webhook" if webhook else "gateway", resource, event)


def _build_undecided(
    event: Mapping[str, Any], at: int, item: str, point: str, resource: str, said: Mapping[str, Any]
) -> Stored:
    place = ":".join(
        _text(event.get(name)) for name in ("cluster", "client", "correlationId", "uid") if event.get(name)
    )
    kept = {
        name: value for name, value in {**event, **said}.items() if name not in ("items", "level", "time", "message")
    }
    why = said.get("message") if said is not event else event.get("reason")
    course = "passed without a decision" if event.get("forwarded") == "all" else "refused without a decision"
    kept["why"] = _text(why or said.get("error")) or course
    return Stored(
        id=_text(f"{point}:{at}:{place}"),
        item=item,
        at=at,
        status=UNDECIDED,
        cluster=_text(event.get("cluster")),
        point=point,
        operation=_text(event.get("change") or event.get("api") or event.get("operation")),
        resource=resource,
        principal=_text(event.get("principal")),
        client=_text(event.get("clientId")),
        document={"line": kept},
    )


def _read_placement(result: Any) -> Mapping[str, Any]:
    """The answer about a Kubernetes object in the form of a decision."""
    answer = _mapping(result)
    if "annotations" not in answer:
        return {}
    errors, warnings = _list(answer.get("errors")), _list(answer.get("warnings"))
    violations = [
        {"rule": found[0], "effect": effect, "severity": "", "message": text[found.end() + 2 :], "fix": ""}
        for effect, texts in (("deny", errors), ("warn", warnings))
        for text in map(_text, texts)
        if (found := _RULE.match(text))
    ]
    error = {"name": "Forbidden"} if errors else None
    return {"allowed": not errors, "error": error, "errors": [], "warnings": [], **answer, "violations": violations}


def _find_status(decision: Mapping[str, Any]) -> str:
    if decision.get("allowed") is not True:
        return DENIED if decision.get("allowed") is False and not decision.get("invalidInput") else UNDECIDED
    effects = {_mapping(one).get("effect") for one in _list(decision.get("violations"))}
    return WARNED if "warn" in effects or decision.get("warnings") else ALLOWED


def _find_name(request: Mapping[str, Any]) -> str:
    for path in _NAMES:
        value: Any = request
        for name in path.split("."):
            value = _mapping(value).get(name)
        if isinstance(value, str | int) and value != "":
            return _text(value)
    return ""


def _find_owner(asked: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    topics = _mapping(_mapping(asked.get("clusterState")).get("topics"))
    labels = _mapping(_mapping(topics.get(_text(request.get("topic")))).get("labels"))
    return _text(_mapping(request.get("labels")).get("owner") or labels.get("owner"))


def _name_principal(principal: Any) -> str:
    one = _mapping(principal)
    return _text(f"{one.get('type')}:{one.get('name')}") if one.get("name") else ""


def _name_object(asked: Mapping[str, Any]) -> str:
    meta = _mapping(asked.get("metadata"))
    return _text("/".join(filter(None, map(_text, (asked.get("kind"), meta.get("namespace"), meta.get("name"))))))


def _reduce(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """An input with no more of the cluster's state than is about its own resource, and nothing too long to show."""
    state, request = _mapping(asked.get("clusterState")), _mapping(asked.get("request"))
    if not state:
        return asked if _size(asked) <= _MAX_INPUT else {"left out": f"the input has {_size(asked)} characters"}
    own: dict[str, Any] = {"meta": _mapping(state.get("meta"))}
    for part, name in _NAMED_STATE.items():
        one = _mapping(state.get(part)).get(_text(request.get(name)))
        if one is not None:
            own[part] = {_text(request.get(name)): one}
    own["left out"] = "what is about other resources"
    reduced = {**asked, "clusterState": own}
    return reduced if _size(reduced) <= _MAX_INPUT else {"left out": f"the input has {_size(asked)} characters"}


def _size(value: Any) -> int:
    """About how many characters a document has as JSON."""
    stack, size = [value], 0
    while stack:
        one = stack.pop()
        size += len(one) + 2 if isinstance(one, str) else 6
        if isinstance(one, dict):
            stack.extend(chain.from_iterable(one.items()))
        elif isinstance(one, list):
            stack.extend(one)
    return size


def _merge(under: Mapping[str, Any], over: Mapping[str, Any]) -> Mapping[str, Any]:
    """Rego's ``object.union``, by which a batch's items are decided."""
    merged = dict(under)
    for name, value in over.items():
        both = isinstance(value, dict) and isinstance(merged.get(name), dict)
        merged[name] = _merge(merged[name], value) if both else value
    return merged


def _rank(effect: str) -> int:
    order = ("deny", "warn", "dryrun", "waived")
    return order.index(effect) if effect in order else len(order)


def _parse_time(text: Any) -> int | None:
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    """A text that a column takes: not too long, and without half a character."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    return str(value)[:_MAX_TEXT].encode("utf-8", "replace").decode()
