"""The catalogue of list-typed configurations: complete, and the KIP's table beside the release."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.catalog import definitions
from warden.base.resources import find_shipped

CATALOG = yaml.load((find_shipped("bundle") / "catalog/lists/data.yaml").read_text("utf-8"), yaml.CSafeLoader)
ROWS: dict[str, dict[str, Any]] = CATALOG["components"]
SCOPES: dict[str, Any] = yaml.safe_load((find_shipped("bundle") / "catalog/listScopes/data.yaml").read_text("utf-8"))


def kip() -> list[dict[str, Any]]:
    """The rows of the KIP's table."""
    text = Path(definitions.__file__).with_name("kip_1161.yaml").read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = yaml.safe_load(text)["rows"]
    return rows


def test_every_row_of_the_kip_is_in_the_release() -> None:
    """All 67, each under every component that it is about, with the flags that it names."""
    rows = kip()
    missing = [
        (component, row["class"], row["config"])
        for row in rows
        for component in row["components"]
        if ROWS[component][row["config"]].get("kip", {}).get("class") != row["class"]
    ]
    differing = [
        (component, row["config"])
        for row in rows
        for component in row["components"]
        for flag in ("isEmptyAllowed", "isNullAllowed")
        if flag in row and row[flag] != ROWS[component][row["config"]][flag]
    ]

    assert (67, [], []) == (len(rows), missing, differing)


def test_what_the_release_does_otherwise_is_named() -> None:
    """Where the KIP leaves flags open, and keys with the KIP's validators that its table lacks."""
    found = {
        (component, name, row["differs"])
        for component, rows in ROWS.items()
        for name, row in rows.items()
        if "differs" in row
    }
    ours = {(component, name) for component, name, words in found if words == "not in the KIP's table"}

    assert {
        ("broker", "cordoned.log.dirs"),
        ("broker", "group.streams.assignors"),
        ("broker", "group.streams.rack.aware.assignment.tags"),
        ("broker", "ssl.enabled.protocols"),
        ("connect", "admin.listeners"),
        ("connect", "connector.client.config.override.allowlist"),
        ("mirror-checkpoint", "metric.names.formats"),
        ("mirror-checkpoint-task", "metric.names.formats"),
        ("mirror-group-filter", "groups"),
        ("mirror-group-filter", "groups.exclude"),
        ("mirror-source", "metric.names.formats"),
        ("mirror-source-task", "metric.names.formats"),
    } == ours
    assert {
        "the KIP's table leaves the flags open; the release has isEmptyAllowed false, isNullAllowed false",
        "the KIP's table leaves the flags open; the release has isEmptyAllowed true, isNullAllowed false",
    } == {words for component, name, words in found if (component, name) not in ours}


@pytest.mark.parametrize(
    ("component", "name", "expected"),
    [
        (
            "topic",
            "cleanup.policy",
            {
                "class": "org.apache.kafka.storage.internals.log.LogConfig",
                "type": "list",
                "default": "delete",
                "kind": "in",
                "isEmptyAllowed": True,
                "isNullAllowed": False,
                "validStrings": ["compact", "delete"],
                "since": "4.2.0",
                "before": {
                    "type": "list",
                    "default": "delete",
                    "kind": "old in",
                    "validStrings": ["compact", "delete"],
                },
            },
        ),
        (
            "broker",
            "listeners",
            {
                "class": "org.apache.kafka.network.SocketServerConfigs",
                "type": "list",
                "default": "PLAINTEXT://:9092",
                "kind": "anyNonDuplicateValues",
                "isEmptyAllowed": False,
                "isNullAllowed": False,
                "validStrings": [],
                "since": "4.2.0",
                "before": {"type": "string", "default": "PLAINTEXT://:9092", "kind": "none"},
            },
        ),
        (
            "transform-HeaderFrom",
            "headers",
            {
                "class": "org.apache.kafka.connect.transforms.HeaderFrom",
                "type": "list",
                "kind": "NonEmptyListValidator",
                "before": {"type": "list", "kind": "NonEmptyListValidator"},
            },
        ),
    ],
)
def test_a_row(component: str, name: str, expected: dict[str, Any]) -> None:
    """One row of each kind of validator, without the KIP's own columns."""
    row = {key: value for key, value in ROWS[component][name].items() if key != "kip"}

    assert expected == row


def test_the_kip_stands_beside_the_release() -> None:
    """The columns of one row of the KIP's table that says much."""
    assert {
        "class": "SocketServerConfigs",
        "type": {"before": "String", "after": "List"},
        "validator": {"before": "none", "after": "anyNonDuplicateValues"},
        "isEmptyAllowed": False,
        "isNullAllowed": False,
        "exception": {"before": "none", "after": "ConfigException"},
        "note": "an empty list meant that the node listens nowhere",
    } == ROWS["broker"]["listeners"]["kip"]


def test_scopes_name_components_that_exist() -> None:
    """A prefix leads to keys of a component of the catalogue, and so does a connector's class."""
    named = {owner for rows in SCOPES["prefixes"].values() for row in rows for owner in row["owners"]}
    named |= set(SCOPES["prefixes"]) | set(SCOPES["connectors"].values()) | set(SCOPES["derived"])

    assert set() == named - set(ROWS)


@pytest.mark.kafka
def test_no_list_of_the_broker_is_left_out(jvm: Any) -> None:
    """The parts that the rows are read from have every list-typed key of the broker's own definition."""
    from tests.rego.lists.kafka_answers import keys

    found = {(component, name) for component, name, _ in keys(jvm)}
    whole = jvm.org.apache.kafka.server.config.AbstractKafkaConfig.CONFIG_DEF.configKeys()
    broker = {str(name) for name in whole if str(whole[name].type.name()) == "LIST"}

    assert {(component, name) for component, rows in ROWS.items() for name in rows} == found
    assert set(ROWS["broker"]) == broker
