"""Searches of decisions: a filter as the address has it, a page of them, and how many there are of what."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import InputError
from warden.console.gate import Viewer
from warden.console.store.decision_store import DecisionStore
from warden.console.store.dialect import COLUMNS
from warden.console.store.stored import STATUSES, format_time, to_text

__all__ = [
    "FIELDS",
    "MAX_FACET_DECISIONS",
    "DecisionPage",
    "Filter",
    "count_facets",
    "find_decision",
    "find_page",
    "list_new_decisions",
    "parse_filter",
]

FIELDS: Final = {
    "status": "Decision",
    "rule": "Rule",
    "cluster": "Cluster",
    "owner": "Owner",
    "resource": "Resource",
    "principal": "Principal",
    "client": "Client",
    "point": "Enforcement point",
}
"""What decisions are filtered by → its name on the page."""

MAX_FACET_DECISIONS: Final = 5_000
"""How many decisions the figures beside a page are of, at the most: the newest."""

_PAGE: Final = 50
_LIVE: Final = 50
_VALUES: Final = 8  # of each field, the most frequent
_SINCE: Final = {"m": 60, "h": 3600, "d": 86400}
_MAX_COUNTED: Final = 20_000
_DIGITS: Final = 19  # any number with fewer has 64 bits or less
_COLUMNS: Final = ", ".join(f"d.{name}" for name in COLUMNS)


@dataclass(frozen=True)
class Filter:
    """Which decisions.

    Args:
        values: Field → the value that it has to have; ``*`` in a resource's stands for whatever is there.
        since: As the address has it: ``24h``, or a time; "" for all.
        after: Milliseconds since 1970, from ``since``.
        before: Time and number of the decision that the page begins after; None for the newest.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    since: str = ""
    after: int | None = None
    before: tuple[int, int] | None = None

    def build_query(self, **changes: str | None) -> str:
        """Return the query of an address with this filter; without the page, and with some fields otherwise."""
        fields = {**self.values, "since": self.since, **changes}
        return urlencode({name: value for name, value in fields.items() if value})


@dataclass(frozen=True)
class DecisionPage:
    """A page of decisions.

    Args:
        rows: The decisions, newest first, each as JSON-ready values.
        older: ``before`` of the next page; None where there is none.
    """

    rows: list[dict[str, Any]]
    older: str | None


def parse_filter(query: Mapping[str, str], now: datetime | None = None) -> Filter:
    """Return the filter of an address; other keys are left alone.

    Args:
        query: The address's query.
        now: From where ``since`` counts; now where None.

    Raises:
        InputError: A value is none that there can be.
    """
    values = {name: to_text(query[name]) for name in FIELDS if query.get(name)}  # as the columns are
    if values.get("status", STATUSES[0]) not in STATUSES:
        raise InputError(describe_unknown("status", values["status"], STATUSES))
    since = query.get("since", "")
    before = query.get("before", "")
    return Filter(
        values,
        since,
        _parse_since(since, now or datetime.now(UTC)) if since else None,
        _parse_before(before) if before else None,
    )


def find_page(store: DecisionStore, wanted: Filter, viewer: Viewer) -> DecisionPage:
    """Return a page of the decisions that somebody may see.

    Raises:
        InputError: It takes too long.
        StoreError: The store does not answer.
    """
    tables, conditions, values, key = _build_conditions(wanted, viewer, store)
    if wanted.before is not None:
        conditions.append(f"({key}.at, {key}.seq) < (?, ?)")
        values += wanted.before
    query = f"SELECT {_COLUMNS} FROM {tables} {_build_where(conditions)} ORDER BY {key}.at DESC, {key}.seq DESC LIMIT ?"  # noqa: S608 - of constants
    rows = [_name_columns(row) for row in store.read(query, (*values, _PAGE + 1))]
    older = f"{rows[_PAGE - 1]['at']}-{rows[_PAGE - 1]['seq']}" if len(rows) > _PAGE else None
    return DecisionPage(rows[:_PAGE], older)


def count_facets(store: DecisionStore, wanted: Filter, viewer: Viewer) -> dict[str, Any]:
    """Return of each field the most frequent values among the newest decisions that a filter leaves.

    Raises:
        StoreError: As of `find_page`.
    """
    tables, conditions, values, key = _build_conditions(wanted, viewer, store)
    names = [name for name in FIELDS if name != "rule"]
    columns = ", ".join(f"d.{name}" for name in (*names, "rules"))
    query = f"SELECT {columns} FROM {tables} {_build_where(conditions)} ORDER BY {key}.at DESC, {key}.seq DESC LIMIT ?"  # noqa: S608 - of constants
    rows = store.read(query, (*values, MAX_FACET_DECISIONS))
    by_column = list(zip(*rows, strict=True)) or [()] * (len(names) + 1)
    counts: dict[str, Counter[str]] = {name: Counter(column) for name, column in zip(names, by_column, strict=False)}
    counts["rule"] = Counter()
    for rules, count in Counter(by_column[-1]).items():
        for rule in rules.split():
            counts["rule"][rule] += count
    fields = {
        name: [{"value": value, "count": count} for value, count in counts[name].most_common(_VALUES + 1) if value]
        for name in FIELDS
    }
    return {"decisions": len(rows), "complete": len(rows) < MAX_FACET_DECISIONS, "fields": fields}


