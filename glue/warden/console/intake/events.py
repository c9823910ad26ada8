"""Decisions of an event of OPA's log, or of a line of an enforcement point, as the console keeps them. Pure."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final

from warden.console.store.stored import (
    ALLOWED,
    DENIED,
    STATE_KINDS,
    UNDECIDED,
    WARNED,
    ClientNote,
    StoredDecision,
    to_list,
    to_mapping,
    to_text,
)
from warden.policy.contract.batch_items import merge_objects
from warden.policy.contract.effect import EFFECTS
from warden.policy.contract.names import OWNER_LABEL, RESOURCE_PATHS

__all__ = ["iter_decisions_and_notes"]

_DECIDING: Final = ("kafka/decision", "kafka/decisions")
_PLACING: Final = ("io/k8s/federation/admission", "io/k8s/federation/annotations")
_RULE: Final = re.compile(r"[A-Z]+-[A-Z]+-[0-9]+(?=: )")  # how `kafka.base.effects.line` begins
_MAX_INPUT: Final = 65_536  # characters of an input that is shown


def iter_decisions_and_notes(event: Any, owner_label: str = OWNER_LABEL) -> Iterator[StoredDecision | ClientNote]:
    """Yield the decisions of an event of OPA's log, or of a line of an enforcement point; none of any other.

    A scan's batch has totals alone, and is left out. What the log's mask took away is not there.

    Args:
        event: The event, as JSON has it.
        owner_label: The label that names a topic's owner (``kafka/owner_label``).
    """
    if not isinstance(event, dict):
        return
    at = _parse_time(event.get("timestamp") or event.get("time"))
    if at is None:
        return
    if to_text(event.get("decision_id")) and event.get("path") in (*_DECIDING, *_PLACING):
        yield from _iter_decisions(event, at, owner_label)
    elif event.get("message") in ("not decided", "decided", "undecided", "ignored"):
        yield from _iter_from_line(event, at)


def _iter_decisions(event: Mapping[str, Any], at: int, owner_label: str) -> Iterator[StoredDecision]:
    opa_input, result = event.get("input"), event.get("result")
    opa_input = opa_input if isinstance(opa_input, dict) else {}
    if "scan" in opa_input and "items" not in opa_input:
        return
    if event["path"] != "kafka/decisions":
        yield _build(event, at, "", opa_input, result, owner_label)
        return
    items, common = to_mapping(opa_input.get("items")), to_mapping(opa_input.get("common"))
    results = to_mapping(result)
    for key in items or results:
        whole = merge_objects(common, to_mapping(items.get(key)))
        yield _build(event, at, str(key), whole, results.get(key), owner_label)


def _build(
    event: Mapping[str, Any], at: int, item: str, opa_input: Mapping[str, Any], result: Any, owner_label: str
) -> StoredDecision:
    placed = event["path"] in _PLACING
    decision = _normalise(_read_placement(result) if placed else to_mapping(result))
    request, labels = to_mapping(opa_input.get("request")), to_mapping(event.get("labels"))
    rules: dict[str, str] = {}
    for violation in decision.get("violations", ()):
        rule, effect = to_text(violation.get("rule")), to_text(violation.get("effect"))
        rules[rule] = min(rules.get(rule, effect), effect, key=_rank)
    age = decision.get("stateAge")
    return StoredDecision(
        id=to_text(event["decision_id"]),
        item=to_text(item),
        at=at,
        status=_find_status(decision),
        cluster=to_text(opa_input.get("cluster")),
        point=to_text(opa_input.get("enforcementPoint")) or ("webhook" if placed else ""),
        operation=to_text(opa_input.get("operation")) or ("Place" if placed else ""),
        resource=_name_object(opa_input) if placed else _find_name(request),
        owner=_find_owner(opa_input, request, owner_label),
        principal=_name_principal(opa_input.get("principal")),
        client=to_text(opa_input.get("clientId")),
        opa=to_text(labels.get("id")),
        revision=to_text(
            decision.get("revision") or to_mapping(to_mapping(event.get("bundles")).get("warden")).get("revision")
        ),
        state_age=float(age) if isinstance(age, int | float) and not isinstance(age, bool) else None,
        rules=rules,
        document={
            "input": _reduce(opa_input),
            "result": decision if placed or isinstance(result, dict) else result,
            "path": event["path"],
            "labels": labels,
            **{name: event[name] for name in ("error", "trace_id") if event.get(name)},
            **{name: paths for name in ("masked", "erased") if (paths := to_list(event.get(name)))},
        },
    )


def _iter_from_line(event: Mapping[str, Any], at: int) -> Iterator[StoredDecision | ClientNote]:
    """What a gateway or webhook says that OPA's log lacks: whose client it was, and that there was no decision."""
    if event["message"] == "decided":
        for id, prefix in zip(to_list(event.get("decisionIds")), to_list(event.get("decisionKeys")), strict=False):
            if client := to_text(event.get("clientId")):
                yield ClientNote(to_text(id), to_text(prefix), client, at)
        for number, item in enumerate(to_list(event.get("items"))):
            if isinstance(item, dict) and item.get("allowed") is False and not event.get("decisionIds"):
                yield _build_undecided(event, at, f"{number}", "gateway", to_text(item.get("name")), item)
        return
    webhook = "uid" in event
    resource = to_text(event.get("object")) if webhook else ""
    yield _build_undecided(event, at, "", "webhook" if webhook else "gateway", resource, event)


