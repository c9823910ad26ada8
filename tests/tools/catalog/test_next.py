"""What the tool says of a new release: of two that are made up, and of two of Kafka's own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.fixtures.brokers.kafka_3_9 import class_path_3_9
from tools.catalog.decisions import KeptByHand
from tools.catalog.next import command, describe, read_tables
from tools.catalog.oracles import run_oracles
from tools.catalog.releases import iter_changes, reflect_release
from warden.base.errors import WardenError
from warden.base.resources import find_shipped
from warden.base.toolchain import versions
from warden.base.toolchain.jars import obtain_kafka_jars
from warden.policy.bundle.catalog import read_catalog

_INT = {"type": "int", "default": "1", "min": 0}

_KNOWN: Mapping[str, Any] = {
    "kafka": "4.3.1",
    "configs": {"topic": {"same": _INT, "other": _INT, "goes": _INT, "went": _INT}},
    "apis": {"Fetch": [4, 18], "Gone": [0, 0], "Same": [0, 1]},
    "errors": {"NONE": 0},
}
_NEW: Mapping[str, Any] = {
    "kafka": "4.4.0",
    "configs": {
        "topic": {
            "same": _INT,
            "other": {**_INT, "default": "2"},
            "any.number": {"type": "long", "default": "-1"},
            "names": {"type": "list", "default": "a"},
        },
        "group": {"flag": {"type": "boolean", "default": "false"}},
    },
    "apis": {"Fetch": [4, 19], "Coming": [0, 0], "Same": [0, 1]},
    "errors": {"NONE": 0, "NEW_ERROR": 136},
}
_TABLES = KeptByHand(
    meanings={},
    deprecated={"topic": frozenset({"went"})},
    apis=frozenset({"Fetch", "Same"}),
    releases=frozenset({"4.3"}),
    rules={"KFK-RET-001": frozenset({"other", "goes"})},
)

_MADE = """
import pytest
from warden.base.toolchain import jars, versions


@pytest.mark.oracle
def test_that_holds():
    assert ("4.3.1", "4.3.1") == (versions.KAFKA, jars.obtain_kafka_jars.__defaults__[0])


@pytest.mark.oracle
def test_that_does_not():
    assert versions.KAFKA == "4.4.0"


def test_that_is_no_oracle():
    assert False
"""


def test_a_release_that_is_new() -> None:
    """Every difference, and then every thing that no jar tells, each with the file that it belongs in."""
    assert describe(_KNOWN, _NEW, _TABLES) == [
        "Kafka 4.4.0 compared with 4.3.1: 10 differences",
        "  topic any.number: new, long, default -1",
        "  topic goes: gone",
        "  topic names: new, list, default a",
        "  topic other: default 2, was 1",
        "  topic went: gone",
        "  group flag: new, boolean, default false",
        "  api Coming: new, 0 to 0",
        "  api Fetch: 4 to 19, was 4 to 18",
        "  api Gone: gone",
        "  error NEW_ERROR: new, 136",
        "to decide: 11",
        "  bundle/catalog/releases/data.yaml: known lacks 4.4",
        "  glue/tools/catalog/negatives.yaml or no_limit.yaml: topic any.number: what a number below nought means",
        "  policies/kafka/rules: topic any.number is new: does a rule or a profile want it?",
        "  bundle/catalog/deprecated/data.yaml: topic goes is gone: what to do in its place (KFK-RET-001 name it)",
        "  bundle/catalog/lists/data.yaml: topic names is a list: look at what its row says",
        "  policies/kafka/rules: topic names is new: does a rule or a profile want it?",
        "  policies/kafka/rules: topic other is otherwise (KFK-RET-001 name it)",
        "  policies/kafka/rules: group flag is new: does a rule or a profile want it?",
        "  glue/tools/gateway/classes.yaml: Coming has no class: guard, pass or refuse",
        "  glue/tools/gateway: Fetch has other versions: read what they say, and make the tables anew",
        "  bundle/catalog/errors/data.yaml: NEW_ERROR (136) is new: can a decision carry it?",
    ]


def test_a_release_that_is_known() -> None:
    """Nothing differs, and nothing is left to decide."""
    tables = _TABLES._replace(releases=frozenset({"4.3"}), apis=frozenset(_KNOWN["apis"]))

    assert describe(_KNOWN, _KNOWN, tables) == [
        "Kafka 4.3.1 compared with 4.3.1: 0 differences",
        "to decide: 0",
    ]


@pytest.mark.kafka
@pytest.mark.oracle
def test_two_releases_of_kafka() -> None:
    """What came, went and changed from 3.9 to the pinned release, whose catalogues have the same keys."""
    old = reflect_release("3.9.2", [Path(one) for one in class_path_3_9().split(":")])
    new = reflect_release(versions.KAFKA, obtain_kafka_jars())
    lines = set(iter_changes(old, new))

    for kind in ("topic", "broker", "group", "clientMetrics"):
        of_catalog = read_catalog(kind)["configs"]
        assert new["configs"][kind].keys() == {name for name, row in of_catalog.items() if not row.get("onlyDynamic")}
    assert {
        "topic message.format.version: gone",
        "topic max.decompressed.message.bytes: new, int, default 2147483639",
        "broker num.recovery.threads.per.data.dir: default 2, was 1",
        "group errors.deadletterqueue.topic.name: new, string, default ",
        "api Fetch: 4 to 18, was 0 to 17",
    } <= lines
    assert describe(new, new, read_tables())[-1] == "to decide: 0"


@pytest.mark.kafka
@pytest.mark.oracle
def test_catalogs_are_written(tmp_path: Path) -> None:
    """Those of the pinned release are what this checkout has."""
    result = CliRunner().invoke(command, [versions.KAFKA, "--write", str(tmp_path)], catch_exceptions=False)

    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("data.yaml"))
    assert "0 differences" in result.output
    assert len(written) == 9
    assert [
        find_shipped("bundle") / path
        for path in written
        if (find_shipped("bundle") / path).read_bytes() != (tmp_path / path).read_bytes()
    ] == []


@pytest.mark.process
def test_oracles_that_do_not_hold(tmp_path: Path) -> None:
    """They take the release for the pinned one; those that fail are named, and those that cannot run are an error."""
    made = tmp_path / "test_made.py"
    made.write_text(_MADE, encoding="utf-8")

    lines, all_hold = run_oracles("4.3.1", [str(made)])

    assert not all_hold
    summary, named = lines
    assert summary == "oracles with Kafka 4.3.1: 1 hold, 1 do not, 0 skipped"
    assert named.endswith("test_made::test_that_does_not")  # behind the packages that pytest takes directories for
    with pytest.raises(WardenError, match="ended with 4"):
        run_oracles("4.3.1", [str(tmp_path / "nothing")])


@pytest.mark.kafka
@pytest.mark.oracle
def test_oracles_of_an_older_release() -> None:
    """A broker of 4.3.1 as if it were the newest: what its own catalogue says of creations holds."""
    lines, all_hold = run_oracles("4.3.1", ["tests/oracle/test_topics.py"])

    assert all_hold, lines
