"""``warden explain``: which rules a decision rests on, and which line of which file decided."""

import io
import json
import sys

import pytest

pytestmark = pytest.mark.opa

SETTINGS = """\
rules:
  KFK-SIZ-001: {mode: deny, params: {min: 1, max: 5}}
  KFK-RET-001: {mode: deny}
waivers:
  - id: W-7
    rule: KFK-RET-001
    cluster: dev
    topic: shop.orders.created
    owner: shop
    reason: a test of retention
    ticket: SHOP-1
    expires: 2199-01-01
"""
TOPIC = "topic: shop.orders.created\nnumPartitions: 30\nreplicationFactor: 3\nconfigs: {retention.ms: 10}\n"


def test_why(warden, tmp_path) -> None:
    """What is broken by which parameter of which line, the waiver, what was not evaluated, what passed; the trace."""
    settings, topic = tmp_path / "settings.yaml", tmp_path / "t.yaml"
    settings.write_text(SETTINGS, encoding="utf-8")
    topic.write_text(TOPIC, encoding="utf-8")
    status, out, err = warden("explain", "--trace", "--settings", str(settings), "--cluster", "dev", str(topic))
    lines = out.splitlines()
    size = lines.index("broken KFK-SIZ-001")

    assert (0, "") == (status, err)
    assert f"{topic}:1: CreateTopic, cluster dev, enforcement point ci" == lines[0]
    assert {f'  mode "deny"  {settings}:2', f"  max 5  {settings}:2"} <= set(lines[size : size + 4])
    (waiver,) = [line for line in lines if line.startswith("  waiver of KFK-RET-001: ")]
    assert "W-7" in waiver
    assert any(line.startswith("not evaluated KFK-SIZ-002 (reads /clusterState/totals)") for line in lines)
    assert any(line.startswith("passed ") and "KFK-NAM-001" in line for line in lines)
    assert any("Enter data.kafka.decision" in line for line in lines)


def test_of_an_opa_that_runs(warden, opa, tmp_path) -> None:
    """A decision input as it stands; the files are not known, and there is no trace."""
    path = tmp_path / "input.json"
    request = {"topic": "shop.orders.created", "numPartitions": 3, "replicationFactor": 3}
    document = {"operation": "CreateTopic", "cluster": "prod", "enforcementPoint": "gateway", "request": request}
    path.write_text(json.dumps({**document, "clusterState": {}}), encoding="utf-8")
    where = ["--opa-url", opa.url, "--opa-token", opa.tokens.query]
    status, out, _ = warden("explain", *where, "--output", "json", str(path))
    (one,) = json.loads(out)
    traced, _, err = warden("explain", *where, "--trace", str(path))

    assert (0, "prod", "gateway") == (status, one["input"]["cluster"], one["input"]["enforcementPoint"])
    assert {"result"} == set(one["rules"]["KFK-NAM-001"])
    assert set(one["broken"]) == {id for id, rule in one["rules"].items() if rule["result"] == "broken"}
    assert (2, True) == (traced, "--trace is of an OPA that is started here" in err)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "f.yaml:2: not YAML"),
        ("a: 1", "f.yaml: no decision input and no declaration in it: name a file that has one"),
        pytest.param('{"a":' * 90_000, "f.yaml:1: ", id="nested too deeply"),
        (None, "f.yaml: cannot be read (No such file or directory)"),
    ],
)
def test_what_cannot_be_explained(warden, tmp_path, text, said) -> None:
    """An error that names the file."""
    path = tmp_path / "f.yaml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    status, _, err = warden("explain", str(path))

    assert (2, True) == (status, said in err), err


@pytest.mark.parametrize(("text", "kind"), [(TOPIC, "-:1: CreateTopic"), ('{"operation": "CreateTopic"}', "-: Create")])
def test_standard_input(warden, monkeypatch, text, kind) -> None:
    """It is read as a file is, a declaration or a decision input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    status, out, _ = warden("explain", "-")

    assert (0, True) == (status, out.startswith(kind)), out
