"""Why a request was denied, from logs."""

import json

import pytest

from tests.gateway.frames import create_topics
from tests.gateway.test_faults import client as connection
from tests.gateway.test_faults import receive
from warden.cli import EXIT_ERROR, EXIT_OK, main
from warden.process.json_log import _JsonLines

LINE = {
    "time": "2026-11-22T10:00:00Z",
    "message": "decided",
    "cluster": "prod-eu",
    "api": "DeleteRecords",
    "version": 2,
    "correlationId": 5,
    "clientId": "admin-1",
    "client": "10.0.0.9",
    "principal": "User:alice",
    "decisionIds": ["4ca6"],
    "forwarded": "none",
    "items": [
        {
            "type": "topic",
            "name": "Payments",
            "allowed": False,
            "rules": ["KFK-DEL-001 deny"],
            "error": "POLICY_VIOLATION",
            "message": "KFK-DEL-001: no",
        }
    ],
}
DECISION = {
    "decision_id": "4ca6",
    "msg": "Decision Log",
    "path": "kafka/decisions",
    "timestamp": "2026-11-22T10:00:00Z",
    "result": {"topics/0": {"violations": [{"rule": "KFK-DEL-001", "effect": "deny", "message": "in full"}]}},
}


REQUEST = ["--cluster", "prod-eu", "--correlation-id", "5"]


@pytest.fixture
def logs(tmp_path):
    """A gateway's log among other lines, and OPA's, as a container's runtime writes them."""
    (tmp_path / "gateway.log").write_text(f'{{"message": "listening"}}\nnot {{ JSON\n{json.dumps(LINE)}\n')
    (tmp_path / "opa.log").write_text(f"2026-11-22T10:00:00Z stderr F {json.dumps(DECISION)}\n[]\n")
    return tmp_path


def explained(logs, capsys, *arguments, names=("gateway.log", "opa.log")):
    """Status, and what the command prints."""
    files = [piece for name in names for piece in ("--log", str(logs / name))]
    with pytest.raises(SystemExit) as end:
        main(["gateway", "explain", *arguments, *files])
    captured = capsys.readouterr()
    return end.value.code, captured.out + captured.err


@pytest.mark.parametrize("arguments", [["4ca6"], REQUEST, [*REQUEST, "--client-id", "admin-1"]])
def test_a_request_is_found(logs, capsys, arguments):
    """By the decision's id, or by the number that the client gave it."""
    status, text = explained(logs, capsys, *arguments)

    assert EXIT_OK == status
    assert "prod-eu: DeleteRecords v2 of User:alice, correlation id 5, client admin-1 at 10.0.0.9: none of it" in text
    assert "topic Payments: denied POLICY_VIOLATION\n    KFK-DEL-001: no" in text
    assert "topics/0: KFK-DEL-001 deny: in full" in text


def test_either_log_alone_tells_what_it_has(logs, capsys):
    """What is not in the logs that were given is said."""
    assert "decision 4ca6: not in these decision logs" in explained(logs, capsys, "4ca6", names=("gateway.log",))[1]
    assert "KFK-DEL-001 deny: in full" in explained(logs, capsys, "4ca6", names=("opa.log",))[1]
    _, text = explained(logs, capsys, "4ca6", "--output", "json")
    assert [5] == [one["correlationId"] for one in json.loads(text)["requests"]]


def test_what_is_not_there_is_an_error(logs, capsys):
    """Nothing found is not the same as nothing denied."""
    status, text = explained(logs, capsys, *REQUEST, "--client-id", "other")

    assert EXIT_ERROR == status
    assert "no line is about request 5 to prod-eu" in text


@pytest.mark.parametrize("arguments", [[], ["4ca6", *REQUEST], ["--cluster", "a"], ["--correlation-id", "5"]])
def test_one_thing_is_looked_for(logs, capsys, arguments):
    """A decision or a request."""
    status, text = explained(logs, capsys, *arguments)

    assert EXIT_ERROR == status
    assert "Give a decision id, or --cluster and --correlation-id" in text


@pytest.mark.kafka
@pytest.mark.opa
def test_the_gateways_own_lines_are_read(gateway, caplog, tmp_path, capsys):
    """What a running gateway logs is what is looked for."""
    with connection(gateway) as connected, caplog.at_level("INFO", "warden.gateway"):
        connected.sendall(create_topics("Explain_Me", correlation_id=4711))
        assert receive(connected)
    record = next(one for one in caplog.records if getattr(one, "correlationId", None) == 4711)
    (tmp_path / "gateway.log").write_text(_JsonLines().format(record) + "\n")
    arguments = ["--cluster", "gate", "--correlation-id", "4711"]
    status, text = explained(tmp_path, capsys, *arguments, names=("gateway.log",))

    assert EXIT_OK == status
    assert "topic Explain_Me: denied POLICY_VIOLATION" in text