def list_new_decisions(store: DecisionStore, wanted: Filter, viewer: Viewer, after: int) -> list[dict[str, Any]]:
    """Return decisions that were stored after one, newest first; no more than a page.

    Args:
        store, wanted, viewer: As of `find_page`; the filter's ``before`` and ``since`` count for nothing.
        after: Its number.

    Raises:
        StoreError: As of `find_page`.
    """
    by_column = Filter({name: value for name, value in wanted.values.items() if name != "rule"})
    tables, conditions, values, _ = _build_conditions(by_column, viewer, store)
    conditions.append("d.seq > ?")
    values.append(after)
    if rule := wanted.values.get("rule"):
        conditions.append("EXISTS (SELECT 1 FROM broken WHERE rule = ? AND at = d.at AND seq = d.seq)")
        values.append(rule)
    # By number, of which there are few, whatever the filter.
    tables += store.dialect.unordered
    query = f"SELECT {_COLUMNS} FROM {tables} {_build_where(conditions)} ORDER BY d.seq DESC LIMIT ?"  # noqa: S608 - of constants
    return [_name_columns(row) for row in store.read(query, (*values, _LIVE))]


def find_decision(store: DecisionStore, id: str, item: str, viewer: Viewer) -> dict[str, Any] | None:
    """Return a decision with its ``document``; None where there is none that somebody may see.

    Raises:
        StoreError: The store does not answer.
    """
    query = f"SELECT {_COLUMNS} FROM decisions d WHERE d.id = ? AND d.item = ?"  # noqa: S608 - of constants
    for row in store.read(query, (to_text(id), to_text(item))):
        decision = _name_columns(row)
        if viewer.may_see(decision["cluster"], decision["owner"]) or _is_own(decision, viewer):
            for document in store.read_documents([decision["seq"]]).values():
                return {**decision, "document": document}
    return None


def _is_own(decision: Mapping[str, Any], viewer: Viewer) -> bool:
    mine = viewer.principal is not None and decision["principal"] == viewer.principal
    return mine and viewer.may_see_cluster(decision["cluster"])


def _build_conditions(wanted: Filter, viewer: Viewer, store: DecisionStore) -> tuple[str, list[str], list[Any], str]:
    """Tables, conditions, their values, and the table that has the order."""
    conditions: list[str] = []
    values: list[Any] = []
    rule = wanted.values.get("rule")
    by_rule = f"broken b {store.dialect.join} decisions d ON d.seq = b.seq"
    tables, key = ("decisions d", "d") if rule is None else (by_rule, "b")
    for name, value in wanted.values.items():
        if name == "resource" and "*" in value:
            pattern = store.dialect.build_pattern(value)
            conditions.append(f"{_unindex(store, pattern)}d.resource {store.dialect.like} ?")
            values.append(pattern)
        else:
            conditions.append(f"{'b' if name == 'rule' else 'd'}.{name} = ?")
            values.append(value)
    if wanted.after is not None:
        conditions.append(f"{key}.at >= ?")
        values.append(wanted.after)
    for column, allowed in (("cluster", viewer.clusters), ("owner", viewer.owners)):
        if allowed is not None:
            own = " OR d.principal = ?" if column == "owner" else ""
            marks = ", ".join("?" * len(allowed)) or "NULL"  # which no value equals
            conditions.append(f"(d.{column} IN ({marks}){own})")
            values += [*sorted(allowed), *([viewer.principal] if own else [])]
    return tables, conditions, values, key


def _unindex(store: DecisionStore, pattern: str) -> str:
    """What stands before a column so that what many have is looked for among the newest, where it is found sooner."""
    if not (unindexed := store.dialect.unindexed):
        return ""
    frequent = f"SELECT 1 FROM decisions WHERE resource {store.dialect.like} ? LIMIT ?"  # noqa: S608 - of constants
    return unindexed if len(store.read(frequent, (pattern, _MAX_COUNTED))) == _MAX_COUNTED else ""


def _build_where(conditions: Iterable[str]) -> str:
    return f"WHERE {' AND '.join(conditions)}" if conditions else ""


def _name_columns(row: Iterable[Any]) -> dict[str, Any]:
    named = dict(zip(COLUMNS, row, strict=True))
    named["rules"] = named["rules"].split()
    named["time"] = format_time(named["at"])
    return named


def _parse_since(text: str, now: datetime) -> int:
    number, unit = text[:-1], text[-1:]
    try:
        if unit in _SINCE and number.isdecimal():
            moment = now - timedelta(seconds=int(number) * _SINCE[unit])
        else:
            moment = datetime.fromisoformat(text)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InputError(f"since {text[:40]}: write 15m, 24h, 7d, or a time such as 2026-11-21T10:00:00Z") from error
    return round(moment.timestamp() * 1000)


def _parse_before(text: str) -> tuple[int, int]:
    at, _, seq = text.partition("-")
    if not (at.isdecimal() and seq.isdecimal() and len(at) < _DIGITS and len(seq) < _DIGITS):
        raise InputError("before: take it from the link to older decisions")
    return int(at), int(seq)
