"""Wrong inputs, one a row: each ends with status 2 and one sentence that names the place and what to write."""

import json
from pathlib import Path
from typing import Any

import pytest

_FILES = {
    "broken.json": '{"a": 1,}',
    "broken.yaml": "rules: [",
    "list.json": "[]",
    "list.yaml": "- a",
    "empty.json": "{}",
    "mistakes.yaml": """\
rule: {}
rules:
  KFK-SIZ-01: {mode: deny}
  KFK-SIZ-001: {mode: block, params: {mni: 1, max: many}}
waivers: [{id: W, rule: KFK-SIZ-999, owner: a, reason: b, expires: soon}]
""",
    "twice.yaml": "rules: {}\nrules: {}",
    "large.json": json.dumps({"operation": "CreateTopic", "cluster": "c" * 2000, "request": {"topic": "a"}}),
}

_LINES = {
    "decde": "No such command 'decde'. Did you mean 'decide'?",
    "bundel build": "No such command 'bundel'. Did you mean 'bundle'?",
    "zookeeper": "No such command 'zookeeper'.",
    "decide": "Missing argument 'FILE'.",
    "decide empty.json more.json": "Got unexpected extra argument (more.json)",
    "decide --output xml empty.json": "'xml' is not one of 'text', 'json'",
    "decide --settings none.yaml empty.json": "File 'none.yaml' does not exist.",
    "decide --site none empty.json": "Directory 'none' does not exist.",
    "decide --opa-url nonsense empty.json": "'nonsense' is no address of an OPA: give one like http://127.0.0.1:8181",
    "decide none.json": "none.json: cannot be read (No such file or directory): name a file with a decision input",
    "decide broken.json": "broken.json:1: not JSON (",
    "decide --max-item-bytes 1024 large.json": "has 2,064 bytes of JSON, more than the 1,024 that are sent to OPA",
    "check --max-item-bytes 1023 .": "1023 is not in the range x>=1024.",
    "decide --profile strater empty.json": "profile 'strater' is unknown: did you mean starter?",
    "decide --settings broken.yaml empty.json": "broken.yaml:2: not YAML (",
    "decide --settings list.yaml empty.json": "list.yaml: not a mapping: write rules:, clusters:,",
    "explain none": "none: cannot be read (No such file or directory): name a file",
    "explain list.json": "list.json: no decision input and no declaration: name a file that has one",
    "scan": "Missing argument 'SNAPSHOT'.",
    "scan none": "none: no such directory; `warden snapshot` makes one from a live cluster",
    "scan . --day 2026-13-01": "'2026-13-01' does not match the format '%Y-%m-%d'.",
    "scan . --day 2026-11-01 --from-day 2026-11-01": "--day is one day, --from-day and --to-day are several",
    "scan . --to-day 2026-11-01": "--to-day needs --from-day: say where the history begins",
    "scan . --fail-on hihg": "'hihg' is not one of 'critical', 'high', 'medium', 'low', 'info'.",
    "snapshot": "Missing option '--out'.",
    "replicate": "Missing option '--config'.",
    "decide --settings twice.yaml empty.json": "twice.yaml:2: ",
    "rules KFK-SIZ-999": "no rule says KFK-SIZ-999: did you mean KFK-SIZ-001?",
    "topics crate": "No such command 'crate'. Did you mean 'create'?",
}

_MISTAKES = [
    "1: unknown field rule: did you mean rules?",
    "3: rules: unknown rule KFK-SIZ-01: did you mean KFK-SIZ-001?",
    '4: rules.KFK-SIZ-001.mode: must be one of the following: "deny", "warn", "dryrun", "disabled"',
    "4: rules.KFK-SIZ-001.params: unknown parameter mni: did you mean min?",
    "4: rules.KFK-SIZ-001.params.max: must be an integer, not a string",
    "5: waivers.0.rule: unknown rule KFK-SIZ-999: did you mean KFK-SIZ-001?",
    "5: waivers.0.expires: no day: write one such as 2026-12-31",
]

