"""What is not known of a document: a rule that it could change is not evaluated, and all else is decided as ever."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from warden.policy.opa.client import OpaClient

pytestmark = pytest.mark.opa

_Documents = Mapping[str, Mapping[str, Any]]

# What the state has of the resource itself, by which a request is read, is taken as it stands; how old it is, too.
_PARTS_OF_RESOURCES = {
    *("acls", "brokers", "catalog", "clientConfigs", "features", "managed", "meta", "quotas", "resourceConfigs"),
    *("topics", "users"),
}
_SEED = 41
_SHARE = 250  # of some thousands, which take minutes
_NOT_EVALUATED = {"INVALID_REQUEST", "UNKNOWN_TOPIC_OR_PARTITION"}


def test_nothing_that_is_not_known_changes_nothing(
    documents: _Documents, decisions: Mapping[str, Any], example_client: OpaClient
) -> None:
    """A decision with nothing unknown is the decision without, but for the list of rules and what is proposed."""
    decided = example_client.decide_many({name: {**document, "unknown": []} for name, document in documents.items()})

    assert decided == {
        name: {**decision, "notEvaluated": [], "annotations": {}} for name, decision in decisions.items()
    }


def test_no_rule_depends_on_what_is_not_known(documents: _Documents, example_client: OpaClient) -> None:
    """A rule whose answer two values of a field tell apart is among those that are not evaluated without it."""
    items: dict[str, Any] = {}
    pairs = {}
    differing = list(_iter_differing(documents))
    for name, pointer, first, second in random.Random(_SEED).sample(differing, _SHARE):
        place = f"{name} {pointer}"
        pairs[place] = f"{place} 1", f"{place} 2"
        items |= {f"{place} 1": first, f"{place} 2": second, place: {**first, "unknown": [pointer]}}
    decided = example_client.decide_many(items)
    wrong = {}
    for place, values in pairs.items():
        if _NOT_EVALUATED & {(decided[key]["error"] or {}).get("name") for key in values}:
            continue
        one, other = ({violation["rule"] for violation in decided[key]["violations"]} for key in values)
        if unlisted := (one ^ other) - {row["rule"] for row in decided[place]["notEvaluated"]}:
            wrong[place] = sorted(unlisted)

    assert {} == wrong


def _iter_differing(documents: _Documents) -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """Documents that differ at a pointer: as they are, and with what another about the operation has there."""
    chosen = random.Random(_SEED)
    fields = [(document["operation"], *field) for document in documents.values() for field in _iter_fields(document)]
    for name, document in documents.items():
        own = dict(_iter_fields(document))
        others = {path: value for operation, path, value in fields if operation == document["operation"]}
        for path in sorted({*own, *others}):
            values = [value for operation, at, value in fields if (operation, at) == (document["operation"], path)]
            pointer = "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in path)
            yield name, pointer, dict(document), _replaced(document, path, chosen.choice(values))


def _iter_fields(document: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for field, value in document["request"].items():
        yield ("request", field), value
    configs = document["request"].get("configs", {})
    for name, text in configs.items() if "mode" not in configs else ():
        yield ("request", "configs", name), text
    for part, value in document["clusterState"].items():
        if part not in _PARTS_OF_RESOURCES:
            yield ("clusterState", part), value


def _replaced(document: Mapping[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    field, *rest = path
    inner = _replaced(document.get(field, {}), tuple(rest), value) if rest else value
    return {**document, field: inner}
