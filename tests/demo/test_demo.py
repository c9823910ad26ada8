"""The demo: what it promises to be bad is found bad, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from warden.demo.content import BAD, iter_topics


def test_every_topic_is_there_once() -> None:
    """A few hundred topics, and few enough partitions for one small broker."""
    names = [topic.name for topic in iter_topics()]

    assert len(set(names)) == len(names) == 277
    assert {topic.name for topic in BAD} < set(names)
    assert 750 > sum(topic.partitions for topic in iter_topics())


@pytest.mark.kafka
@pytest.mark.opa
@pytest.mark.spark
@pytest.mark.slow  # make ci runs the command besides
def test_the_bad_topics_are_found_on_a_real_broker(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From no broker to the findings: exactly the topics of the table of bad ones, and no broker left."""
    from warden.commands.demo import command

    temporary, out = tmp_path / "tmp", tmp_path / "out"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    result = CliRunner().invoke(command, ["--out", str(out), "--output", "json"], standalone_mode=False)
    assert (None, 0) == (result.exception, result.return_value)
    summary = json.loads(result.stdout)
    lines = (Path(summary["directory"]) / "findings.jsonl").read_text("utf-8").splitlines()

    found = [finding for finding in map(json.loads, lines) if finding["kind"] == "topic"]
    assert {topic.name for topic in BAD} == {finding["topic"] for finding in found}
    assert (278, 253, 25, 0) == tuple(summary[name] for name in ("topics", "allowed", "denied", "errors"))
    assert [] == [path.name for path in temporary.iterdir() if path.name.startswith(("warden-kafka", "warden-demo"))]
