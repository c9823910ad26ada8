"""The nearest of some names."""

import pytest

from warden.files.nearest import did_you_mean, nearest

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
    assert near == nearest(name, _NAMES)
    assert (f": did you mean {near}?" if near else "") == did_you_mean(name, _NAMES)
    assert nearest(name, []) is None
