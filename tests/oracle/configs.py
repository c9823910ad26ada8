"""AlterConfig of groups, client metrics and a broker's loggers, by IncrementalAlterConfigs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from tests.fixtures.conditions import eventually
from tests.oracle.broker import Answer, Answers, Broker
from tests.oracle.cases import Case, complete
from warden.sources.kafka.configs import catalogue

__all__ = ["STATE", "answers", "cases", "requested"]

STATE: dict[str, Any] = {"brokers": {"1": {"configs": {}}}}
"""What all cases share: one broker, with nothing set."""

_TYPES = {"group": 32, "client-metrics": 16, "broker-logger": 8}
_CODES = {"SET": 0, "DELETE": 1, "APPEND": 2, "SUBTRACT": 3}
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
_LOGGERS = ("kafka.server.KafkaApis", "root", "org.apache.kafka")
_LEVELS = ("INFO", "DEBUG", "TRACE", "WARN", "ERROR", "FATAL", "OFF", "info", "", " INFO", "x")
_OPS = tuple(_CODES)
Op = tuple[str, str, str | None]


@cache
def _values() -> dict[str, dict[str, tuple[str, ...]]]:
    """By type of resource, the edges of each key, with those of one that there is not."""
    found = {}
    for type_, name in (("group", "group"), ("client-metrics", "clientMetrics")):
        types = catalogue(name)["types"]
        found[type_] = {key: _OTHERS.get(key) or _OTHERS.get(types[key]) or _NUMBERS for key in types}
        found[type_] |= {"no.such.key": ("1",), "": ("1",), "retention.ms": ("1",)}
    return found


def _case(name: str, type_: str, resource: str, ops: Sequence[Op], before: Mapping[str, str] | None = None) -> Case:
    configs = {"mode": "incremental", "ops": [{"name": key, "op": op, "value": value} for key, op, value in ops]}
    sent = {
        "resourceType": _TYPES[type_],
        "resourceName": resource,
        "configs": [{"name": key, "configOperation": _CODES[op], "value": value} for key, op, value in ops],
    }
    state = {"resourceConfigs": {type_: {resource: dict(before)}}} if before else {}
    request = {"resource": {"type": type_, "name": resource}, "configs": configs}
    return Case(name, "AlterConfig", request, sent, state)


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
        for op in _OPS
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
        for op in _OPS
        for level in (*(_LEVELS if op == "SET" else ("INFO", "x")), None)
    ]
    return complete("AlterConfig", edges, _draw, least=len(edges) + 100)


def _draw(source: Random, number: int) -> Case:
    type_ = source.choice(("group", "group", "client-metrics"))
    keys = list(_values()[type_])
    ops: list[Op] = []
    for key in source.choices(keys[:-3], k=source.randint(1, 4)):
        op = source.choices(_OPS, (8, 2, 0.3, 0.3))[0]
        ops.append((key, op, None if op == "DELETE" else source.choice(_values()[type_][key])))
    before = _BEFORE[type_] if source.random() < 0.5 else None
    return _case("", type_, f"random{number}", ops, before)


def requested(state: Any) -> Any:
    """What is compared of what rules see: the overrides as they are read, since Kafka shows no others."""
    return {
        key: ",".join(dict.fromkeys(value)) if isinstance(value, list) else json.dumps(value).strip('"')
        for key, value in state["values"].items()
    }


def answers(broker: Broker, every: Sequence[Case]) -> Answers:
    """What the broker answers to each case, and the resource's overrides then."""
    before = [
        _case(case.name, type_, name, [(key, "SET", value) for key, value in configs.items()])
        for case in every
        for type_, resources in case.state.get("resourceConfigs", {}).items()
        for name, configs in resources.items()
    ]
    assert [] == [answer for answer in _alter(broker, before).values() if answer.code]
    # Levels of loggers are evaluated only: they would be those of the broker for all tests that come.
    loggers = [case for case in every if _resource(case)[0] == "broker-logger"]
    others = [case for case in every if _resource(case)[0] != "broker-logger"]
    found = _alter(broker, others)
    after = _described(broker, [_resource(case) for case in others if found[case.name].code == 0])
    return _alter(broker, loggers, only=True) | {
        case.name: replace(found[case.name], after=after.get(_resource(case))) for case in others
    }


def _resource(case: Case) -> tuple[str, str]:
    return case.request["resource"]["type"], case.request["resource"]["name"]


def _alter(broker: Broker, every: Sequence[Case], *, only: bool = False) -> dict[str, Answer]:
    return broker.answers(
        "IncrementalAlterConfigs",
        {case.name: ((_TYPES[_resource(case)[0]], _resource(case)[1]), case.sent) for case in every},
        lambda resources: {"resources": resources, "validateOnly": only},
        lambda response: (
            ((result.resource_type, result.resource_name), result.error_code, result.error_message)
            for result in response.responses
        ),
    )


def _described(broker: Broker, resources: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Any]:
    """The overrides of resources, once the broker knows what the controller has done."""
    last = _case("last", "group", "last", [("consumer.session.timeout.ms", "SET", "46000")])
    assert _alter(broker, [last])["last"].code == 0
    eventually(lambda: _overrides(broker, [("group", "last")])["group", "last"], "the broker knows of all configs")
    return _overrides(broker, resources)


def _overrides(broker: Broker, resources: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Any]:
    types = {code: type_ for type_, code in _TYPES.items()}
    elements = [
        {"resourceType": _TYPES[type_], "resourceName": name, "configurationKeys": None} for type_, name in resources
    ]
    fields = {"resources": elements, "includeSynonyms": False, "includeDocumentation": False}
    return {
        (types[result.resource_type], result.resource_name): {
            config.name: config.value for config in result.configs if config.config_source in _DYNAMIC
        }
        for result in broker.send("DescribeConfigs", fields).results
    }


_DYNAMIC = (7, 8)  # DYNAMIC_CLIENT_METRICS_CONFIG, DYNAMIC_GROUP_CONFIG
