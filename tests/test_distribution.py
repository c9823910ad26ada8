"""Which files go to the same process, and in which order."""

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.run import distribution


def test_what_takes_long_is_there() -> None:
    """Each name is a file's or a group's, as files are handed out: one that was renamed would be among the last."""
    names = list(distribution._SECONDS)

    assert [] == [name for name in names if not (CHECKOUT / name).exists()]
    assert names == [distribution._scope(f"{name}::test") for name in names]
