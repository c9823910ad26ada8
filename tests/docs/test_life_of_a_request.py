"""The page that leads through the code names files that are there."""

import re

from tests.fixtures.checkout import CHECKOUT

_PAGE = CHECKOUT / "docs" / "explain" / "life-of-a-request.md"
_LONGEST = 120
_ROOTS = "glue|policies|bundle|spark_jobs|docs"


def test_every_file_is_there() -> None:
    """A file that is moved or removed is found here."""
    paths = re.findall(rf"`((?:{_ROOTS})/[^`]+)`", _PAGE.read_text(encoding="utf-8"))

    assert len(paths) > 50
    assert [] == [path for path in paths if not (CHECKOUT / path).exists()]


def test_the_page_stays_short() -> None:
    """A newcomer reads it at one go."""
    assert len(_PAGE.read_text(encoding="utf-8").splitlines()) <= _LONGEST
