"""Pairs of decision inputs that mean the same to Kafka, made from the examples of every rule."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.rego.rules.examples import Example, read_examples
from tests.rego.values.elsewhere import other_pairs
from tests.rego.values.places import Put, kind_of, places
from tests.rego.values.rules import keys_read, numbers_in
from tests.rego.values.spellings import bases, spellings
from warden.base.resources import find_shipped
from warden.policy.bundle.metadata import read_rule_metadata

__all__ = ["Pair", "catalog", "examples_of_rules", "pairs"]

Rows = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two decision inputs that mean the same to Kafka.

    Args:
        rule: Whose example they are made from.
        key: The configuration, or the field.
        how: How the two differ.
        texts: The two values.
        name: Of the example, and where in it they stand.
        one: A decision input.
        other: The same with the other value.
    """

    rule: str
    key: str
    how: str
    texts: tuple[Any, Any]
    name: str
    one: dict[str, Any]
    other: dict[str, Any]


def catalog(name: str) -> dict[str, Any]:
    """Return a document of the catalogue."""
    text = (find_shipped("bundle") / "catalog" / name / "data.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.load(text, yaml.CSafeLoader)
    return loaded


def examples_of_rules(opa: Path) -> list[Example]:
    """Return the examples of the rules that are about Kafka."""
    return read_examples(find_shipped("policies"), {file: rule for rule, file in _files(opa).items()})


def _files(opa: Path) -> dict[str, Path]:
    rules = read_rule_metadata(opa, find_shipped("policies")).values()
    return {rule["id"]: find_shipped("policies") / rule["file"] for rule in rules if rule["file"].startswith("kafka/")}


def pairs(opa: Path) -> Iterator[Pair]:
    """Yield the pairs of every example, in the order of `examples_of_rules`: with parameters its cluster is numbered.

    Args:
        opa: The OPA binary, which parses the rules for the configurations that they read.
    """
    rows = {name: catalog(name)["configs"] for name in ("topic", "broker", "group", "clientMetrics")}
    shipped = yaml.safe_load((find_shipped("bundle") / "settings" / "data.yaml").read_text(encoding="utf-8"))["rules"]
    files = _files(opa)
    read = cache(lambda rule, kind, params: keys_read(opa, files[rule], json.loads(params), rows[kind]))
    for number, example in enumerate(examples_of_rules(opa)):
        params = {**shipped[example.rule]["params"], **example.params}
        document = {**example.document, "cluster": f"example-{number}" if example.params else "shipped"}
        found = list(other_pairs(document))
        if kind := kind_of(document):
            keys = {key: rows[kind][key] for key in read(example.rule, kind, json.dumps(params, sort_keys=True))}
            found += [pair for where, put in places(document) for pair in _at(document, where, put, keys, params)]
        if kind == "broker":
            found += _units(document)
        yield from (Pair(example.rule, key, how, texts, example.name, *two) for key, how, texts, *two in found)


def _at(document: dict[str, Any], where: str, put: Put, rows: Rows, params: Any) -> Iterator[tuple[Any, ...]]:
    stored = dict(places(document)).get("stored") if where == "request" else None
    for key, row in rows.items():
        for base in bases(row, numbers_in(params)):
            one = put(document, key, base)
            for how, text in spellings(key, row, base):
                if (key, how, where) != _PARSED_UNTRIMMED:
                    yield key, how, (base, text), one, put(document, key, text)
                if stored and how != "twice" and (key, how) != _REFUSED_ANEW:
                    before = stored(document, key, base)
                    yield key, f"{how}, as before", (base, text), put(before, key, base), put(before, key, text)
        if default := _beneath(document, where, key, row):
            yield key, "unset", (default, None), put(document, key, default), put(document, key, None)


# What is stored LogConfig.validate reads with Boolean.parseBoolean, to which " true" is false.
_PARSED_UNTRIMMED = ("remote.storage.enable", "blanks", "stored")
# The text that is stored is no change to a broker (DynamicBrokerConfig.updatedConfigs); another spelling is one, and
# refused where all retention has a limit.
_REFUSED_ANEW = ("log.local.retention.ms", "no limit")


def _beneath(document: dict[str, Any], where: str, key: str, row: Mapping[str, Any]) -> str | None:
    """What is in force where nothing is set at a place, None where that cannot be set there."""
    state = document["clusterState"]
    if document["operation"] == "AlterBroker" and where in ("request", "all brokers"):
        everybody = where == "all brokers" or document["request"]["broker"] == ""
        if row.get("dynamic") in ({"read-only", "per-broker"} if everybody else {"read-only"}):
            return None
    if kind_of(document) == "broker" and document["request"]["broker"] == "":
        return None  # under what all brokers share lies each one's file
    if where.startswith("broker ") or (document["operation"], key) == ("StartBroker", "listeners"):
        return None  # a broker of which nothing at all is set is one that is not known; listeners have to be mapped
    if where in ("request", "stored") and document["operation"] != "StartBroker":
        shared = state.get("defaults", {}) if kind_of(document) == "topic" else {}
        if kind_of(document) == "broker" and document["request"]["broker"] != "":
            shared = state.get("brokers", {}).get("", {}).get("configs", {})
        return shared.get(key, row.get("default"))
    default: str | None = row.get("default")
    return default


def _units(document: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The same time in milliseconds, minutes and hours, in a broker's file."""
    names = {"StartBroker": "request", "AuditBroker": "stored"}
    put = dict(places(document)).get(names.get(document["operation"], ""))
    for key in ("log.retention.ms", "log.roll.ms", "log.roll.jitter.ms"):
        if put is None:
            return
        others = {key.replace(".ms", ".minutes"): 60_000} if "retention" in key else {}
        for hours in (1, 168, 1_000_000 // 3600, 720, 8760):
            one = put(document, key, str(hours * 3_600_000))
            for other, unit in {**others, key.replace(".ms", ".hours"): 3_600_000}.items():
                text = str(hours * 3_600_000 // unit)
                yield key, "units", (f"{hours} h", f"{other}={text}"), one, put(put(document, key, None), other, text)
