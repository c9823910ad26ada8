"""The catalogues of older releases: as the jars of one say."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.brokers.kafka_3_9 import VERSION, class_path_3_9
from tools.catalog.older import (
    OLDER,
    build_release_line,
    complete,
    map_releases_to_lines,
    read_older,
    select_differences,
)
from warden.base.resources import find_shipped
from warden.policy.bundle.catalog import read_catalog
from warden.policy.bundle.opa import evaluate_opa

_KINDS = ("topic", "broker", "group", "clientMetrics")


@pytest.mark.kafka
@pytest.mark.oracle
def test_it_is_what_a_release_says(opa_binary: Path) -> None:
    """What the jars of 3.9 have is in the generated file, and decisions make the whole of it again."""
    jars = [Path(one) for one in class_path_3_9().split(":")]
    newest, older = {kind: read_catalog(kind) for kind in _KINDS}, read_older(VERSION, jars)
    assert read_catalog("older")["lines"]["3.9"] == build_release_line(newest, older, VERSION)

    query = '{"broker": data.kafka.base.releases.brokers["3.9"], "group": data.kafka.base.releases.groups["3.9"]}'
    bundles = [f"--bundle={find_shipped(name)}" for name in ("policies", "bundle")]
    made = evaluate_opa(opa_binary, *bundles, query)
    for kind, catalog in made.items():
        types, texts = older[kind]["types"], older[kind]["defaults"]["configs"]
        assert {*types} == {*catalog["types"]} == {*catalog["configs"]}
        as_lists = {name for name, type_ in types.items() if type_ != catalog["types"][name]}
        assert as_lists == {*catalog.get("asText", [])}
        doubles = {name for name, type_ in types.items() if type_ == "double"}  # which are numbers to plain OPA
        assert _leave_out(texts, doubles) == _leave_out(catalog["defaults"]["configs"], doubles)
        assert {*texts} == {*catalog["defaults"]["configs"]} == {*catalog["defaults"]["values"]}


def _leave_out(texts: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: text for name, text in texts.items() if name not in names}


def test_releases() -> None:
    """There is one of each release from 3.9 to the one before the newest, with its patch."""
    lines = read_catalog("older")["lines"]
    patches = {patch.rpartition(".")[0]: patch for patch in OLDER}
    assert patches == {line: of["topic"]["kafka"] for line, of in lines.items()}
    assert ["3.9", "4.0", "4.1", "4.2", "4.3"] == sorted(lines)
    assert {read_catalog("topic")["kafka"]} == {of["topic"]["beside"] for of in lines.values()}
    assert patches == {line: of["broker"]["fields"]["kafka"] for line, of in lines.items()}


def test_the_nearest() -> None:
    """A release has its own catalogue, and one that is older than all of them the oldest."""
    older = read_catalog("older")
    assert map_releases_to_lines([*older["lines"]]) == older["nearest"]
    assert {"1.0": "3.9", "3.8": "3.9", "3.9": "3.9", "4.3": "4.3"}.items() <= older["nearest"].items()


def test_differences() -> None:
    """Of a kind of resource only that is kept what the newest has otherwise; a text that is a list by now is one."""
    newest = {
        "configs": {
            "a": {"type": "int", "default": "1", "min": 1, "valid": "[1,...]"},
            "b": {"type": "list", "default": "x", "isEmptyAllowed": False},
            "c": {"type": "string", "default": "c"},
            "new": {"type": "int"},
        },
        "types": {"a": "int", "b": "list", "c": "string", "new": "int"},
        "defaults": {"configs": {"a": "1", "b": "x", "c": "c"}, "values": {"a": 1, "b": ["x"], "c": "c"}},
        "pools": ["a"],
        "kafka": "9.9.0",
    }
    whole = {
        "configs": {
            "a": {"type": "int", "default": "1", "min": 0, "valid": "[0,...]"},
            "b": {"type": "string", "default": "x,y"},
            "c": {"type": "string"},
            "gone": {"type": "string", "default": "", "valid": "non-empty string"},
        },
        "types": {"a": "int", "b": "string", "c": "string", "gone": "string"},
        "defaults": {"configs": {"a": "1", "b": "x,y", "gone": ""}, "values": {"a": 1, "b": "x,y", "gone": ""}},
        "pools": ["a"],
        "kafka": "9.8.1",
    }
    assert select_differences(newest, whole) == {
        "gone": ["new"],
        "bare": ["c"],
        "configs": {
            "a": {"type": "int", "default": "1", "min": 0},
            "b": {"type": "list", "default": "x,y"},
            "c": {"type": "string"},
            "gone": {"type": "string", "default": "", "valid": "non-empty string"},
        },
        "types": {"gone": "string"},
        "texts": {"b": "x,y", "gone": ""},
        "values": {"b": ["x", "y"], "gone": ""},
        "fields": {"asText": ["b"], "kafka": "9.8.1"},
    }


def test_what_is_kept() -> None:
    """What is written by hand is the newest's, of what the release has; all else is the release's own."""
    newest = {
        "configs": {"a": {"type": "int", "min": 1, "noLimit": {"is": -1}}, "new": {"type": "int"}},
        "types": {"a": "int", "new": "int"},
        "internal": ["__x"],
        "kafka": "9.9.0",
    }
    older = {"configs": {"a": {"type": "long"}}, "types": {"a": "long"}, "lists": {}}
    assert complete(newest, older, "9.8.1") == {
        "configs": {"a": {"type": "long", "noLimit": {"is": -1}}},
        "types": {"a": "long"},
        "lists": {},
        "internal": ["__x"],
        "kafka": "9.8.1",
        "beside": "9.9.0",
    }
