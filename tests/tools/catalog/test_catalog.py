"""The generated catalogue: as the jars say, and complete enough to resolve every topic configuration."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from tools.catalog import __main__ as program
from tools.catalog.__main__ import command
from tools.catalog.reflect import reflect_catalogs
from tools.catalog.render import render
from warden.base.resources import find_shipped


def catalog(name: str) -> dict[str, Any]:
    """A generated file."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the other takes ten times as long
    loaded: dict[str, Any] = yaml.load(
        (find_shipped("bundle") / "catalog" / name / "data.yaml").read_text("utf-8"), loader
    )
    return loaded


@pytest.fixture(scope="module")
def read_once() -> Iterator[None]:
    """The program has what the jars say from one Java, which takes seconds to start."""
    read = reflect_catalogs()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "reflect_catalogs", lambda: read)
        yield


@pytest.mark.kafka
@pytest.mark.slow
@pytest.mark.usefixtures("read_once")
def test_it_is_what_the_jars_say() -> None:
    """The files are not edited by hand, and not older than the pinned Kafka."""
    result = CliRunner().invoke(command, ["--check"], standalone_mode=False)

    assert ("", 0) == (result.output, result.return_value)


@pytest.mark.kafka
@pytest.mark.slow
@pytest.mark.usefixtures("read_once")
def test_a_file_that_differs_is_named(tmp_path: Path) -> None:
    """--check fails and writes nothing; without it the files are made, and then there is no difference."""
    run = CliRunner().invoke
    checked = run(command, ["--check", "--directory", str(tmp_path)], standalone_mode=False)
    names = [
        str(tmp_path / "catalog" / name / "data.yaml")
        for name in ("topic", "broker", "group", "clientMetrics", "lists", "quotas", "scram", "acls", "digits")
    ]

    assert 1 == checked.return_value
    assert [f"{name} is out of date: run `python -m tools.catalog`" for name in names] == checked.stderr.splitlines()
    assert [] == list(tmp_path.iterdir())
    assert 0 == run(command, ["--directory", str(tmp_path)], standalone_mode=False).return_value
    assert 0 == run(command, ["--check", "--directory", str(tmp_path)], standalone_mode=False).return_value


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (
            "retention.ms",
            {
                "type": "long",
                "default": "604800000",
                "valid": "[-1,...]",
                "min": -1,
                "noLimit": {"below": 0, "at": 9223372036854775807, "is": -1},
                "synonyms": [
                    {"name": "log.retention.ms", "unit": "ms"},
                    {"name": "log.retention.minutes", "unit": "minutes"},
                    {"name": "log.retention.hours", "unit": "hours"},
                ],
            },
        ),
        (
            "cleanup.policy",
            {
                "type": "list",
                "default": "delete",
                "valid": "[compact, delete]",
                "validStrings": ["compact", "delete"],
                "isEmptyAllowed": True,
                "isNullAllowed": False,
                "synonyms": [{"name": "log.cleanup.policy"}],
            },
        ),
        (
            "min.cleanable.dirty.ratio",
            {
                "type": "double",
                "default": "0.5",
                "valid": "[0,...,1]",
                "min": 0,
                "max": 1,
                "synonyms": [{"name": "log.cleaner.min.cleanable.ratio"}],
            },
        ),
        ("preallocate", {"type": "boolean", "default": "false", "synonyms": [{"name": "log.preallocate"}]}),
    ],
)
def test_a_key_has_its_type_default_limits_and_broker_keys(key: str, expected: dict[str, Any]) -> None:
    """One key of each kind of validator, and one with none."""
    assert expected == catalog("topic")["configs"][key]


def test_internal_topics_and_broker_defaults() -> None:
    """The names that brokers treat in a way of their own, and what stands for -1 where nobody said otherwise."""
    assert ["__consumer_offsets", "__share_group_state", "__transaction_state"] == catalog("topic")["internal"]
    defaults = catalog("broker")["defaults"]["configs"]
    assert ("1", "1") == (defaults["default.replication.factor"], defaults["num.partitions"])


def test_keys_are_sorted_so_that_a_new_release_reads_as_a_diff() -> None:
    """The text does not depend on the order in which Kafka lists its keys."""
    one = {"kafka": "1", "configs": {"b": {"type": "int", "default": None}, "a": {}}}
    other = {"configs": {"a": {}, "b": {"default": None, "type": "int"}}, "kafka": "1"}

    assert render(one) == render(other)
    assert "  b:\n    default: null\n    type: int\n" in render(one)
