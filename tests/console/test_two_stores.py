"""Whatever is stored, pruned and looked for, by two consoles: PostgreSQL answers as SQLite does."""

import random
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from tests.console.logged import NOW, build_event, build_violation
from tests.console.stores import PostgresStores, SqliteStores
from tests.fixtures.postgres import PostgresServer
from tests.fixtures.seed import SEED
from warden.console.gate import Viewer
from warden.console.intake.events import iter_decisions_and_notes
from warden.console.policy.policies_seen import list_cluster_states, list_revisions
from warden.console.store.decision_store import DecisionStore
from warden.console.store.search import count_facets, find_decision, find_page, list_new_decisions, parse_filter
from warden.console.store.stored import STATUSES, ClientNote, StoredDecision

pytestmark = [pytest.mark.process]

_NAMES = [
    "payments.cards",
    "payments_cards",
    "PAYMENTS",
    "a[b]c",
    "50%",
    "a\\b",
    "é.漢",
    "",
    "x\0y",
    "l" * 600,
    "漢" * 500,
]
_CLUSTERS = ["prod-eu", "dev", ""]
_VIEWERS = [
    Viewer(),
    Viewer("User:alice", frozenset({"dev"}), None),
    Viewer("User:alice", None, frozenset({"payments", "x"})),
    Viewer("User:bob", frozenset(), frozenset()),
]


@pytest.mark.parametrize("case", range(6))
def test_both_give_the_same_answers(case: int, postgres: PostgresServer, tmp_path: Path) -> None:
    """Random batches with ids that come again, notes, bounds, pages and filters; consoles that are started again."""
    numbers = random.Random(f"{SEED}/{case}")
    moment = NOW
    rows = numbers.choice([30, 150, 1000])
    files, schemas = SqliteStores(tmp_path), PostgresStores(postgres, tmp_path)

    def open_all() -> list[DecisionStore]:
        return [each.open(rows=rows, now=lambda: moment) for each in (files, schemas, schemas)]

    with ExitStack() as stack:
        model, *writers = map(stack.enter_context, open_all())
        for _ in range(25):
            moment += numbers.choice([0, 60, 5 * 86400])
            batch = _make_batch(numbers, moment)
            writer = numbers.choice(writers)
            assert model.add(batch) == writer.add(batch)
            assert (model.rows, model.last) == (writer.rows, writer.last)
            for _ in range(4):
                look = _choose_look(numbers, model, moment)
                assert look(model) == look(numbers.choice(writers))
            if numbers.random() < 0.1:
                stack.close()
                model, *writers = map(stack.enter_context, open_all())
        for table in ("documents", "broken", "notes"):
            query = f"SELECT * FROM {table}"
            assert sorted(model.read(query, ())) == sorted(writers[0].read(query, ()))


def _make_batch(numbers: random.Random, moment: float) -> list[StoredDecision | ClientNote]:
    events: list[Any] = []
    for _ in range(numbers.randint(0, 40)):
        id = f"d-{numbers.randint(0, 400)}"
        if numbers.random() < 0.2:
            prefix = numbers.choice(["", "1/", "1", "2/"])
            events.append([ClientNote(id, prefix, numbers.choice(["portal", "é%"]), round(moment * 1000))])
            continue
        rules = [build_violation(f"KFK-{numbers.randint(1, 4)}", numbers.choice(["deny", "warn", "waived"]))]
        given = {
            "cluster": numbers.choice(_CLUSTERS),
            "request": {"topic": numbers.choice(_NAMES), "labels": {"owner": numbers.choice(["payments", "x", ""])}},
            "principal": {"type": "User", "name": numbers.choice(["alice", "bob"])},
        }
        at = moment - numbers.choice([0, 0, 0.001, 3600, 12 * 86400, 40 * 86400])
        event = build_event(id, *rules[: numbers.randint(0, 1)], at=at, **given)
        if numbers.random() < 0.3:
            items = {f"{n}/{numbers.choice('ab')}": event["input"] for n in range(numbers.randint(1, 3))}
            event |= {"path": "kafka/decisions", "input": {"items": items}, "result": {}}
        events.append(iter_decisions_and_notes(event))
    return list(chain.from_iterable(events))


def _choose_look(numbers: random.Random, store: DecisionStore, moment: float) -> Callable[[DecisionStore], object]:
    viewer = numbers.choice(_VIEWERS)
    values = {
        "status": numbers.choice(STATUSES),
        "rule": f"KFK-{numbers.randint(1, 5)}",
        "cluster": numbers.choice(_CLUSTERS[:2]),
        "resource": numbers.choice([*filter(None, _NAMES), "pay*", "*", "a[*", "5*%", "*\\*", "é*", "*_*", "?"]),
        "principal": "User:alice",
        "client": "portal",
    }
    chosen = {name: values[name] for name in numbers.sample(sorted(values), numbers.choice([0, 1, 1, 2]))}
    if numbers.random() < 0.3:
        chosen["since"] = "2h"
    now = datetime.fromtimestamp(moment, UTC)
    wanted = parse_filter(chosen, now)
    page = find_page(store, wanted, viewer)
    looks: list[Callable[[DecisionStore], object]] = [
        lambda one: find_page(one, wanted, viewer),
        lambda one: _sort_counts(count_facets(one, wanted, viewer)),
        lambda one: list_new_decisions(one, wanted, viewer, max(0, store.last - 60)),
        lambda one: (sorted(map(str, list_revisions(one))), list_cluster_states(one, viewer)),
    ]
    if page.older:
        further = parse_filter({**chosen, "before": page.older}, now)
        looks.append(lambda one: find_page(one, further, viewer))
    if page.rows:
        row = numbers.choice(page.rows)
        looks.append(lambda one: find_decision(one, row["id"], row["item"], viewer))
    return numbers.choice(looks)


def _sort_counts(facets: dict[str, Any]) -> dict[str, Any]:
    return {**facets, "fields": {name: sorted(map(str, counts)) for name, counts in facets["fields"].items()}}
