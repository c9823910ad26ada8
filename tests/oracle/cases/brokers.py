"""AlterBroker: dynamic configs of one broker and of all, by IncrementalAlterConfigs and AlterConfigs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.fixtures.conditions import eventually
from tests.oracle.broker import Answer, Answers, Broker
from tests.oracle.cases.broker_edges import EDGES
from tests.oracle.cases.changes import Op, as_read, boolean, full, incremental, overrides, resolved, sent
from tests.oracle.cases.sampling import Case, complete
from tests.oracle.cases.values import values
from warden.policy.bundle.catalog import read_catalog

__all__ = ["after", "answers", "cases", "reset", "unchanged"]

_OPERATION = "AlterBroker"
_BROKER = 4
_LISTENERS = ("plaintext", "PLAINTEXT", "controller", "other", "", "a.b", "plaintext.plain")
_STRANGE = ("my.key", "retention.ms", "cleanup.policy", "listener.name.plaintext", "listener.name.x.my.key")
_BROKERS = ("7", "-1", "x", " 1", "01", "+1", "2147483648")
_CLASSES = {"metric.reporters": "a.B", "ssl.engine.factory.class": "a.B", "principal.builder.class": "java.lang.String"}
_MARK = "log.segment.delete.delay.ms"  # of which a broker knows once it knows of all that came before
# What a broker can have for a moment without being another one, and what is set before of broker 1 and of all.
_HARMLESS = (
    *("log.cleaner.backoff.ms", "message.max.bytes", "log.cleanup.policy", "compression.type", "log.segment.bytes"),
    *("log.preallocate", "log.cleaner.min.cleanable.ratio"),
)
_BEFORE = {"1": {}, "": {"min.insync.replicas": "1"}}
_ONLY_EDGES = ("metric.reporters", "principal.builder.class")  # about whose classes the broker says what it knows


def _case(name: str, broker: str, change: Mapping[str, Any]) -> Case:
    return Case(name, _OPERATION, {"broker": broker, "configs": change}, sent(_BROKER, broker, change))


def _op(name: str, op: str, value: str | None = None) -> Op:
    return name, op, value


def _edges() -> Iterator[Case]:
    yield _case("APPEND of no config", "1", incremental([_op("my.key", "APPEND", "a")]))
    for number, entries in enumerate(EDGES):
        sets = [_op(name, "SET", value) for name, value in entries.items()]
        yield _case(f"edge {number} of one", "1", incremental(sets))
        yield _case(f"edge {number} of all", "", incremental(sets))
    rows = read_catalog("broker")["configs"]
    for name in sorted({rows[name]["dynamic"]: name for name in sorted(rows)}.values()):
        for broker in ("1", ""):
            for op in ("DELETE", "APPEND", "SUBTRACT"):
                yield _case(f"{op} of {name} of '{broker}'", broker, incremental([_op(name, op, "a")]))
    for name, value in _CLASSES.items():
        yield _case(f"class of {name}", "1", incremental([_op(name, "SET", value)]))
    for broker in _BEFORE:
        yield from _done_edges(broker)
    for broker in _BROKERS:
        yield _case(f"of '{broker}'", broker, incremental([_op("log.cleaner.backoff.ms", "SET", "1")]))


def _done_edges(broker: str) -> Iterator[Case]:
    """Edges of one broker, or of all, that are done and not only evaluated."""
    rows = read_catalog("broker")["configs"]
    for name in _HARMLESS:
        for value in dict.fromkeys(values(rows[name])[::5]):
            yield _case(f"{name} {value!r} of '{broker}'", broker, incremental([_op(name, "SET", value)]))
        for op in ("DELETE", "APPEND"):
            yield _case(f"{op} of the harmless {name} of '{broker}'", broker, incremental([_op(name, op, "a")]))
        entries = {**_BEFORE[broker], name: values(rows[name])[-1]}
        change = resolved(_BEFORE[broker], {**entries, "message.max.bytes": None})
        yield _case(f"{name} of '{broker}' in place of all", broker, full(entries))
        yield _case(f"{name} of '{broker}', resolved", broker, change)
    some = [_op("log.cleanup.policy", "APPEND", "compact"), _op("log.preallocate", "SET", "true")]
    yield _case(f"two of '{broker}'", broker, incremental(some))


def _name(source: Random) -> str:
    rows = read_catalog("broker")["configs"]
    modes: dict[str, list[str]] = {}
    for name in sorted(rows):
        if name not in _ONLY_EDGES:
            modes.setdefault("runtime" if rows[name].get("onlyDynamic") else rows[name]["dynamic"], []).append(name)
    weights = {"cluster-wide": 40, "per-broker": 15, "read-only": 10, "runtime": 10, "listener": 18, "strange": 7}
    kind = source.choices(list(weights), list(weights.values()))[0]
    if kind == "strange":
        return source.choice(_STRANGE)
    if kind == "listener":
        base = source.choice(modes[source.choice(["cluster-wide", "per-broker", "read-only"])])
        return f"listener.name.{source.choice(_LISTENERS)}.{base}"
    return source.choice(modes[kind])


def _value(source: Random, name: str) -> str:
    rows = read_catalog("broker")["configs"]
    row = rows.get(re.sub(r"^listener\.name\.[^.]*\.", "", name), {"type": source.choice(["int", "string"])})
    return source.choice(values(row))


def _random_op(source: Random) -> Op:
    name, op = _name(source), source.choices(["SET", "DELETE", "APPEND", "SUBTRACT"], [70, 12, 9, 9])[0]
    return _op(name, op, None if op == "DELETE" or source.random() < 0.02 else _value(source, name))


def _draw(source: Random, number: int) -> Case:
    broker = source.choices(["1", "", source.choice(_BROKERS[:3])], [58, 37, 5])[0]
    size = source.choices([0, 1, 2, 3], [5, 60, 25, 10])[0]
    if source.random() < 0.7:
        return _case(str(number), broker, incremental([_random_op(source) for _ in range(size)]))
    names = [_name(source) for _ in range(size)]
    # Of all brokers min.insync.replicas has to stay: without it nothing else would be looked at.
    before = {"min.insync.replicas": "1"} if broker == "" else {}
    entries = before | {name: _value(source, name) for name in names}
    change = full(entries) if source.random() < 0.5 else resolved(before, entries)
    return _case(str(number), broker, change)


def cases() -> list[Case]:
    """Return the cases."""
    return complete(_OPERATION, _edges(), _draw, least=800)


def after(case: Case, state: Any, change: Any) -> Any:
    """What is set once a case is done that is done and not only evaluated; rules see what is in force."""
    if not _is_done(case):
        return None
    if case.request["broker"] == "":
        rows = read_catalog("broker")["configs"]  # Kafka does not read what it shows of all brokers
        return as_read({name: boolean(rows.get(name, {}), value) for name, value in change["after"].items()})
    return as_read({name: value for name, value in state["values"].items() if name in change["after"]})


def unchanged(case: Case) -> Any:
    """What is set before such a case."""
    return _BEFORE[case.request["broker"]] if _is_done(case) else None


def _is_done(case: Case) -> bool:
    change = case.request["configs"]
    names = (
        [op["name"] for op in change["ops"]]
        if change["mode"] == "incremental"
        else change.get("entries", change.get("after"))
    )
    return case.request["broker"] in _BEFORE and set(names) <= {*_HARMLESS, "min.insync.replicas"}


def answers(oracle: Broker, every: Sequence[Case]) -> Answers:
    """Return what the broker says of each case, and what is set then where the case is done."""
    found = {}
    for number, case in enumerate(every):
        api, resource = case.sent
        done = _is_done(case)
        (result,) = oracle.send(api, {"resources": [resource], "validateOnly": not done}).responses
        message = result.error_message
        answer = Answer(result.error_code, () if message is None else (_ordered(message),))
        found[case.name] = replace(answer, after=_set_then(oracle, case.request["broker"], number)) if done else answer
    return found


def _set_then(oracle: Broker, broker: str, number: int) -> dict[str, str]:
    """What is set of a broker, or of all; then all is as before."""
    mark = str(60000 + number)
    api, resource = sent(_BROKER, broker, incremental([_op(_MARK, "SET", mark)]))
    (result,) = oracle.send(api, {"resources": [resource], "validateOnly": False}).responses
    assert result.error_code == 0

    there: dict[str, str] = {}

    def is_known() -> bool:
        there.clear()
        there.update(overrides(oracle, [(_BROKER, broker)])[_BROKER, broker])
        return there.pop(_MARK, None) == mark

    eventually(is_known, "the broker knows what is set")
    (result,) = oracle.send(*_reset(broker)).responses
    assert result.error_code == 0
    return there


def reset(oracle: Broker) -> None:
    """Set of broker 1 and of all what cases have before."""
    for broker in _BEFORE:
        (result,) = oracle.send(*_reset(broker)).responses
        assert result.error_code == 0
    of_all = (_BROKER, "")
    eventually(lambda: overrides(oracle, [of_all])[of_all] == _BEFORE[""], "the broker knows what is set of all")


def _reset(broker: str) -> tuple[str, dict[str, Any]]:
    api, resource = sent(_BROKER, broker, full(_BEFORE[broker]))
    return api, {"resources": [resource], "validateOnly": False}


def _ordered(message: str) -> str:
    """A message with the names that it lists in order: Java prints sets by hashes, and Scala otherwise."""
    listed = re.fullmatch(
        r"((?:Cannot update these|These security) configs.*: )(?:\[|(?:Hash)?Set\()(.*)[\])]", message
    )
    return f"{listed[1]}[{', '.join(sorted(listed[2].split(', ')))}]" if listed else message
