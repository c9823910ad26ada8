"""Why a request was denied, from logs."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.enforce.gateway.frames import create_topics
from tests.enforce.gateway.test_faults import client as connection
from tests.enforce.gateway.test_faults import receive
from warden.base.telemetry.json_log import _JsonLines
from warden.commands import EXIT_ERROR, EXIT_OK, main
from warden.enforce.gateway.log.log_filter import parse_since

LINE: dict[str, Any] = {
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
    nested = '{"a":' * 90_000
    (tmp_path / "gateway.log").write_text(f'{{"message": "listening"}}\nnot {{ JSON\n{nested}\n{json.dumps(LINE)}\n')
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


def test_what_was_found_before_is_marked(logs, capsys):
    """The decision log has it, and the gateway's, whose words these are."""
    found = {"rule": "KFK-DUR-001", "effect": "warn", "message": "few", "cause": "found", "before": "few"}
    entry = {**DECISION, "result": {"topics/0": {"violations": [found, {**found, "cause": "caused"}]}}}
    (logs / "opa.log").write_text(json.dumps(entry))
    text = explained(logs, capsys, "4ca6", names=("opa.log",))[1]

    assert "KFK-DUR-001 warn found: few" in text
    assert "KFK-DUR-001 warn: few" in text


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
    with connection(gateway) as connected, caplog.at_level("INFO", "warden.enforce.gateway"):
        connected.sendall(create_topics("Explain_Me", correlation_id=4711))
        assert receive(connected)
    record = next(one for one in caplog.records if getattr(one, "correlationId", None) == 4711)
    (tmp_path / "gateway.log").write_text(_JsonLines().format(record) + "\n")
    arguments = ["--cluster", "gate", "--correlation-id", "4711"]
    status, text = explained(tmp_path, capsys, *arguments, names=("gateway.log",))

    assert EXIT_OK == status
    assert "topic Explain_Me: denied POLICY_VIOLATION" in text


BATCH = {
    "decision_id": "5db7",
    "path": "kafka/decisions",
    "timestamp": "2026-11-22T11:00:00.123456789Z",
    "input": {
        "common": {"cluster": "prod-eu", "enforcementPoint": "ci", "principal": {"type": "User", "name": "bob"}},
        "items": {
            "0": {"operation": "CreateTopic", "request": {"topic": "Payments"}},
            "1": {"operation": "CreateTopic", "request": {"topic": "other"}},
        },
    },
    "result": {
        "0": {
            "allowed": False,
            "violations": [
                {"rule": "KFK-GOV-001", "effect": "warn", "message": "no owner", "fix": "", "cause": "caused"},
                {"rule": "KFK-NAM-001", "effect": "deny", "message": "a name", "fix": "write it", "cause": "caused"},
            ],
        },
        "1": {"allowed": True, "violations": []},
    },
}
SINGLE = {
    "decision_id": "6ec8",
    "path": "kafka/decision",
    "timestamp": "2026-11-22T12:00:00Z",
    "input": {"cluster": "dev", "operation": "DeleteTopic", "request": {"topic": "Payments"}},
    "result": {"allowed": False, "errors": ["This server does not host this topic-partition."], "violations": []},
}


@pytest.mark.parametrize(
    ("arguments", "decisions"),
    [
        (["--topic", "Payments"], ["request", "5db7", "6ec8"]),
        (["--topic", "other"], ["5db7"]),
        (["--principal", "User:alice"], ["request"]),
        (["--topic", "Payments", "--principal", "User:bob"], ["5db7"]),
        (["--rule", "KFK-DEL-001"], ["request"]),
        (["--rule", "KFK-NAM-001"], ["5db7"]),
        (["--topic", "Payments", "--since", "2026-11-22T10:30:00Z"], ["5db7", "6ec8"]),
        (["--topic", "Payments", "--since", "2026-11-22T11:00:00"], ["5db7", "6ec8"]),
        (["--since", "2026-11-22T11:30:00+00:00"], ["6ec8"]),
    ],
)
def test_by_what_a_client_can_name(logs, capsys, arguments, decisions):
    """A topic, a time, a principal, a rule, and several together: of a gateway, and of any enforcement point."""
    (logs / "ci.log").write_text("".join(f"{json.dumps(line)}\n" for line in (BATCH, SINGLE)))
    status, text = explained(logs, capsys, *arguments, names=("gateway.log", "ci.log"))
    found = ["request"] * ("correlation id 5" in text) + [id for id in ("5db7", "6ec8") if f"decision {id}" in text]

    assert (EXIT_OK, decisions) == (status, found)


def test_denials_come_first(logs, capsys):
    """With the fix, and what Kafka itself refuses."""
    (logs / "ci.log").write_text("".join(f"{json.dumps(line)}\n" for line in (BATCH, SINGLE)))
    _, text = explained(logs, capsys, "--topic", "Payments", names=("ci.log",))
    head = "2026-11-22T11:00:00.123456789Z prod-eu: CreateTopic Payments of User:bob at ci: denied, decision 5db7"

    violations = ["  KFK-NAM-001 deny: a name", "    fix: write it", "  KFK-GOV-001 warn: no owner"]
    assert [head, *violations] == text.splitlines()[:4]
    assert "  kafka: This server does not host this topic-partition." in text
    document = json.loads(explained(logs, capsys, "--topic", "other", "--output", "json", names=("ci.log",))[1])
    assert ([], ["other"]) == (document["requests"], [one["name"] for one in document["decisions"]])


