"""StartBroker: a broker's file, which Kafka's own class reads in a JVM as a broker does when it starts."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from tests.oracle.broker import Answer, Answers
from tests.oracle.cases.broker_edges import EDGES
from tests.oracle.cases.changes import as_read, limited
from tests.oracle.cases.file_edges import FILES, LEFT_OUT, PAIRS, ROLES, TEXTS
from tests.oracle.cases.sampling import Case, complete
from tests.oracle.cases.values import values
from warden.policy.bundle.catalog import read_catalog

__all__ = ["OPERATION", "answers", "cases", "requested"]

OPERATION = "StartBroker"
_INVALID = 40  # INVALID_CONFIG: what the engine calls a file that Kafka throws at
_HIDDEN = ("password", "class")  # values that are not compared: the one is hidden, the other is a class to Java


def _case(name: str, configs: Mapping[str, str]) -> Case:
    file = dict(configs)
    return Case(name, OPERATION, {"broker": "1", "configs": file}, file)


def _edges() -> Iterator[Case]:
    for role, file in ROLES.items():
        yield _case(role, file)
        for name in LEFT_OUT:
            yield _case(f"{role} without {name}", {key: text for key, text in file.items() if key != name})
        for number, changed in enumerate(FILES):
            yield _case(f"{role}, {number}: {changed}", {**file, **changed})
    for number, changed in enumerate(EDGES):
        yield _case(f"edge {number}", {**ROLES["both"], **changed})
    rows = read_catalog("broker")["configs"]
    for row in [*read_catalog("startup")["alterable"], *read_catalog("startup")["ordered"]]:
        numbers = [int(rows[row[side]]["default"]) for side in ("one", "other")]
        for side, number in (("one", numbers[1]), ("other", numbers[0])):
            for step in (-1, 0, 1):
                changed = {row[side]: str(number + step)}
                yield _case(f"{row['one']} {row['other']} {side} {step}", {**ROLES["both"], **changed})


def _row(source: Random) -> tuple[str, str]:
    """A config and a text for it: an edge of its type, or one that Kafka looks at as a whole."""
    if source.random() < 0.4:
        name = source.choice(sorted(TEXTS))
        return name, source.choice(TEXTS[name])
    rows = read_catalog("broker")["configs"]
    name = source.choice([name for name, row in rows.items() if row["type"] not in _HIDDEN])
    return name, source.choice(values(rows[name]))


def _draw(source: Random, _number: int) -> Case:
    file = dict(ROLES[source.choice(list(ROLES))])
    for name in LEFT_OUT:
        if source.random() < 0.05:
            file.pop(name, None)
    if source.random() < 0.5:
        file.update({name: source.choice(TEXTS[name]) for name in source.choice(PAIRS)})
    else:
        file.update(_row(source) for _ in range(source.randint(1, 3)))
    return _case("", file)


def cases() -> list[Case]:
    """Files of every role, with each edge, with what is left out, and random ones."""
    edges = list(_edges())
    return complete(OPERATION, edges, _draw, least=len(edges) + 300)


def requested(_case: Case, state: Any, _change: Any) -> Any:
    """What is compared of what rules see: the values of the file, as they are read."""
    read: dict[str, str] = as_read({name: state["values"][name] for name in _compared() & state["values"].keys()})
    return read


@cache
def _compared() -> set[str]:
    rows = read_catalog("broker")["configs"]
    return {name for name, row in rows.items() if row["type"] not in _HIDDEN and not row.get("onlyDynamic")}


def answers(jvm: Any, every: Sequence[Case]) -> Answers:
    """What ``kafka.server.KafkaConfig`` says of each file, and the values that it has read then."""
    json_of = jvm.com.fasterxml.jackson.databind.ObjectMapper()
    properties = jvm.java.lang.Class.forName("java.util.Properties")

    def answer(file: Mapping[str, str]) -> Answer:
        try:
            read = jvm.kafka.server.KafkaConfig.fromProps(json_of.readValue(json.dumps(file), properties), False)
        except Py4JJavaError as error:
            return Answer(_INVALID, (str(error.java_exception.getMessage()),))
        values = jvm.java.util.HashMap(read.values())
        values.keySet().retainAll(names)
        return Answer(0, after=_shown(file, json.loads(json_of.writeValueAsString(values))))

    from py4j.protocol import Py4JJavaError

    names = json_of.readValue(json.dumps(sorted(_compared())), jvm.java.lang.Class.forName("java.util.HashSet"))
    return {case.name: answer(case.sent) for case in every}


def _shown(file: Mapping[str, str], values: Mapping[str, Any]) -> dict[str, str]:
    rows = read_catalog("broker")["configs"]
    texts = as_read({name: values[name] for name in _compared() & file.keys()})
    return {name: limited(rows[name], text) for name, text in texts.items()}
