"""Differential tests: kafka/lists/check against Kafka's own classes in a JVM, over generated values."""

from collections import Counter
from typing import Any

import pytest
import yaml

from tests.rego.lists.conftest import Ask
from tests.rego.lists.kafka_answers import answers, keys
from tests.rego.lists.values import cases
from tests.rego.lists.whole_classes import CLASSES, refusal
from warden.base.resources import find_shipped

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_CASES = 19  # at random, of each key and mode

EVALUATED = {"in", "anyNonDuplicateValues"}


@pytest.fixture(scope="module")
def rows() -> dict[str, dict[str, Any]]:
    """The catalogue: component → configuration → row."""
    text = (find_shipped("bundle") / "catalog" / "lists" / "data.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = yaml.load(text, yaml.CSafeLoader)["components"]
    return found


def compared(question: dict[str, Any], kafka: dict[str, Any], answer: dict[str, Any], kind: str) -> str:
    """How an answer stands to Kafka's: "equal", the name of a documented difference, or the difference itself."""
    if kind in EVALUATED:
        if kafka["errors"] == ["NullPointerException"] and None in question["value"]:
            return "null element" if not answer["valid"] else f"{question}: was taken"
        ours = {"errors": answer["errors"], "values": answer["values"]}
        theirs = {"errors": kafka["errors"], "values": None if kafka["errors"] else kafka["values"]}
        return "equal" if ours == theirs else f"{question}: Kafka {theirs}, ours {ours}"
    if kafka["errors"] and answer["valid"]:
        note = f"was read, not validated: its validator is {kind}."
        return "another validator" if answer["notes"][0].endswith(note) else f"{question}: does not say {note}"
    if answer["valid"]:
        return "equal" if answer["values"] == kafka["values"] else f"{question}: Kafka {kafka}, ours {answer}"
    return "equal" if answer["errors"][:1] == kafka["errors"][:1] else f"{question}: Kafka {kafka}, ours {answer}"


@pytest.mark.oracle
def test_every_row_answers_as_kafka_does(jvm: Any, rows: dict[str, dict[str, Any]], ask: Ask) -> None:
    """Same acceptance, same message, same list, for every list-typed key of the jars, in all three modes."""
    questions: list[dict[str, Any]] = []
    kafka: list[dict[str, Any]] = []
    for component, name, key in keys(jvm):
        drawn = list(cases(f"{component} {name}", rows[component][name].get("validStrings", []), _CASES))
        questions += [{"component": component, "name": name, **case} for case in drawn]
        kafka += answers(jvm, key, drawn)
    outcomes = Counter(
        compared(one, theirs, ours, rows[one["component"]][one["name"]]["kind"])
        for one, theirs, ours in zip(questions, kafka, ask(questions), strict=True)
    )

    assert {"equal", "null element", "another validator"} == set(outcomes)
    assert len(questions) >= 1000 * _CASES
    assert outcomes["equal"] >= 890 * _CASES
    assert {(row["component"], row["name"]) for row in questions} == {
        (c, n) for c, found in rows.items() for n in found
    }


@pytest.mark.parametrize("empty", [True, False])
@pytest.mark.parametrize(("null", "valid"), [(True, []), (False, []), (False, ["a"]), (False, ["compact", "delete"])])
def test_a_free_validator_answers_as_validlist(jvm: Any, ask: Ask, empty: bool, null: bool, valid: list[str]) -> None:
    """The factories of ConfigDef.ValidList, with every flag, on a key that no catalogue knows."""
    factory = jvm.org.apache.kafka.common.config.ConfigDef.ValidList
    strings = jvm.java.lang.reflect.Array.newInstance(jvm.java.lang.Class.forName("java.lang.String"), len(valid))
    for place, word in enumerate(valid):
        strings[place] = word
    made = getattr(factory, "in")(empty, strings) if valid else factory.anyNonDuplicateValues(empty, null)
    listed = jvm.org.apache.kafka.common.config.ConfigDef.Type.LIST
    medium = jvm.org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM
    none = jvm.org.apache.kafka.common.config.ConfigDef.NO_DEFAULT_VALUE
    definition = jvm.org.apache.kafka.common.config.ConfigDef().define("k", listed, none, made, medium, "")
    validator = {
        "kind": "in" if valid else "anyNonDuplicateValues",
        "isEmptyAllowed": empty,
        "isNullAllowed": null,
        "validStrings": valid,
    }
    drawn = list(cases(f"{empty} {null} {valid}", valid, 40))
    ours = ask([{"validator": validator, "name": "k", **case} for case in drawn])
    theirs = answers(jvm, definition.configKeys()["k"], drawn)

    outcomes = {compared(case, kafka, answer, "in") for case, kafka, answer in zip(drawn, theirs, ours, strict=True)}
    assert {"equal", "null element"} == outcomes


@pytest.mark.parametrize("component", CLASSES)
def test_whole_classes_agree(jvm: Any, rows: dict[str, dict[str, Any]], ask: Ask, component: str) -> None:
    """The class that users meet refuses with our words, and refuses nothing that we take for what a list is."""
    questions: list[dict[str, Any]] = []
    for name, row in rows[component].items():
        # AbstractConfig loads config providers before it evaluates any value.
        if row["kind"] in EVALUATED and name != "config.providers":
            drawn = cases(f"whole {component} {name}", row["validStrings"], 4)
            texts = {case["value"] for case in drawn if isinstance(case.get("value"), str)}
            questions += [
                {"component": component, "name": name, "mode": "parse", "value": text} for text in sorted(texts)
            ]
    wrong = []
    for question, answer in zip(questions, ask(questions), strict=True):
        said = refusal(jvm, component, question["name"], question["value"])
        about = said is not None and any(
            words in said for words in ("values must not", "must not be empty. Valid", "one of: ")
        )
        if (said != answer["errors"][0]) if answer["errors"] else about:
            wrong.append((question, said, answer["errors"]))

    assert [] == wrong
    assert len(questions) >= 30
