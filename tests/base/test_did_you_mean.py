"""The nearest of some names."""

import pytest

from warden.base.did_you_mean import describe_unknown, did_you_mean, find_nearest

_NAMES = ["KFK-SIZ-001", "KFK-SIZ-008", "KFK-TIE-009", "retention.ms", "numPartitions", "decide"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("KFK-SIZ-999", "KFK-SIZ-001"),
        ("kfk_siz_8", "KFK-SIZ-008"),
        ("retention_ms", "retention.ms"),
        ("NumPartition", "numPartitions"),
        ("decde", "decide"),
        ("zookeeper", None),
        ("", None),
    ],
)
def test_the_nearest(name: str, near: str | None) -> None:
    """Letters count, not case nor punctuation; of several as near the one with the longest common beginning."""
    assert near == find_nearest(name, _NAMES)
    assert (f": did you mean {near}?" if near else "") == did_you_mean(name, _NAMES)
    assert find_nearest(name, []) is None


def test_the_advice_about_a_name() -> None:
    """The nearest, and where none is near all that there are, in their order."""
    assert "unknown mode dney: write deny, the nearest of warn, deny" == describe_unknown(
        "mode", "dney", ["warn", "deny"]
    )
    assert "unknown mode x: write one of warn, deny" == describe_unknown("mode", "x", iter(["warn", "deny"]))
    assert "unknown mode x: there is none" == describe_unknown("mode", "x", [])


@pytest.mark.parametrize("name", ["", "a b", "a\n", "-", "\u202e", "'"])
def test_names_that_are_quoted(name: str) -> None:
    """What is empty, or has what is no part of a name, would not be seen, or hide what follows."""
    assert f"unknown mode {name!r}: write one of warn" == describe_unknown("mode", name, ["warn"])
