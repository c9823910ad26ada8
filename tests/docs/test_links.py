"""Every relative link of a page leads to a file of the checkout."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT

_LISTED = subprocess.run(["git", "ls-files", "*.md"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
PAGES = [Path(name) for name in _LISTED.stdout.splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_relative_links_lead_somewhere(page: Path) -> None:
    """What a link names is there; code blocks are left out, and so are links to other sites."""
    text = re.sub(r"```.*?```", "", (CHECKOUT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:|#", target)]

    assert [] == [target for target in targets if not (CHECKOUT / page.parent / target.partition("#")[0]).exists()]


def test_pages_are_found() -> None:
    """The listing above has not lost its grip."""
    assert Path("README.md") in PAGES
    assert len(PAGES) > 50
