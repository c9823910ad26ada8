"""What no ``ConfigDef`` says of numbers, held to the code that decides: ``no_limit.yaml`` and ``negatives.yaml``."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.tools.catalog.logs import broker_configs, deleted_segments
from tests.tools.catalog.test_catalog import catalog

pytestmark = [pytest.mark.kafka]

_LEAST = {"short": -(2**15), "int": -(2**31), "long": -(2**63)}
_NUMBERS = (*_LEAST, "double")


def _rows() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for document in ("topic", "broker", "group", "clientMetrics"):
        for name, row in catalog(document)["configs"].items():
            yield document, name, row


def _kept(name: str) -> Any:
    path = Path(__file__).parents[3] / "glue" / "tools" / "catalog" / name
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_every_number_below_nought_that_kafka_takes_has_its_meaning() -> None:
    """One of the two files has it, and neither has any other; Kafka's validators say which they are."""
    taken = {
        (document, name)
        for document, name, row in _rows()
        if row["type"] in _NUMBERS and (min(row.get("min", -1), row.get("or", 0)) < 0)
    }
    explained = [
        (document, name)
        for document, reasons in _kept("negatives.yaml").items()
        for names in reasons.values()
        for name in names
    ]
    limits = [(document, name) for document, rows in _kept("no_limit.yaml").items() for name in rows]

    assert sorted(taken) == sorted([*explained, *limits])


def _texts(row: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Numbers by which a row says that there is no limit, and numbers that are limits."""
    limit = row["noLimit"]
    below = limit.get("below")
    numbers = {limit["is"], limit.get("at", limit["is"])}
    numbers |= {number for number in (-1, -2, -1000, _LEAST[row["type"]]) if below is not None and number < below}
    return [str(number) for number in sorted(numbers) if number >= row.get("min", number)], ["1", "5"]


@pytest.mark.parametrize(
    ("document", "name"),
    [(document, name) for document, name, row in _rows() if "noLimit" in row and "retention" in name],
)
def test_retention_deletes_nothing_without_a_limit(jvm: Any, tmp_path: Path, document: str, name: str) -> None:
    """Kafka's own log keeps all segments under each number that means no limit, and not under one that is a limit."""
    unlimited, limits = _texts(catalog(document)["configs"][name])
    remote = "local" in name

    def deletes(text: str) -> bool:
        directory = tmp_path / f"{text}-0"
        directory.mkdir()
        overrides = {name: text}
        configs = broker_configs(jvm, overrides) if document == "broker" else overrides
        # Only what is tried may delete: the other kind of retention has no limit.
        other = "retention.ms" if "bytes" in name else "retention.bytes"
        return deleted_segments(jvm, directory, {**configs, other: "-1", f"local.{other}": "-2"}, remote) > 0

    assert ({False}, {True}) == ({deletes(text) for text in unlimited}, {deletes(text) for text in limits})


def test_local_retention_of_minus_two_is_the_whole(jvm: Any, tmp_path: Path) -> None:
    """So that no row may take it for no limit."""
    (directory := tmp_path / "t-0").mkdir()
    configs = {"retention.ms": "-1", "retention.bytes": "1", "local.retention.bytes": "-2"}

    assert 0 < deleted_segments(jvm, directory, configs, remote=True)


def test_connections_that_are_never_idle_too_long(jvm: Any) -> None:
    """Kafka's ``Selector`` keeps nobody's idle time under each number that means no limit."""
    row = catalog("broker")["configs"]["connections.max.idle.ms"]
    unlimited, limits = _texts(row)
    common = jvm.org.apache.kafka.common
    field = jvm.java.lang.Class.forName("org.apache.kafka.common.network.Selector").getDeclaredField(
        "idleExpiryManager"
    )
    field.setAccessible(True)

    def watched(text: str) -> bool:
        metrics, time = common.metrics.Metrics(), common.utils.Time.SYSTEM
        selector = common.network.Selector(int(text), metrics, time, "t", None, common.utils.internals.LogContext())
        return field.get(selector) is not None

    assert ([False], [True]) == (
        sorted({watched(text) for text in unlimited}),
        sorted({watched(text) for text in limits}),
    )


def test_all_rows_are_shown() -> None:
    """A new row needs a test that shows it."""
    rows = {(document, name) for document, name, row in _rows() if "noLimit" in row}

    assert [("broker", "connections.max.idle.ms")] == sorted(row for row in rows if "retention" not in row[1])
