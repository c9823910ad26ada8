"""AlterConfig of groups, client metrics and a broker's loggers, by IncrementalAlterConfigs and AlterConfigs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from tests.fixtures.conditions import eventually
from tests.oracle.broker import Answer, Answers, Broker, unused
from tests.oracle.cases.changes import OPS, Op, alter, as_read, choose, full, incremental, overrides, resolved, sent
from tests.oracle.cases.sampling import Case, complete
from warden.policy.bundle.catalog import read_catalog

__all__ = ["STATE", "answers", "cases", "requested", "unchanged"]

STATE: dict[str, Any] = {"brokers": {"1": {"configs": {}}}}
"""What all cases share: one broker, with nothing set."""

_TYPES = {"group": 32, "client-metrics": 16, "broker-logger": 8}
_NUMBERS = (
    *(
        "0",
        "-1",
        "1",
        "2",
        "10",
        "99",
        "100",
        "999",
        "1000",
        "4999",
        "5000",
        "15000",
        "15001",
        "44999",
        "45000",
        "60000",
    ),
    *("60001", "3600000", "3600001", "2147483647", "2147483648", "", " 5000 ", "+5000", "5e3", "0x10", "x"),
)
# Of java.util.regex, without commas and equals signs, at which Kafka splits.
_PATTERNS = r"""
* + ? ( ) [ ] { } \ | ^ $ a| a** a++ a*? a+* a{1 a{1} a{x} {1} a{2}{3} a{1001} a} [a [] []a] [^]a]
[a- [a-] [z-a] [{] [a-z&&[^b]] [[:alpha:]] (?<n>a) (?<1>a) (?:a) (?!a)b (?<!a)b (?>a) (?i)a (?P<n>a)
(a)\1 \2 (? (?x (a \p{L} \p{Foo} \pL \d \D+ \x \x41 \u0041 \Qa \Q(\E \e \y \_ \z \h \R .
""".split()  # noqa: SIM905 - as a list it has a line for each
_OTHERS = {
    "boolean": ("true", "false", "TRUE", " true", "yes", ""),
    "share.auto.offset.reset": (
        *(
            "latest",
            "earliest",
            "LATEST",
            " latest",
            "",
            "none",
            "by_duration",
            "by_duration:",
            "by_duration:PT1H",
            "by_duration:P1D",
        ),
        *(
            "by_duration:-PT1H",
            "by_duration:PT0S",
            "by_duration:1h",
            "BY_DURATION:PT1H",
            "by_duration:pt1.5s",
            "by_duration: PT1H",
        ),
        *(
            "by_duration:P1DT1H1M1.1S",
            "by_duration:P",
            "by_duration:PT",
            "by_duration:P1Y",
            "by_duration:P+1D",
            "by_duration:PT-0.5S",
        ),
    ),
    "share.isolation.level": ("read_committed", "read_uncommitted", "READ_COMMITTED", " read_committed", ""),
    "metrics": ("", "*", "a", "a.b.,c", "a,,b", "a,", ",", " ", "a, b", "a,a", "*,a", "org.apache.kafka."),
    "match": (
        *("", "client_id=a", "client_id=a.*", "client_id=", "=a", "client_id", "client_id=a=b", "x=a", "CLIENT_ID=a"),
        *(
            "client_id=a,client_software_name=b",
            "client_id=a,client_id=b",
            "client_id=a,",
            ",",
            " client_id = a ",
            "client_id=a=",
        ),
        *(
            "client_instance_id=a",
            "client_software_version=\\d",
            "client_source_address=1.2.3.4",
            "client_source_port=9.*",
        ),
        *(f"client_id={pattern}" for pattern in _PATTERNS),
    ),
}
_BEFORE = {"group": {"consumer.session.timeout.ms": "50000"}, "client-metrics": {"interval.ms": "1000"}}
_LEVEL, _ROOTS = "ERROR", "WARN"  # that loggers of cases have before, and that the root has
_LOGGERS = ("kafka.server.KafkaApis", "root", "org.apache.kafka")
_LEVELS = ("INFO", "DEBUG", "TRACE", "WARN", "ERROR", "FATAL", "OFF", "info", "", " INFO", "x")


@cache
def _values() -> dict[str, dict[str, tuple[str, ...]]]:
    """By type of resource, the edges of each key, with those of one that there is not."""
    found = {}
    for type_, name in (("group", "group"), ("client-metrics", "clientMetrics")):
        types = read_catalog(name)["types"]
        found[type_] = {key: _OTHERS.get(key) or _OTHERS.get(types[key]) or _NUMBERS for key in types}
        found[type_] |= {"no.such.key": ("1",), "": ("1",), "retention.ms": ("1",)}
    return found


def _case(name: str, type_: str, resource: str, ops: Sequence[Op], before: Mapping[str, str] | None = None) -> Case:
    return _changed(name, type_, resource, incremental(ops), before)


def _changed(
    name: str, type_: str, resource: str, change: Mapping[str, Any], before: Mapping[str, str] | None = None
) -> Case:
    state = {"resourceConfigs": {type_: {resource: dict(before)}}} if before else {}
    request = {"resource": {"type": type_, "name": resource}, "configs": change}
    return Case(name, "AlterConfig", request, sent(_TYPES[type_], resource, change), state)


def _replacements() -> Iterator[Case]:
    """Every edge of every key in place of all that there is, what removes it unsaid, nulls, and names."""
    for type_, before in _BEFORE.items():
        other = next(key for key in _values()[type_] if key not in before)
        changes: dict[str, dict[str, Any]] = {
            "nothing": {},
            "as it is": dict(before),
            "a null": {**before, other: None},
            "nulls": dict.fromkeys((*before, other)),
            "a null of what is there": dict.fromkeys(before),
        }
        for i, (name, entries) in enumerate(changes.items()):
            yield _changed(f"{type_}, {name} in place of all", type_, f"full.{i}", full(entries), before)
            change = resolved(before, entries)
            yield _changed(f"{type_}, {name}, resolved", type_, f"resolved.{i}", change, before)
        for i, (key, values) in enumerate(_values()[type_].items()):
            for j, value in enumerate(values if len(values) < 30 else values[::3]):
                yield _changed(f"{type_}, only {key!r} {value!r}", type_, f"only{i}.{j}", full({key: value}), before)
                if j % 3 == 0:
                    change = resolved(before, {**dict.fromkeys(before), key: value})
                    yield _changed(f"{type_}, {key!r} {value!r}, resolved", type_, f"to{i}.{j}", change, before)
        for name in ("", " ", "ä"):
            yield _changed(f"{type_} {name!r} in place of all", type_, name, full({other: "1"}))
    for name, level in (("root", "INFO"), ("root", None), (_LOGGERS[0], "INFO"), ("nope.Nope", "x")):
        change = full({name: level})
        yield _changed(f"logger {name!r}, {level!r} in place of all", "broker-logger", "1", change)


def cases() -> list[Case]:
    """Every edge of every key, the operations on each sort, names, and random changes of several keys."""
    edges = [
        _case(f"{type_}, {key!r} {value!r}", type_, f"edge{i}.{j}", [(key, "SET", value)])
        for type_, keys in _values().items()
        for i, (key, values) in enumerate(keys.items())
        for j, value in enumerate(values)
    ]
    edges += [
        _case(f"{type_}, {op} {value!r} of {key!r}", type_, f"op.{key}.{op}.{value}", [(key, op, value)], before)
        for type_, before in _BEFORE.items()
        for key in (*before, next(reversed(_values()[type_])), "metrics")
        for op in OPS
        for value in ("5000", None)
    ]
    edges += [
        _case(f"{type_} {name!r}", type_, name, [(key, "SET", value)])
        for type_, key, value in (
            ("group", "consumer.session.timeout.ms", "50000"),
            ("client-metrics", "interval.ms", "500"),
        )
        for name in ("", " ", "a b", "ä", "x" * 300, "<default>")
    ]
    edges += [_case(f"{type_}, none changed", type_, "none", []) for type_ in _TYPES if type_ != "broker-logger"]
    edges += [
        _case(f"logger {name!r} of {broker!r}, {op} {level!r}", "broker-logger", broker, [(name, op, level)])
        for broker in ("1", "", "2", "x", "+1", "01", "-1", "99999999999")
        for name, op, level in (("root", "SET", "INFO"), ("root", "DELETE", None))
    ]
    edges += [
        _case(f"logger {name!r}, {op} {level!r}", "broker-logger", "1", [(name, op, level)])
        for name in (*_LOGGERS, "nope.Nope")
        for op in OPS
        for level in (*(_LEVELS if op == "SET" else ("INFO", "x")), None)
    ]
    edges += _replacements()
    return complete("AlterConfig", edges, _draw, least=len(edges) + 200)


def _draw(source: Random, number: int) -> Case:
    type_ = source.choice(("group", "group", "client-metrics"))
    keys = list(_values()[type_])
    ops: list[Op] = []
    for key in source.choices(keys[:-3], k=source.randint(1, 4)):
        op = source.choices(OPS, (8, 2, 0.3, 0.3))[0]
        ops.append((key, op, None if op == "DELETE" else source.choice(_values()[type_][key])))
    before = _BEFORE[type_] if source.random() < 0.5 else None
    change = incremental(ops) if source.random() < 0.4 else choose(source, ops, before or {})
    return _changed("", type_, f"random{number}", change, before)


def requested(case: Case, state: Any, change: Any) -> Any:
    """What is compared of what rules see: the overrides as they are read, since Kafka shows no others, or a level."""
    if _resource(case)[0] == "broker-logger":
        levels = change["explicit"]
        return {name: level or _ROOTS for name, level in levels.items()}
    return as_read(state["values"])


def unchanged(case: Case) -> Any:
    """What is there before; of a logger that there is, the level which it has before each case."""
    type_, name = _resource(case)
    if type_ == "broker-logger":
        return dict.fromkeys(_own_loggers(case), _LEVEL)
    return case.state.get("resourceConfigs", {}).get(type_, {}).get(name, {})


def answers(broker: Broker, every: Sequence[Case]) -> Answers:
    """What the broker answers to each case, and the resource's overrides then, or the logger's level."""
    before = [
        _case(case.name, type_, name, [(key, "SET", value) for key, value in configs.items()])
        for case in every
        for type_, resources in case.state.get("resourceConfigs", {}).items()
        for name, configs in resources.items()
    ]
    assert [] == [answer for answer in alter(broker, before).values() if answer.code]
    others = [case for case in every if _resource(case)[0] != "broker-logger"]
    found = alter(broker, others)
    last = unused("last")
    mark = _case("last", "client-metrics", last, [("interval.ms", "SET", "2000")])
    assert alter(broker, [mark])["last"].code == 0
    marked = (_TYPES["client-metrics"], last)
    eventually(lambda: overrides(broker, [marked])[marked], "the broker knows of all configs")
    alone = Counter(_resource(case) for case in others)
    there: dict[tuple[int, str], dict[str, str]] = {}
    for type_ in _BEFORE:  # a release that lacks one of them says nothing of the others beside it
        of_type = [case for case in others if _resource(case)[0] == type_]
        there |= overrides(broker, [_typed(case) for case in of_type if _resource(case)[1]])
    return _of_loggers(broker, [case for case in every if _resource(case)[0] == "broker-logger"]) | {
        case.name: replace(found[case.name], after=there.get(_typed(case)))
        if alone[_resource(case)] == 1
        else found[case.name]
        for case in others
    }


def _resource(case: Case) -> tuple[str, str]:
    return case.request["resource"]["type"], case.request["resource"]["name"]


def _typed(case: Case) -> tuple[int, str]:
    type_, name = _resource(case)
    return _TYPES[type_], name


def _own_loggers(case: Case) -> list[str]:
    """The loggers of a case whose levels may change here: the one that broker 1 has, and no other hangs on."""
    change = case.request["configs"]
    names = [op["name"] for op in change["ops"]] if change["mode"] == "incremental" else list(change["entries"])
    return names if _resource(case)[1] == "1" and set(names) == {_LOGGERS[0]} else []


def _of_loggers(broker: Broker, every: Sequence[Case]) -> dict[str, Answer]:
    """What the broker answers, and the levels then of loggers that are altered and not evaluated only."""
    found = alter(broker, [case for case in every if not _own_loggers(case)], only=True)
    for case in every:
        if names := _own_loggers(case):
            levels = _case("before", "broker-logger", "1", [(name, "SET", _LEVEL) for name in names])
            assert alter(broker, [levels])["before"].code == 0
            found |= alter(broker, [case])
            found[case.name] = replace(found[case.name], after=_levels(broker, names))
    return found


def _levels(broker: Broker, loggers: Sequence[str]) -> dict[str, str]:
    element = {"resourceType": _TYPES["broker-logger"], "resourceName": "1", "configurationKeys": list(loggers)}
    fields = {"resources": [element], "includeSynonyms": False, "includeDocumentation": False}
    (result,) = broker.send("DescribeConfigs", fields, 1).results
    return {config.name: config.value for config in result.configs}
