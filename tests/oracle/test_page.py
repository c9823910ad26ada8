"""The page about differences between Kafka and Warden."""

import re
from collections.abc import Callable, Mapping, Sequence

from tests.oracle.cases import (
    acls,
    brokers,
    configs,
    credentials,
    deletions,
    files,
    quotas,
    topic_configs,
    topic_creations,
    topic_deletions,
)
from tests.oracle.cases.sampling import ENOUGH, Case
from tests.oracle.compare import read_differences
from tests.oracle.page import PAGE, render

_CASES: Mapping[str, Sequence[Callable[[], list[Case]]]] = {
    "AlterBroker": [brokers.cases],
    "AlterConfig": [configs.cases],
    "AlterQuota": [quotas.cases],
    "AlterScram": [credentials.cases],
    "AlterTopic": [topic_configs.cases],
    "CreateAcl": [acls.creations],
    "CreateTopic": [topic_creations.cases],
    "DeleteAcl": [acls.deletions],
    "DeleteRecords": [deletions.record_cases],
    "DeleteTopic": [deletions.topic_cases, topic_deletions.cases],
    "StartBroker": [files.cases],
}


def test_page() -> None:
    """It shows the table that the oracles are held to; `python -m tests.oracle.page` writes it."""
    assert render(read_differences()) == PAGE.read_text(encoding="utf-8")


def test_counts() -> None:
    """It says of each operation how many requests are tried, which are enough."""
    shown = re.findall(r"^\| `(\w+)` \| [^|]* \| (\d+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    counts = {operation: sum(len(cases()) for cases in every) for operation, every in _CASES.items()}

    assert counts == {operation: int(count) for operation, count in shown}
    assert min(counts.values()) >= ENOUGH


def test_differences_are_of_operations() -> None:
    """A difference of an operation that no oracle has would never be found stale."""
    assert {row.operation for row in read_differences()} <= _CASES.keys()
