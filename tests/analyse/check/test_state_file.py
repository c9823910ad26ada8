"""The file of `warden check --state`: mistakes in it have a sentence each, before an OPA starts."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from warden.analyse.check.state_file import read_state
from warden.base.errors import InputError
from warden.commands.check import command


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "s.json:1: not JSON"),
        ("[]", "s.json: the state is []: write an object"),
        ('{"topics": 3}', "s.json: topics is 3: write an object"),
        ('{"topics": {"a.b": null}}', "s.json: topics.a.b is null: write an object"),
        ('{"topics": {"a": {"numPartitions": "3"}}}', 's.json: topics.a.numPartitions is "3": write an integer'),
        ('{"topics": {"a": {"numPartitions": true}}}', "s.json: topics.a.numPartitions is true: write an integer"),
        ('{"topics": {"a": {"configs": {"k": 1}}}}', "s.json: topics.a.configs.k is 1: write a string or null"),
        (
            '{"topics": {"a": {"replicasAssignments": {"0": [1, "2"]}}}}',
            's.json: topics.a.replicasAssignments.0[1] is "2": write an integer',
        ),
        (f'{{"clusterSize": "{"x" * 50}"}}', f's.json: clusterSize is "{"x" * 39}…: write an integer'),
    ],
)
def test_mistakes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, said: str) -> None:
    """Each names the field, what it is and what to write."""
    monkeypatch.chdir(tmp_path)
    Path("s.json").write_text(text)
    Path("t.yaml").write_text("topic: a\nnumPartitions: 3\n")

    def start(*_arguments: Any) -> None:
        raise AssertionError("an OPA was started first")

    monkeypatch.setattr("warden.policy.opa.session.open_session", start)
    with pytest.raises(InputError) as caught:
        CliRunner().invoke(command, ["--state", "s.json", "t.yaml"], standalone_mode=False, catch_exceptions=False)

    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"topics": {"a": {"numPartitions": 3, "configs": {"retention.ms": None}}}, "clusterSize": 3},
        {"clusterSize": 3.0, "of_a_site": [{"own": 1}], "meta": {"of_a_site": True}},
    ],
)
def test_what_fits(tmp_path: Path, state: dict[str, Any]) -> None:
    """What is left out is not known, and what only a site's rules read may be anything."""
    (tmp_path / "s.json").write_text(json.dumps(state))

    assert state == read_state(tmp_path / "s.json")
