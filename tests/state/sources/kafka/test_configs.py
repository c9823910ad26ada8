"""Defaults of a new topic from what a broker reports about itself: no broker needed."""

import json
import random
from pathlib import Path

import pytest

from tests.fixtures.seed import SEED
from warden.base.resources import find_shipped
from warden.policy.bundle.catalog import read_catalog
from warden.policy.bundle.opa import evaluate_opa
from warden.state.sources.kafka.read.configs import ConfigEntry, select_topic_defaults

STATIC, DYNAMIC_DEFAULT, DEFAULT = 4, 3, 5


def broker(**values: str | None) -> dict[str, ConfigEntry]:
    """A broker's report; ``_`` stands for Kafka's ``.``."""
    return {name.replace("_", "."): ConfigEntry(value, STATIC) for name, value in values.items()}


@pytest.mark.parametrize(
    ("reported", "key", "expected"),
    [
        (broker(log_retention_ms="5", log_retention_minutes="2", log_retention_hours="1"), "retention.ms", "5"),
        (broker(log_retention_ms=None, log_retention_minutes="2", log_retention_hours="1"), "retention.ms", "120000"),
        (broker(log_retention_ms=None, log_retention_minutes=None, log_retention_hours="1"), "retention.ms", "3600000"),
        (broker(log_retention_hours="-1"), "retention.ms", "-1"),
        (broker(log_retention_ms="-7", log_retention_hours="168"), "retention.ms", "-1"),
        (broker(log_retention_ms="-1", log_retention_hours="168"), "retention.ms", "-1"),
        (broker(log_roll_hours="24"), "segment.ms", "86400000"),
        (broker(log_flush_interval_ms=None, log_flush_scheduler_interval_ms="9"), "flush.ms", "9"),
        (broker(message_max_bytes="7"), "max.message.bytes", "7"),
        (broker(num_partitions="12"), "num.partitions", "12"),
        (broker(default_replication_factor="3"), "default.replication.factor", "3"),
        (broker(), "retention.ms", None),  # a broker that is too old to know the key
        (broker(), "num.partitions", None),
        (broker(), "remote.storage.enable", "false"),  # a key without a broker key
    ],
)
def test_the_first_broker_key_that_is_set_wins(
    reported: dict[str, ConfigEntry], key: str, expected: str | None
) -> None:
    """Milliseconds before minutes before hours, each in milliseconds."""
    assert expected == select_topic_defaults(reported).get(key)


def test_what_topics_report_stands_in_where_there_is_no_broker_key() -> None:
    """A key of an older Kafka is kept; a key that the broker resolves is taken from the broker."""
    topic = {"message.format.version": "2.8-IV1", "retention.ms": "1"}

    assert {"message.format.version": "2.8-IV1", "retention.ms": "2"} == select_topic_defaults(
        broker(log_retention_ms="2"), topic
    )


def test_defaults_are_those_of_the_policies(opa_binary: Path) -> None:
    """Of brokers that set any keys: what each topic key falls back to, typed, and which keys creations fall back to."""
    numbers = random.Random(SEED)
    topic, brokers = (read_catalog(kind)["configs"] for kind in ("topic", "broker"))
    names = [name for name, row in topic.items() if row["synonyms"]]
    keys = sorted({synonym["name"] for name in names for synonym in topic[name]["synonyms"]})
    values = {"int": [-7, -1, 0, 168, 2**30], "long": [-7, -1, 0, 300000, 2**63 - 1]}
    words = {"boolean": ["true", "false"], "double": ["0.25", "1.0"]}
    texts = {
        key: [str(value) for value in values.get(brokers[key]["type"], ()) if value >= brokers[key].get("min", value)]
        or words.get(brokers[key]["type"])
        or brokers[key].get("validStrings", [])
        for key in keys
    }
    assert {} == {key: brokers[key] for key in keys if not texts[key]}
    reports = []
    for _ in range(200):
        own = {key: numbers.choice(texts[key]) for key in keys if texts[key] and numbers.random() < 0.4}
        reported = {key: ConfigEntry(own.get(key, brokers[key]["default"]), STATIC) for key in keys}
        found = select_topic_defaults(reported)
        reports.append({"own": own, "found": {name: found[name] for name in names if name in found}})
    query = """{
        "found": [typed | some report in input.reports
            typed := {name: data.kafka.configs.typed("topic", name, text) | some name, text in report.found}],
        "inherited": [inherited | some report in input.reports
            inherited := {name: data.kafka.configs.inherited(name, report.own) | some name in input.names}],
        "creation": [key | some [key] in data.kafka.engine.topic_defaults._creation_field_synonyms],
    }"""
    bundles = [f"--bundle={find_shipped(name)}" for name in ("policies", "bundle")]
    document = {"reports": reports, "names": names}
    policies = evaluate_opa(opa_binary, *bundles, query, stdin=json.dumps(document))

    assert policies["inherited"] == policies["found"]
    reported = broker(num_partitions="12", default_replication_factor="3")
    assert sorted(policies["creation"]) == sorted(select_topic_defaults(reported).keys() & reported.keys())


@pytest.mark.parametrize(
    ("entry", "shown"),
    [
        (ConfigEntry("1", STATIC), True),
        (ConfigEntry("1", DYNAMIC_DEFAULT), True),
        (ConfigEntry("1", DEFAULT), False),
        (ConfigEntry(None, STATIC, sensitive=True), False),
    ],
)
def test_only_what_somebody_set_and_may_be_reported_is_shown(entry: ConfigEntry, shown: bool) -> None:
    """Kafka's own defaults and secrets stay out of the state."""
    assert shown is entry.is_shown
