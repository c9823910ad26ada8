"""Controls of rules: the report's own, filtered by framework or control, and no page waits for them."""

from pathlib import Path

import pytest

from tests.console.running import write_config
from warden.base.errors import InputError
from warden.console.policy.controls import ControlTable
from warden.console.policy.engine import PolicyOpa

_TABLE = ControlTable(
    {"A": {"controls": ["F 1.10", "F 1.9", "G gone"]}, "B": {}},
    {"F": {"title": "One", "controls": {"1.10": {}, "1.9": {"title": "x", "rules": ["B"]}}}, "G": {"controls": {}}},
)


def test_controls_of_a_rule() -> None:
    """By METADATA or by the table, in the order of their numbers; what no table has is left out."""
    named = {"framework": "F", "control": "1.9", "title": "x"}

    assert [named, {"framework": "F", "control": "1.10", "title": ""}] == _TABLE.list_rule_controls("A")
    assert [named] == _TABLE.list_rule_controls("B")
    assert [] == _TABLE.list_rule_controls("elsewhere")
    assert ["1.9", "1.10"] == [row["control"] for row in _TABLE.to_document()[0]["controls"]]


@pytest.mark.parametrize(("wanted", "rules"), [("", "ABC"), ("F", "AB"), ("F 1.9", "AB"), ("F 1.10", "A"), ("G", "")])
def test_a_filter(wanted: str, rules: str) -> None:
    """A framework's name, or one with a control of it; none lets all through."""
    _TABLE.check(wanted)

    assert rules == "".join(id for id in "ABC" if _TABLE.is_rule_about(id, wanted))


@pytest.mark.parametrize(("wanted", "known"), [("H", "F, G"), ("F 2", "F 1.10, F 1.9"), ("F  ", "F 1.10, F 1.9")])
def test_a_control_that_is_none(wanted: str, known: str) -> None:
    """The sentence has those that there are."""
    with pytest.raises(InputError, match=rf"^unknown control .*: write one of {known}$"):
        _TABLE.check(wanted)


def test_no_page_waits_for_an_opa_that_is_away(tmp_path: Path) -> None:
    """There are none then, and OPA is left alone for a while."""
    (tmp_path / "token").write_text("t", encoding="utf-8")
    config = write_config(tmp_path, opa={"url": "http://127.0.0.1:9", "token": {"file": "token"}})
    with PolicyOpa(config) as opa:
        first = opa.read_controls()

        assert ControlTable() == first
        assert opa.read_controls() is first
