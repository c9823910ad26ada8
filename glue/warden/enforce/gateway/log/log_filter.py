"""Filter for lines of the log, by topic, time, principal and rule. No input or output."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from warden.base.errors import ConfigurationError
from warden.base.files.redact import redact
from warden.policy.contract.effect import format_message
from warden.policy.contract.names import RESOURCE_PATHS

__all__ = [
    "LogLine",
    "LogQuery",
    "filter_decisions",
    "filter_requests",
    "format_decisions",
    "is_request",
    "parse_since",
]

LogLine = Mapping[str, Any]
"""A line of a log."""

_REQUESTS: Final = ("decided", "not decided")  # the latter, which no policy decides about, names no resource
_SPAN: Final = re.compile(r"([1-9][0-9]{0,4})([smhd])")
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LogQuery:
    """What a line has to be about; what is None is left open.

    Args:
        topic: Name of the topic, or of another resource.
        principal: As in ``User:alice``.
        rule: A rule that is broken.
        since: The earliest time.
    """

    topic: str | None = None
    principal: str | None = None
    rule: str | None = None
    since: datetime | None = None

    def __bool__(self) -> bool:
        """Whether anything is given."""
        return any(value is not None for value in (self.topic, self.principal, self.rule, self.since))

    def fits(self, *, name: object, principal: object, rules: Iterable[str], time: object) -> bool:
        """Return whether something that was decided is about it.

        Args:
            name: Of the resource.
            principal: Whose request it was.
            rules: Those that are broken.
            time: When, in RFC 3339; what has no time is left out where one is given.
        """
        return (
            self.topic in (None, name)
            and self.principal in (None, principal)
            and (self.rule is None or self.rule in rules)
            and (self.since is None or _is_since(time, self.since))
        )

    def describe(self) -> str:
        """Return what is sought, for a sentence."""
        conditions = {"topic": self.topic, "principal": self.principal, "rule": self.rule}
        words = [f"{name} {value}" for name, value in conditions.items() if value is not None]
        return ", ".join(words + ([f"the time since {self.since:%Y-%m-%dT%H:%M:%SZ}"] if self.since else []))


def parse_since(text: str, now: datetime) -> datetime:
    """Return the time that is meant by ``90s``, ``15m``, ``1h``, ``2d``, or a time in RFC 3339.

    Args:
        text: As it is written.
        now: What spans are before.

    Raises:
        ConfigurationError: It is neither.
    """
    if match := _SPAN.fullmatch(text):
        return now - timedelta(**{_UNITS[match[2]]: int(match[1])})
    if (time := _parse_time(text)) is None:
        raise ConfigurationError(f"--since {text}: write a span such as 15m, 1h or 2d, or a time in RFC 3339")
    return time


def is_request(line: LogLine) -> bool:
    """Return whether a line is a gateway's about a request: other programs use the same word, with other fields."""
    items = line.get("items", [])
    return (
        line.get("message") in _REQUESTS
        and isinstance(line.get("forwarded", ""), str)
        and all(_is_list_of(str, line.get(name, [])) for name in ("decisionIds", "decisionKeys"))
        and _is_list_of(Mapping, items)
        and all(_is_list_of(str, item.get("rules", [])) for item in items)
    )


def filter_requests(lines: Iterable[LogLine], sought: LogQuery) -> list[LogLine]:
    """Return the gateway's lines that are about what is sought, each with those of its resources that are.

    Args:
        lines: Of gateways' logs, with other lines among them.
        sought: What they have to be about.
    """
    kept: list[LogLine] = []
    for line in lines:
        if not is_request(line):
            continue
        who, when = line.get("principal"), line.get("time")
        items = [
            item
            for item in line.get("items", ())
            if sought.fits(name=item.get("name"), principal=who, rules=_list_rules(item), time=when)
        ]
        if items or ("items" not in line and sought.fits(name=None, principal=who, rules=(), time=when)):
            kept.append({**line, "items": items} if items else line)
    return kept


def filter_decisions(lines: Iterable[LogLine], sought: LogQuery) -> list[LogLine]:
    """Return what an OPA's decision log says of what is sought, one for each resource: of any enforcement point.

    Args:
        lines: Of a decision log, with other lines among them.
        sought: What they have to be about.

    Returns:
        Each with ``time``, ``decisionId``, ``cluster``, ``enforcementPoint``, ``operation``, ``name``, ``principal``
        and ``decision``.
    """
    return [
        row
        for line in lines
        for row in _iter_decided(line)
        if sought.fits(
            name=row["name"],
            principal=row["principal"],
            rules=[violation.get("rule") for violation in row["decision"].get("violations", ())],
            time=row["time"],
        )
    ]


def format_decisions(rows: Iterable[LogLine]) -> Iterator[str]:
    """Yield what was decided, for people: what denies first, each with its fix.

    Args:
        rows: From `filter_decisions`.
    """
    for row in rows:
        decision = row["decision"]
        word = "allowed" if decision.get("allowed") is True else "denied"
        yield (
            f"{row['time']} {row['cluster']}: {row['operation']} {row['name']} of {row['principal']} at "
            f"{row['enforcementPoint']}: {word}, decision {row['decisionId']}"
        )
        for message in decision.get("errors", ()):
            yield f"  kafka: {redact(message)}"
        for violation in sorted(decision.get("violations", ()), key=lambda item: item.get("effect") != "deny"):
            yield f"  {violation.get('rule')} {violation.get('effect')}: {redact(format_message(violation))}"
            if violation.get("fix"):
                yield f"    fix: {redact(violation['fix'])}"


def _iter_decided(line: LogLine) -> Iterator[dict[str, Any]]:
    path, input, result = line.get("path"), line.get("input"), line.get("result")
    if not isinstance(input, Mapping) or not isinstance(result, Mapping):
        return  # anybody may ask OPA anything: the log has what it was
    pairs: list[tuple[Mapping[str, Any], Any, Any]]
    if path == "kafka/decision":
        pairs = [({}, input, result)]
    elif path == "kafka/decisions":
        common, items = _to_mapping(input.get("common")), _to_mapping(input.get("items"))
        pairs = [(common, item, result.get(key)) for key, item in items.items()]
    else:
        return
    for common, item, decision in pairs:
        if isinstance(decision, Mapping) and isinstance(item, Mapping):
            document = {**common, **item}
            yield {
                "time": line.get("timestamp"),
                "decisionId": line.get("decision_id"),
                "cluster": document.get("cluster"),
                "enforcementPoint": document.get("enforcementPoint", "no enforcement point"),
                "operation": document.get("operation"),
                "name": _find_name(document.get("request")),
                "principal": _format_principal(document.get("principal")),
                "decision": decision,
            }


def _find_name(request: Any) -> str | None:
    for path in RESOURCE_PATHS:
        value = request
        for name in path.split("."):
            value = _to_mapping(value).get(name)
        if isinstance(value, str | int) and value != "":
            return str(value)
    return None


def _to_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _format_principal(principal: Any) -> str:
    return f"{principal.get('type')}:{principal.get('name')}" if isinstance(principal, Mapping) else "nobody"


def _list_rules(item: LogLine) -> list[str]:
    return [rule.partition(" ")[0] for rule in item.get("rules", ())]


def _is_list_of(type_: type, value: object) -> bool:
    return isinstance(value, list) and all(isinstance(element, type_) for element in value)


def _is_since(time: object, since: datetime) -> bool:
    parsed = _parse_time(time) if isinstance(time, str) else None
    return parsed is not None and parsed >= since


def _parse_time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