_GOOD: dict[str, Any] = {
    "operation": "CreateTopic",
    "cluster": "c",
    "clusterState": {},
    "request": {"topic": "shop.orders", "numPartitions": 3, "replicationFactor": 3},
}

_TOPIC = _GOOD["request"]
_DOCUMENTS: dict[str, Any] = {
    "the input is not a JSON object": [],
    "operation: missing; give a string": {key: value for key, value in _GOOD.items() if key != "operation"},
    "cluster: missing; give a non-empty string": {key: value for key, value in _GOOD.items() if key != "cluster"},
    "request: missing; give an object": {key: value for key, value in _GOOD.items() if key != "request"},
    'operation: "createTopic" is unknown; use one of': {**_GOOD, "operation": "createTopic"},
    "operation: 3 is not a string": {**_GOOD, "operation": 3},
    "clustr: unknown field; use api, brokerId, cluster,": {**_GOOD, "clustr": "c"},
    'principal: "User:a" is not an object {"type": "User", "name": "alice"}': {**_GOOD, "principal": "User:a"},
    "principal: null is not an object": {**_GOOD, "principal": None},
    'now: "soon" is not a time in RFC 3339': {**_GOOD, "now": "soon"},
    'validateOnly: "true" is not true or false': {**_GOOD, "validateOnly": "true"},
    "clusterState: false is not an object": {**_GOOD, "clusterState": False},
    'unknown: ["/configs"] is not ': {**_GOOD, "unknown": ["/configs"]},
    'cluster: nothing is known of "c"; replicate it': {k: v for k, v in _GOOD.items() if k != "clusterState"},
    "request.topic: missing; give a string": {**_GOOD, "request": {}},
    'request.numPartitions: "3" is not an integer': {**_GOOD, "request": {**_TOPIC, "numPartitions": "3"}},
    "request.replicationFactor: 2.5 is not an integer": {**_GOOD, "request": {**_TOPIC, "replicationFactor": 2.5}},
    "request.partitions: unknown field; use configs,": {**_GOOD, "request": {**_TOPIC, "partitions": 3}},
    'request.configs: {"a":1} is not an object of config names to': {
        **_GOOD,
        "request": {**_TOPIC, "configs": {"a": 1}},
    },
}


@pytest.fixture
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in _FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


@pytest.mark.opa
@pytest.mark.usefixtures("_files")
@pytest.mark.parametrize("line", _LINES)
def test_a_command_line(line, warden):
    """Commands, options, files, settings and rules."""
    status, printed, said = warden(*line.split())

    assert (2, "", True) == (status, printed, _LINES[line] in said), said
    assert "Traceback" not in said


@pytest.mark.opa
@pytest.mark.usefixtures("_files")
def test_settings(warden):
    """All mistakes of a file at once, each with its line."""
    status, _, said = warden("decide", "--settings", "mistakes.yaml", "empty.json")

    assert (2, {f"mistakes.yaml:{each}" for each in _MISTAKES}) == (
        status,
        set(said.removeprefix("warden: ").splitlines()),
    )


@pytest.mark.opa
@pytest.mark.parametrize("sentence", _DOCUMENTS)
def test_a_decision_input(sentence, warden, opa, tmp_path):
    """It is not decided, which is neither allowed nor denied."""
    file = tmp_path / "input.json"
    file.write_text(json.dumps(_DOCUMENTS[sentence]))
    status, printed, _ = warden("decide", "--opa-url", opa.url, "--opa-token", opa.tokens.query, str(file))

    assert (2, "not decided: INVALID_REQUEST") == (status, printed.splitlines()[0])
    assert f"  {sentence}" in printed


def test_there_are_fifty():
    """As many as a user may try in an hour."""
    assert 50 <= len(_LINES) + len(_MISTAKES) + len(_DOCUMENTS)
