"""The page about differences between Kafka and Warden."""

from tests.oracle.compare import read_differences
from tests.oracle.page import PAGE, render


def test_page() -> None:
    """It shows the table that the oracles are held to; `python -m tests.oracle.page` writes it."""
    assert render(read_differences()) == PAGE.read_text(encoding="utf-8")
