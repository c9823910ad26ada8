"""Wrong inputs, one a row of a page: each ends with status 2 and a sentence that names the place and what to write."""

import json
from pathlib import Path

import pytest

from tests.commands.wrong_inputs import CASES, PAGE, Case, printed, render, rows
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_MISTAKES = """\
rule: {}
rules:
  KFK-SIZ-01: {mode: deny}
  KFK-SIZ-001: {mode: block, params: {mni: 1, max: many}}
waivers: [{id: W, rule: KFK-SIZ-999, owner: a, reason: b, expires: soon}]
"""

_SAID = [
    "1: unknown field rule: did you mean rules?",
    "3: rules: unknown rule KFK-SIZ-01: did you mean KFK-SIZ-001?",
    '4: rules.KFK-SIZ-001.mode: must be one of the following: "deny", "warn", "dryrun", "disabled"',
    "4: rules.KFK-SIZ-001.params.max: must be an integer, not a string",
    "4: rules.KFK-SIZ-001.params: unknown parameter mni: did you mean min?",
    "5: waivers.0.expires: invalid day: expected one such as 2026-12-31",
    "5: waivers.0.rule: unknown rule KFK-SIZ-999: did you mean KFK-SIZ-001?",
]


@pytest.fixture(autouse=True)
def _empty_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.line} {case.shown or case.text}"[:60])
def test_what_is_printed(case: Case, warden, opa: LocalOpa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither allowed nor denied, and what the page has; one OPA answers about all decision inputs."""
    if case.line == "decide d.json":
        monkeypatch.setenv("WARDEN_OPA_URL", opa.url)
        monkeypatch.setenv("WARDEN_OPA_QUERY_TOKEN", opa.tokens.query)

    (row,) = rows({case: printed(case, tmp_path, warden)})

    assert row in PAGE.read_text(encoding="utf-8").splitlines()


def test_the_page() -> None:
    """A row for each case, in their order, and at least as many as a user may try in an hour."""
    text = PAGE.read_text(encoding="utf-8")

    assert text.startswith(render({}))
    assert [row.partition(" | ")[0] for row in rows(dict.fromkeys(CASES, ""))] == [
        line.partition(" | ")[0] for line in text.removeprefix(render({})).splitlines()
    ]
    assert 50 <= len(CASES)


def test_all_mistakes_of_a_file(warden, tmp_path: Path) -> None:
    """At once, each with its line."""
    (tmp_path / "mistakes.yaml").write_text(_MISTAKES, encoding="utf-8")
    (tmp_path / "empty.json").write_text("{}", encoding="utf-8")

    status, _, said = warden("decide", "--settings", "mistakes.yaml", "empty.json")

    assert (2, [f"mistakes.yaml:{each}" for each in _SAID]) == (status, said.removeprefix("warden: ").splitlines())


def test_too_large(warden, tmp_path: Path) -> None:
    """It is not sent."""
    document = {"operation": "CreateTopic", "cluster": "c" * 2000, "request": {"topic": "a"}}
    (tmp_path / "large.json").write_text(json.dumps(document), encoding="utf-8")

    status, printed, said = warden("decide", "--max-item-bytes", "1024", "large.json")

    assert (2, "") == (status, printed)
    assert "has 2,064 bytes of JSON, more than the 1,024 that are sent to OPA" in said
