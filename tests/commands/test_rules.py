"""`warden rules` and `warden waivers`: what there is to read about rules and exceptions."""

import json
from pathlib import Path

import pytest

from tests.commands.conftest import Run

pytestmark = pytest.mark.opa

SETTINGS = """\
rules:
  KFK-SIZ-001: {mode: warn, params: {max: 50}}
waivers:
  - {id: W-2, rule: KFK-RET-001, topic: "audit.*", owner: risk, reason: legal hold, ticket: T-2, expires: 2027-03-31}
  - {id: W-1, rule: KFK-SIZ-001, topic: shop.wide, owner: shop, reason: one more year, ticket: T-1, expires: 2026-12-01}
  - {id: W-0, rule: KFK-SIZ-001, topic: shop.old, owner: shop, reason: it was so, ticket: T-0, expires: 2026-01-01}
"""


@pytest.fixture
def settings(tmp_path: Path) -> str:
    """A site's own settings."""
    path = tmp_path / "settings.yaml"
    path.write_text(SETTINGS)
    return str(path)


def test_list_and_search(warden: Run) -> None:
    """Every rule is listed; words in whatever case leave those that have all of them."""
    status, everything, _ = warden("rules")
    _, some, _ = warden("rules", "Partitions", "BOUNDS")

    assert 0 == status
    assert len(everything.splitlines()) > 50
    assert "KFK-SIZ-001" in some
    assert len(some.splitlines()) < 10
    _, of_messages, _ = warden("rules", "message")  # each rule has a field of that name
    assert "KFK-MSG-001" in of_messages
    assert len(of_messages.splitlines()) < 20
    status, _, said = warden("rules", "nothing-says-this")
    assert (2, "warden: no rule says nothing-says-this: warden rules lists all of them\n") == (status, said)
    status, _, said = warden("rules", "show", "KFK-SIZ-999")
    assert (2, "warden: no rule says show and KFK-SIZ-999: did you mean KFK-SIZ-001?\n") == (status, said)


def test_explain(warden: Run, settings: str) -> None:
    """One rule by its id: what it is for, and what is in force."""
    _, shipped, _ = warden("rules", "kfk-siz-001")
    _, own, _ = warden("rules", "KFK-SIZ-001", "--settings", settings)

    assert "KFK-SIZ-001: Partitions within bounds" == shipped.splitlines()[0]
    assert "mode        deny" in shipped
    assert "param       max: 100  Greatest number of partitions of a topic." in shipped
    assert "mode        warn" in own
    assert "param       max: 50  " in own
    (document,) = json.loads(warden("rules", "KFK-SIZ-001", "--output", "json")[1])
    assert ("deny", {"max": 100, "min": 1}) == (document["mode"], document["params"])


def test_waivers(warden: Run, settings: str) -> None:
    """Those that end first are at the top; with a number of days only those that end until then, or have ended."""
    _, everything, _ = warden("waivers", settings, "--today", "2026-11-21")
    _, soon, _ = warden("waivers", settings, "--today", "2026-11-21", "--expiring", "30d", "--output", "json")

    assert ["W-0", "W-1", "W-2"] == [line.split()[0] for line in everything.splitlines()[1:]]
    assert "expired" in everything.splitlines()[1]
    assert "10 days" in everything.splitlines()[2]
    assert ["W-0", "W-1"] == [waiver["id"] for waiver in json.loads(soon)]


def test_waivers_as_they_are_written(warden: Run, tmp_path: Path) -> None:
    """What stands in brackets is no style of the table, colons make no picture, and a row stays one line."""
    path = tmp_path / "settings.yaml"
    waiver = {"id": "W-1", "rule": "KFK-SIZ-001", "topic": "a", "owner": "[old] team", "ticket": "T-1"}
    waiver |= {"reason": "see [legacy] :star:\nand [/x] \33[31m", "expires": "2026-12-01"}
    path.write_text(json.dumps({"waivers": [waiver]}), encoding="utf-8")
    status, out, said = warden("waivers", str(path))

    assert (0, "", 2) == (status, said, len(out.splitlines()))
    assert "[old] team  see [legacy] :star: and [/x] \ufffd[31m" in out


def test_days_beyond_the_last_year(warden: Run, settings: str) -> None:
    """All end until then."""
    _, out, said = warden("waivers", settings, "--today", "9999-01-01", "--expiring", "9999d")

    assert (4, "") == (len(out.splitlines()), said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--expiring", "soon"], "--expiring soon: write days, such as 30d"),
        (["--today", "now"], "--today now: write a day, such as 2027-01-31"),
    ],
)
def test_what_cannot_be_read(arguments: list[str], said: str, warden: Run, settings: str) -> None:
    """The option is named, and what to write."""
    assert (2, "", f"warden: {said}\n") == warden("waivers", settings, *arguments)
