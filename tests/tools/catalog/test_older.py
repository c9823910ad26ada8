"""The catalogues of topics of older releases: as the jars of one say."""

from pathlib import Path

import pytest

from tests.fixtures.kafka_3_9 import VERSION, class_path_3_9
from tools.catalog.older import OLDER, complete, read_older
from warden.policy.bundle.constants import read_catalogue


@pytest.mark.kafka
@pytest.mark.oracle
def test_it_is_what_a_release_says() -> None:
    """What the jars of 3.9 have is in the generated file."""
    jars = [Path(one) for one in class_path_3_9().split(":")]
    made = complete(read_catalogue("topic"), read_older(VERSION, jars), VERSION)
    assert read_catalogue("older")["lines"]["3.9"] == {"topic": made}


def test_releases() -> None:
    """There is one of each release from 3.9 to the one before the newest, with its patch."""
    lines = read_catalogue("older")["lines"]
    patches = {patch.rpartition(".")[0]: patch for patch in OLDER}
    assert patches == {line: of["topic"]["kafka"] for line, of in lines.items()}
    assert ["3.9", "4.0", "4.1", "4.2", "4.3"] == sorted(lines)
    assert {read_catalogue("topic")["kafka"]} == {of["topic"]["beside"] for of in lines.values()}


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