def _build_undecided(
    event: Mapping[str, Any], at: int, item: str, point: str, resource: str, said: Mapping[str, Any]
) -> StoredDecision:
    place = ":".join(
        to_text(event.get(name)) for name in ("cluster", "client", "correlationId", "uid") if event.get(name)
    )
    kept = {
        name: value for name, value in {**event, **said}.items() if name not in ("items", "level", "time", "message")
    }
    why = said.get("message") if said is not event else event.get("reason")
    fallback = "passed without a decision" if event.get("forwarded") == "all" else "refused without a decision"
    kept["why"] = to_text(why or said.get("error")) or fallback
    return StoredDecision(
        id=to_text(f"{point}:{at}:{place}"),
        item=item,
        at=at,
        status=UNDECIDED,
        cluster=to_text(event.get("cluster")),
        point=point,
        operation=to_text(event.get("change") or event.get("api") or event.get("operation")),
        resource=resource,
        principal=to_text(event.get("principal")),
        client=to_text(event.get("clientId")),
        document={"line": kept},
    )


def _read_placement(result: Any) -> Mapping[str, Any]:
    """The answer about a Kubernetes object in the form of a decision."""
    answer = to_mapping(result)
    if "annotations" not in answer:
        return {}
    errors, warnings = to_list(answer.get("errors")), to_list(answer.get("warnings"))
    violations = [
        {"rule": match[0], "effect": effect, "severity": "", "message": text[match.end() + 2 :], "fix": ""}
        for effect, texts in (("deny", errors), ("warn", warnings))
        for text in map(to_text, texts)
        if (match := _RULE.match(text))
    ]
    error = {"name": "Forbidden"} if errors else None
    return {"allowed": not errors, "error": error, "errors": [], "warnings": [], **answer, "violations": violations}


def _normalise(decision: Mapping[str, Any]) -> Mapping[str, Any]:
    """A decision whose lists are lists, of objects whose rule and effect are texts, as far as it has them."""
    lists: dict[str, list[Any]] = {
        name: to_list(decision[name]) for name in ("violations", "errors", "warnings") if name in decision
    }
    if "violations" in lists:
        lists["violations"] = [
            {**violation, **{name: to_text(violation[name]) for name in ("rule", "effect") if name in violation}}
            for violation in lists["violations"]
            if isinstance(violation, dict)
        ]
    return {**decision, **lists}


def _find_status(decision: Mapping[str, Any]) -> str:
    if decision.get("allowed") is not True:
        return DENIED if decision.get("allowed") is False and not decision.get("invalidInput") else UNDECIDED
    effects = {violation.get("effect") for violation in decision.get("violations", ())}
    return WARNED if "warn" in effects or decision.get("warnings") else ALLOWED


def _find_name(request: Mapping[str, Any]) -> str:
    for path in RESOURCE_PATHS:
        value: Any = request
        for name in path.split("."):
            value = to_mapping(value).get(name)
        if isinstance(value, str | int) and value != "":
            return to_text(value)
    return ""


def _find_owner(opa_input: Mapping[str, Any], request: Mapping[str, Any], owner_label: str) -> str:
    topics = to_mapping(to_mapping(opa_input.get("clusterState")).get("topics"))
    labels = to_mapping(to_mapping(topics.get(to_text(request.get("topic")))).get("labels"))
    return to_text(to_mapping(request.get("labels")).get(owner_label) or labels.get(owner_label))


def _name_principal(principal: Any) -> str:
    fields = to_mapping(principal)
    return to_text(f"{fields.get('type')}:{fields.get('name')}") if fields.get("name") else ""


def _name_object(obj: Mapping[str, Any]) -> str:
    meta = to_mapping(obj.get("metadata"))
    return to_text("/".join(filter(None, map(to_text, (obj.get("kind"), meta.get("namespace"), meta.get("name"))))))


def _reduce(whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """An input with no more of the cluster's state than is about its own resource, and nothing too long to show."""
    state, request = to_mapping(whole.get("clusterState")), to_mapping(whole.get("request"))
    if not state:
        return whole if _measure(whole) <= _MAX_INPUT else {"left out": f"the input has {_measure(whole)} characters"}
    own: dict[str, Any] = {"meta": to_mapping(state.get("meta"))}
    for name, kind in STATE_KINDS.items():
        resource = to_mapping(state.get(kind)).get(to_text(request.get(name)))
        if resource is not None:
            own[kind] = {to_text(request.get(name)): resource}
    own["left out"] = "what is about other resources"
    reduced = {**whole, "clusterState": own}
    return reduced if _measure(reduced) <= _MAX_INPUT else {"left out": f"the input has {_measure(whole)} characters"}


def _measure(value: Any) -> int:
    """About how many characters a document has as JSON."""
    stack, size = [value], 0
    while stack:
        node = stack.pop()
        size += len(node) + 2 if isinstance(node, str) else 6
        if isinstance(node, dict):
            stack.extend(chain.from_iterable(node.items()))
        elif isinstance(node, list):
            stack.extend(node)
    return size


def _rank(effect: str) -> int:
    order = tuple(EFFECTS)
    return order.index(effect) if effect in order else len(order)


def _parse_time(text: Any) -> int | None:
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)
