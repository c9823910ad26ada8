"""The pages of the rules are those that their METADATA, settings and examples make."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from warden.cli.bundle import command

PAGES = Path(__file__).parents[2] / "docs" / "rules"


@pytest.mark.opa
def test_the_pages_are_up_to_date(tmp_path: Path) -> None:
    """`warden bundle pages` leaves no difference."""
    CliRunner().invoke(command, ["pages", "--output", str(tmp_path)], catch_exceptions=False)
    made = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}

    assert made == {path.name: path.read_text("utf-8") for path in PAGES.iterdir()}
