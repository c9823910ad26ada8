"""What a soak compares the replica's count of deletions with, which is of an hour and not of the whole run."""

import random
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka.admin import AdminClient

from tests.soak.churn import Churn


class _Admin:
    """Every topic that is to be deleted is."""

    def delete_topics(self, names: list[str], **_: Any) -> dict[str, Any]:
        return {name: SimpleNamespace(result=lambda *_: None, exception=lambda *_: None) for name in names}


def test_deletions_of_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is older is not expected, but may be counted for as long as it may have been seen late."""
    admin: AdminClient = _Admin()  # type: ignore[assignment]  # of which the rest is not called
    churn = Churn(admin, "nobody:1", random.Random(1), 0)
    for when in (0.0, 1000.0, 3000.0):
        churn.settle(["a", "b", "c"])
        churn.names.add(f"unseen {when}")
        monkeypatch.setattr("tests.soak.churn.time.monotonic", lambda when=when: when)
        churn._delete(4)

    assert (9, 12) == churn.deletions(3000.0, 0.0)
    assert (6, 8) == churn.deletions(3700.0, 0.0)
    assert (6, 12) == churn.deletions(3700.0, 200.0)
    assert (0, 0) == churn.deletions(10_000.0, 0.0)
