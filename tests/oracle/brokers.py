"""AlterBroker: dynamic configs of one broker and of all, by IncrementalAlterConfigs and AlterConfigs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from tests.oracle.broker import Answer, Answers, Broker
from tests.oracle.cases import Case, complete
from tests.oracle.values import values
from warden.sources.kafka.configs import catalogue

__all__ = ["answers", "cases"]

_OPERATION = "AlterBroker"
_CODES = {"SET": 0, "DELETE": 1, "APPEND": 2, "SUBTRACT": 3}
_LISTENERS = ("plaintext", "PLAINTEXT", "controller", "other", "", "a.b", "plaintext.plain")
_STRANGE = ("my.key", "retention.ms", "cleanup.policy", "listener.name.plaintext", "listener.name.x.my.key")
_BROKERS = ("7", "-1", "x", " 1", "01", "+1", "2147483648")
_THREE = "PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT"
_AT = ",".join(
    f"{name}://127.0.0.1:{port}" for port, name in enumerate(("PLAINTEXT", "SASL_PLAINTEXT", "CONTROLLER"), 1)
)

# What is set together, of broker 1 and of all brokers.
_EDGES: tuple[dict[str, str], ...] = (
    *({"num.io.threads": text} for text in ("3", "4", "8", "16", "17")),
    *({"num.network.threads": text} for text in ("1", "6", "7")),
    *({"listener.name.plaintext.num.network.threads": text} for text in ("1", "6", "7")),
    *({"log.cleaner.threads": text} for text in ("0", "1", "2", "3", "1000")),
    *({"log.cleaner.dedupe.buffer.size": text} for text in ("1048576", "1048577", "-1")),
    {"log.cleaner.threads": "2", "log.cleaner.dedupe.buffer.size": "2097153"},
    *({"log.retention.ms": text} for text in ("-1", "-5", "0", "1")),
    *({"log.roll.ms": "0", "log.retention.ms": text} for text in ("0", "1")),
    *({"log.local.retention.ms": text} for text in ("-2", "-1", "1", "604800000", "604800001")),
    {"log.local.retention.ms": "-1", "log.retention.ms": "-5"},
    {"log.local.retention.ms": "-1", "log.retention.ms": "9223372036854775807"},
    *({"log.local.retention.bytes": "5", "log.retention.bytes": text} for text in ("4", "5", "-1", "-7")),
    {"log.local.retention.bytes": "-1", "log.retention.bytes": "4"},
    {"log.cleaner.min.compaction.lag.ms": "10", "log.cleaner.max.compaction.lag.ms": "5"},
    {"min.compaction.lag.ms": "10", "max.compaction.lag.ms": "5"},
    *({f"group.{kind}.assignment.interval.ms": "2147483647"} for kind in ("consumer", "share", "streams")),
    *({name: "0"} for name in ("max.connections", "max.connection.creation.rate", "max.connections.per.ip")),
    *({f"listener.name.plaintext.{name}": "0"} for name in ("max.connections", "max.connection.creation.rate")),
    {"max.connections.per.ip": "0", "max.connections.per.ip.overrides": "127.0.0.1:1"},
    *({"max.connections.per.ip.overrides": text} for text in ("a", "127.0.0.1:x", "a:1,a:2", "127.0.0.1:-1", ":1")),
    *({"cordoned.log.dirs": text} for text in ("", "*", "a,b", "a,a", ",")),
    *({"listeners": text} for text in (_AT, f"{_AT},OTHER://h:4", f"{_AT},PLAINTEXT://h:4", "a", "x://1:2", ",")),
    *({"listeners": text} for text in ("PLAINTEXT://127.0.0.1:1", "CONTROLLER://127.0.0.1:3")),
    *(
        {"listener.security.protocol.map": text}
        for text in (
            _THREE,
            f"{_THREE},X:SSL",
            _THREE.replace("PLAINTEXT:P", "PLAINTEXT:S", 1),
            "x",
            "PLAINTEXT:FOO",
            "",
        )
    ),
    *({f"ssl.{store}.location": "/x"} for store in ("keystore", "truststore")),
    *({f"listener.name.plaintext.ssl.{store}.location": "/x"} for store in ("keystore", "truststore")),
    {"listener.name.plaintext.foo": "1"},
    {"listener.name.plaintext.num.partitions": "x"},
    {"listener.name.plaintext.plain.num.partitions": "x"},
    {"listener.name.other.num.partitions": "x"},
    {"listener.name.plaintext.log.retention.ms": "0"},
    {"config.providers": ","},
    {"num.io.threads": "1000", "log.cleaner.threads": "1000", "log.roll.ms": "0"},
    {"min.insync.replicas": "1"},
    {"listener.name.plaintext.foo": "1", "max.connections": "5"},
    {"listener.name.plaintext.ssl.protocol": "x", "max.connections": "5"},
    {"listener.name.controller.foo": "1", "num.io.threads": "9"},
    {"listeners": "a,a"},
)
_CLASSES = {"metric.reporters": "a.B", "ssl.engine.factory.class": "a.B", "principal.builder.class": "java.lang.String"}
_ONLY_EDGES = ("metric.reporters", "principal.builder.class")  # about whose classes the broker says what it knows
Op = dict[str, str | None]


def _case(name: str, broker: str, change: Mapping[str, Any]) -> Case:
    if change["mode"] == "full":
        configs = [{"name": key, "value": value} for key, value in change["entries"].items()]
    else:
        configs = [
            {"name": op["name"], "configOperation": _CODES[op["op"]], "value": op["value"]} for op in change["ops"]
        ]
    api = "AlterConfigs" if change["mode"] == "full" else "IncrementalAlterConfigs"
    resource = {"resourceType": 4, "resourceName": broker, "configs": configs}
    return Case(name, _OPERATION, {"broker": broker, "configs": change}, (api, resource))


def _incremental(*ops: Op) -> dict[str, Any]:
    return {"mode": "incremental", "ops": list(ops)}


def _op(name: str, op: str, value: str | None = None) -> Op:
    return {"name": name, "op": op, "value": value}


def _edges() -> Iterator[Case]:
    for number, entries in enumerate(_EDGES):
        sets = [_op(name, "SET", value) for name, value in entries.items()]
        yield _case(f"edge {number} of one", "1", _incremental(*sets))
        yield _case(f"edge {number} of all", "", _incremental(*sets))
    rows = catalogue("broker")["configs"]
    for name in sorted({rows[name]["dynamic"]: name for name in sorted(rows)}.values()):
        for broker in ("1", ""):
            for op in ("DELETE", "APPEND", "SUBTRACT"):
                yield _case(f"{op} of {name} of '{broker}'", broker, _incremental(_op(name, op, "a")))
    for name, value in _CLASSES.items():
        yield _case(f"class of {name}", "1", _incremental(_op(name, "SET", value)))
    for broker in _BROKERS:
        yield _case(f"of '{broker}'", broker, _incremental(_op("log.cleaner.backoff.ms", "SET", "1")))


def _name(source: Random) -> str:
    rows = catalogue("broker")["configs"]
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
    rows = catalogue("broker")["configs"]
    row = rows.get(re.sub(r"^listener\.name\.[^.]*\.", "", name), {"type": source.choice(["int", "string"])})
    return source.choice(values(row))


def _random_op(source: Random) -> Op:
    name, op = _name(source), source.choices(["SET", "DELETE", "APPEND", "SUBTRACT"], [70, 12, 9, 9])[0]
    return _op(name, op, None if op == "DELETE" or source.random() < 0.02 else _value(source, name))


def _draw(source: Random, number: int) -> Case:
    broker = source.choices(["1", "", source.choice(_BROKERS[:3])], [58, 37, 5])[0]
    size = source.choices([0, 1, 2, 3], [5, 60, 25, 10])[0]
    if source.random() < 0.85:
        return _case(str(number), broker, _incremental(*(_random_op(source) for _ in range(size))))
    names = [_name(source) for _ in range(size)]
    # Of all brokers min.insync.replicas has to stay: without it nothing else would be looked at.
    entries = {"min.insync.replicas": "1"} if broker == "" else {}
    return _case(str(number), broker, {"mode": "full", "entries": entries | {n: _value(source, n) for n in names}})


def cases() -> list[Case]:
    """Return the cases."""
    return complete(_OPERATION, _edges(), _draw, least=800)


def answers(oracle: Broker, every: Sequence[Case]) -> Answers:
    """Return what the broker says of each case, which it only checks: nothing is altered."""
    found = {}
    for case in every:
        api, resource = case.sent
        (result,) = oracle.send(api, {"resources": [resource], "validateOnly": True}).responses
        message = result.error_message
        found[case.name] = Answer(result.error_code, () if message is None else (_ordered(message),))
    return found


def _ordered(message: str) -> str:
    """A message with the names that it lists in order: Java prints a set of them by their hashes."""
    listed = re.fullmatch(r"((?:Cannot update these|These security) configs.*: )\[(.*)\]", message)
    return f"{listed[1]}[{', '.join(sorted(listed[2].split(', ')))}]" if listed else message