def test_what_a_client_calls_things_is_one_line_of_visible_characters(logs, capsys):
    """A name cannot steer the terminal, and is no line of its own."""
    names = ("a\x1b]0;b\x07", "c\n2026-11-22T10:00:00Z prod-eu: forged", "d\u202ee\u2028f\x9b2K\tg")
    items = [{**LINE["items"][0], "name": name, "message": name} for name in names]
    violations = [{"rule": "KFK-NAM-001", "effect": "deny", "message": name, "fix": name} for name in names]
    decisions = {str(at): {"allowed": False, "violations": violations} for at, _ in enumerate(names)}
    inputs = {str(at): {"request": {"topic": name}} for at, name in enumerate(names)}
    (logs / "gateway.log").write_text(json.dumps({**LINE, "items": items, "decisionKeys": [""]}))
    (logs / "opa.log").write_text(json.dumps({**DECISION, "input": {"items": inputs}, "result": decisions}))
    for arguments in (["4ca6"], ["--since", "2026-11-22T10:00:00Z"]):
        status, text = explained(logs, capsys, *arguments)

        assert EXIT_OK == status
        assert all(line.isprintable() for line in text.split("\n"))
        assert not any(line.startswith("2026-11-22T10:00:00Z prod-eu: forged") for line in text.split("\n"))
        assert "a\ufffd]0;b\ufffd" in text


@pytest.mark.parametrize(
    "input_", [{"items": {"a": {}}, "common": 5}, {"items": [1], "common": {}}, {"items": {"a": {"request": 1}}}, 5]
)
def test_an_input_that_is_none_is_passed_over(logs, capsys, input_):
    """Anybody who may ask OPA anything may have it log anything: the other lines are still found."""
    entry = {**DECISION, "input": input_, "result": {"a": {"allowed": False}}}
    good = {**DECISION, "input": {"items": {"topics/0": {"request": {"topic": "Payments"}}}}}
    (logs / "opa.log").write_text(f"{json.dumps(entry)}\n{json.dumps(good)}\n")
    status, text = explained(logs, capsys, "--topic", "Payments", names=("opa.log",))

    assert EXIT_OK == status
    assert "KFK-DEL-001 deny: in full" in text


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ({"group": "orders.app"}, "orders.app"),
        ({"broker": "1", "configs": {}}, "1"),
        ({"resource": {"type": "GROUP", "name": "g"}}, "g"),
        ({"entity": {"clientId": "app"}}, "app"),
        ({"acl": {"resourceName": "shop."}}, "shop."),
    ],
)
def test_each_resource_is_found_by_its_name(logs, capsys, request_, name):
    """In a decision log as in a gateway's."""
    entry = {**DECISION, "input": {"items": {"topics/0": {"request": request_}}}}
    (logs / "opa.log").write_text(json.dumps(entry))
    status, text = explained(logs, capsys, "--topic", name, names=("opa.log",))

    assert EXIT_OK == status
    assert f" {name} of nobody" in text


@pytest.mark.parametrize("arguments", [["--principal", "User:alice"], ["--since", "2026-11-22T09:00:00Z"]])
def test_what_no_policy_decides_about_is_found(logs, capsys, arguments):
    """By who did it, or when: it names no resource."""
    line = {key: LINE[key] for key in ("time", "cluster", "principal", "correlationId", "client")}
    line |= {
        "message": "not decided",
        "decided": False,
        "api": "UnregisterController",
        "version": 0,
        "forwarded": "all",
    }
    (logs / "gateway.log").write_text(json.dumps(line))
    status, text = explained(logs, capsys, *arguments, names=("gateway.log",))

    assert EXIT_OK == status
    assert "all of it went on, and no policy decides about it" in text
    assert EXIT_ERROR == explained(logs, capsys, *arguments, "--topic", "a", names=("gateway.log",))[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--topic", "nothing"], "no line is about topic nothing: give the logs"),
        (["--topic", "Payments", "--since", "1m"], "no line is about topic Payments, the time since "),
        (["--since", "soon"], "--since soon: write a span such as 15m, 1h or 2d, or a time in RFC 3339"),
        (["--topic", "Payments", *REQUEST], "Give a decision id or a request, or what both are about"),
    ],
)
def test_what_cannot_be_found(logs, capsys, arguments, said):
    """It is said what was looked for."""
    status, text = explained(logs, capsys, *arguments)

    assert EXIT_ERROR == status
    assert said in " ".join(text.split())


def test_spans():
    """They are before now."""
    now = datetime(2026, 11, 22, 12, tzinfo=UTC)
    spans = {"90s": timedelta(seconds=90), "15m": timedelta(minutes=15), "1h": timedelta(hours=1)}
    spans["2d"] = timedelta(days=2)

    assert {text: now - span for text, span in spans.items()} == {text: parse_since(text, now) for text in spans}
