"""The documentation is built as a site, strictly, and nothing in it leads nowhere or is loaded from elsewhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT

pytestmark = pytest.mark.docs
LOADED = re.compile(r'<(?:script|img|iframe|source)\b[^>]*?\bsrc="?([^" >]+)|<link\b[^>]*?\bhref="?([^" >]+)')
LED = re.compile(r'<a\b[^>]*?\bhref="?([^" >]+)')
BEYOND = re.compile(r"(?:[a-z]+:)?//")


def build(checkout: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a checkout."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", site],
        cwd=checkout,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, str]:
    """The HTML of each page but that of error 404, whose links are absolute."""
    site = tmp_path_factory.mktemp("site")
    built = build(CHECKOUT, site)
    assert (built.returncode, re.findall(r"^(?!INFO).+", built.stderr, re.MULTILINE)) == (0, [])
    return {path: path.read_text(encoding="utf-8") for path in site.rglob("*.html") if path.name != "404.html"}


def test_every_link_leads_somewhere(pages) -> None:
    """Links between pages lead to files of the site, those out of docs/ to pages made of what is there."""
    relative = [(path, link) for path, text in pages.items() for link in LED.findall(text) if ":" not in link]
    lost = [(path, link) for path, link in relative if not (path.parent / re.split("[#?]", link)[0]).exists()]

    assert lost == []
    assert any("/repository/policies/" in link for _, link in relative)


def test_nothing_is_loaded_from_elsewhere(pages) -> None:
    """Scripts, styles, fonts and images are the site's own."""
    loaded = [part for text in pages.values() for found in LOADED.findall(text) for part in found if part]

    assert [address for address in loaded if BEYOND.match(address)] == []
    assert len(loaded) > len(pages)


def test_a_rule_is_shown_as_it_stands(pages) -> None:
    """What a page links to outside docs/ is there with its text."""
    name = "repository/policies/kafka/rules/naming/legal.rego.html"
    (rule,) = (text for path, text in pages.items() if path.match(name))

    shown = re.sub(r"<[^>]*>", "", rule)
    assert "package kafka.rules.naming" in shown


def test_links_that_lead_nowhere_are_refused(tmp_path) -> None:
    """A page, an anchor, a file of the repository and an absolute path, each named in a warning that ends the build."""
    for entry in CHECKOUT.iterdir():
        if entry.name not in {"build", "docs", "mkdocs.yml"}:
            (tmp_path / entry.name).symlink_to(entry)
    shutil.copy(CHECKOUT / "mkdocs.yml", tmp_path)
    shutil.copytree(CHECKOUT / "docs", tmp_path / "docs")
    with (tmp_path / "docs/start/install.md").open("a", encoding="utf-8") as page:
        page.write("\n[a](absent.md) [b](../operate/settings.md#absent) [c](../../absent.py) [d](/absent.html)\n")

    built = build(tmp_path, tmp_path / "site")

    warnings = [line for line in built.stderr.splitlines() if line.startswith("WARNING")]
    assert (built.returncode, len(warnings)) == (1, 4)
    assert all("start/install.md" in line and "absent" in line for line in warnings)
