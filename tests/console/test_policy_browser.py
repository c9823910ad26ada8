"""The pages of the policy in a real browser: small and wide, light and dark, by keyboard, and by a link."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.console.running import RunningConsole, write_config
from tests.fixtures.conditions import eventually
from tests.fixtures.pages.accessibility import find_obstacles
from tests.fixtures.pages.browser import Browser, Page
from warden.console.policy.pastes import Paste
from warden.demo.estate import write_estate

pytestmark = pytest.mark.opa

TOPIC = "topic: shop.orders.created\ncluster: dev-eu\nnumPartitions: 3\nreplicationFactor: 3\n"
LINK = Paste(text=TOPIC, settings="rules: {KFK-RET-001: {params: {max: 86400000}}}\n", sample=True).encode_link()


@pytest.fixture(scope="module")
def console(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningConsole]:
    """A console for this machine, with a snapshot."""
    directory = tmp_path_factory.mktemp("console")
    write_estate(directory / "snapshot", topics=200)
    with RunningConsole(write_config(directory, snapshot="snapshot")) as running:
        yield running


def wait_for(page: Page, script: str) -> None:
    """Wait over what a page sends itself to: the next page ends what is awaited in this one."""

    def holds() -> bool:
        try:
            return bool(page.run(f"document.readyState === 'complete' && ({script})"))
        except AssertionError as error:
            if "navigated" in str(error) or "context" in str(error):
                return False
            raise

    eventually(holds, script)


def look(page: Page, axe: Path, width: int) -> None:
    """Nothing is wider than the window, everybody can use it, nothing is of elsewhere, the console is silent."""
    picture = page.picture()

    assert page.run("document.documentElement.scrollWidth") <= width
    assert width == struct.unpack(">I", picture[16:20])[0]
    assert [] == page.complaints()
    origin = page.run("location.origin")
    assert [] == [each for each in page.requested() if not each.startswith((origin, "data:"))]
    assert [] == find_obstacles(page, axe)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_link(console: RunningConsole, browser: Browser, axe: Path, width: int, dark: bool) -> None:
    """What a link holds is filled in and decided, with what its settings change; the server never sees the link."""
    page = Page(browser, f"{console.url}/playground", f"#s={LINK}", width=width, dark=dark)
    wait_for(page, "document.querySelector('section.decided') !== null")

    assert TOPIC == page.run("document.querySelector('[name=text]').value")
    assert f"#s={LINK}" == page.run("location.hash")
    assert [] == [each for each in page.requested() if "?" in each]
    said = page.run("document.querySelector('main').innerText")
    assert "KFK-RET-001 max 2592000000 → 86400000" in said
    assert "On a sample of dev-eu: 16 of 16 topics" in said
    assert "Under the policy in force: allowed; your settings change that." in said
    look(page, axe, width)
    page.close()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
def test_rules(console: RunningConsole, browser: Browser, axe: Path, width: int, dark: bool) -> None:
    """A filter, a rule with its settings, and an example that opens in the playground."""
    page = Page(browser, f"{console.url}/rules?cluster=dev-eu&words=KFK-RET-001", width=width, dark=dark)

    assert page.run("document.querySelector('#KFK-RET-001').open")
    assert "as shipped, data.yaml:" in page.run("document.querySelector('#KFK-RET-001').innerText")
    look(page, axe, width)
    page.run("document.querySelector('ul.examples a').click()")
    wait_for(page, "document.querySelector('section.decided .status.denied') !== null")
    assert page.run("location.hash").startswith("#s=")
    look(page, axe, width)
    page.close()


def test_by_keyboard(console: RunningConsole, browser: Browser) -> None:
    """Typed, decided and linked without a mouse; what is wrong is an alert."""
    page = Page(browser, f"{console.url}/playground", width=1280)
    page.run("document.querySelector('[name=text]').focus()")
    page.type(TOPIC)
    for _ in range(5):
        page.press("Tab")
    assert "settings" == page.run("document.activeElement.name")
    page.type("rules: {KFK-RET-01: {mode: deny}}")
    page.press("Tab")
    page.press("Tab")
    page.press("Enter")
    wait_for(page, "document.querySelector('[role=alert]') !== null")

    assert "did you mean KFK-RET-001?" in page.run("document.querySelector('[role=alert]').innerText")
    assert TOPIC == page.run("document.querySelector('[name=text]').value")
    page.close()
