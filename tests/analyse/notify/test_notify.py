"""Messages about a run, posted to a receiver on this machine: to whom, in which form, and how often."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from click.testing import CliRunner

from tests.analyse.report.conftest import WAIVER, decision, violation, written_run
from warden.analyse.notify.config import read_notify_config
from warden.analyse.notify.run_notify import DeliveryResult, notify, select_new_since_last
from warden.analyse.report.finished_run import Run, open_run
from warden.analyse.report.new_findings import select_new
from warden.base.errors import ConfigurationError, InputError
from warden.commands import command as warden

CHANNEL = {"name": "a", "format": "json", "url": {"env": "U"}}
TODAY = date(2026, 11, 24)


class Receiver(ThreadingHTTPServer):
    """Keeps what is posted, and answers with the statuses that it is given, then with 200.

    Attributes:
        posts: Path, token and body of each post.
        statuses: The answers to come.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.posts: list[tuple[str, str | None, dict[str, Any]]] = []
        self.statuses: list[int] = []

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        """Take a message."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.posts.append((self.path, self.headers["Authorization"], body))
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        self.send_response(status)
        self.send_header("Location", f"{self.server.url}/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver that runs."""
    with Receiver() as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def _write_run(directory: Path, at: str, *decisions: dict[str, Any]) -> Run:
    names = ("run_id", "revision", "cluster", "topic", "owner", "kind", "resource", "input_hash")
    findings = [{**{name: row[name] for name in names}, **each} for row in decisions for each in row["violations"]]
    run = written_run(directory, list(decisions), findings)
    summary = json.loads((run / "summary.json").read_text())
    (run / "summary.json").write_text(json.dumps({**summary, "evaluated_at": at, "run_id": directory.name}))
    return open_run(run)


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Run, Run]:
    """A run, and one of the next night with something new for two owners and for nobody."""
    known = decision("prod", "old", violation("KFK-A", "high"), owner="payments")
    waived = decision("prod", "kept", violation("KFK-W", "high", "waived", waiver=WAIVER), owner="risk")
    before = _write_run(tmp_path / "runs" / "monday", "2026-11-23T02:00:00Z", known, waived)
    after = _write_run(
        tmp_path / "runs" / "tuesday",
        "2026-11-24T02:00:00Z",
        known,
        waived,
        *(decision("prod", f"t{i}", violation("KFK-A", "high"), owner="payments") for i in range(12)),
        decision("prod", "<!channel>", violation("KFK-B", "low", "warn", message="a\nb & c"), owner="orders"),
        decision("prod", "dry", violation("KFK-C", "high", "dryrun"), owner="dry"),
        decision("prod", "free", violation("KFK-A", "critical")),
    )
    return before, after


def _config(tmp_path: Path, receiver: Receiver, *channels: dict[str, Any], **more: Any) -> Path:
    for name in ("url", "token"):
        (tmp_path / name).write_text(f"{receiver.url}/secret-path\n" if name == "url" else "token\n")
    named = [{"name": f"c{i}", "format": "json", "url": {"file": "url"}, **each} for i, each in enumerate(channels)]
    path = tmp_path / "notify.yaml"
    path.write_text(json.dumps({"channels": named, "sent": "sent.json", **more}))
    return path


def _send(runs: tuple[Run, Run], config: Path, **options: Any) -> list[DeliveryResult]:
    return list(notify(runs[1], select_new(*runs), read_notify_config(config), today=TODAY, pause=0.001, **options))


def test_each_owner_and_waiver_gets_one(tmp_path: Path, receiver: Receiver, runs: tuple[Run, Run]) -> None:
    """What is new and denies or warns is summed up by owner; the ten most severe are named; a waiver says its end."""
    config = _config(tmp_path, receiver, {}, link="https://reports/{run}/report.html")
    sent = _send(runs, config)
    bodies = [body for _, _, body in receiver.posts]

    assert ["sent"] * 4 == [each.status for each in sent]
    assert [
        "Resources without an owner: 1 new finding since monday (1 critical)",
        "orders: 1 new finding since monday (1 low)",
        "payments: 12 new findings since monday (12 high)",
        "Waiver W-1 of risk ends in 7 days (2026-12-01)",
    ] == [body["title"] for body in bodies]
    assert {"https://reports/tuesday/report.html"} == {body["link"] for body in bodies}
    assert ["low KFK-B (warn): <!channel> on prod: a b & c. Fix: do"] == bodies[1]["lines"]
    assert 11 == len(bodies[2]["lines"])
    assert "and 2 more" == bodies[2]["lines"][-1]
    assert ["1 finding of KFK-W will deny or warn again", "GRC-1: legal hold"] == bodies[3]["lines"]


def test_at_most_one_a_day(tmp_path: Path, receiver: Receiver, runs: tuple[Run, Run]) -> None:
    """A second call of the day sends nothing, one of the next day does, and a dry run is no call."""
    config = _config(tmp_path, receiver, {})

    assert {"not sent"} == {each.status for each in _send(runs, config, send=False)}
    assert {"sent"} == {each.status for each in _send(runs, config)}
    assert {"sent before"} == {each.status for each in _send(runs, config)}
    assert 4 == len(receiver.posts)
    later = notify(runs[1], select_new(*runs), read_notify_config(config), today=date(2026, 11, 25), pause=0.001)
    assert {"sent"} == {each.status for each in later}
    assert 8 == len(receiver.posts)


@pytest.mark.parametrize(
    ("channel", "subjects"),
    [
        ({"owners": ["orders", "risk"]}, ["findings of orders", "waiver W-1"]),
        ({"about": ["waivers"]}, ["waiver W-1"]),
        ({"about": ["findings"], "severity": "high"}, ["findings without an owner", "findings of payments"]),
        ({"owners": ["nobody"]}, []),
    ],
)
def test_what_a_channel_gets(
    tmp_path: Path, receiver: Receiver, runs: tuple[Run, Run], channel: dict[str, Any], subjects: list[str]
) -> None:
    """A channel is about owners, kinds of messages and severities."""
    assert subjects == [each.message.subject for each in _send(runs, _config(tmp_path, receiver, channel))]


def test_forms(tmp_path: Path, receiver: Receiver, runs: tuple[Run, Run]) -> None:
    """Slack's text mentions nobody, Teams' card has its text as it is, a token goes along."""
    slack, teams = {"format": "slack"}, {"format": "teams", "token": {"file": "token"}}
    _send(runs, _config(tmp_path, receiver, slack, teams, link="https://reports/{run}"))
    texts, cards = ([body for _, sent, body in receiver.posts if sent == token] for token in (None, "Bearer token"))

    line = "• low KFK-B (warn): &lt;!channel&gt; on prod: a b &amp; c. Fix: do"
    title = "*orders: 1 new finding since monday (1 low)*"
    assert f"{title}\n{line}\n<https://reports/tuesday|Report>" == texts[1]["text"]
    (attachment,) = cards[1]["attachments"]
    assert "application/vnd.microsoft.card.adaptive" == attachment["contentType"]
    title, line = (block["inlines"][0]["text"] for block in attachment["content"]["body"])
    assert "orders: 1 new finding since monday (1 low)" == title
    assert "low KFK-B (warn): <!channel> on prod: a b & c. Fix: do" == line
    assert "https://reports/tuesday" == attachment["content"]["actions"][0]["url"]


def test_a_netrc_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, receiver: Receiver, runs: tuple[Run, Run]
) -> None:
    """A channel gets its own token, and one without a token none of a file beside it."""
    (tmp_path / "netrc").write_text("default login u password p\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    _send(runs, _config(tmp_path, receiver, {}, {"token": {"file": "token"}}))

    assert {None: 4, "Bearer token": 4} == Counter(sent for _, sent, _ in receiver.posts)


@pytest.mark.parametrize(
    ("statuses", "status", "posts", "error"),
    [
        ([503, 429, 500], "sent", 4, None),
        ([500, 500, 500, 500], "failed", 4, "channel c0: answers 500, waiver W-1 was not sent: see its url and token"),
        ([404], "failed", 1, "channel c0: answers 404, waiver W-1 was not sent: see its url and token"),
        ([302], "failed", 1, "channel c0: answers 302, waiver W-1 was not sent: see its url and token"),
    ],
)
def test_a_service_that_fails(
    tmp_path: Path, receiver: Receiver, runs: tuple[Run, Run], statuses: list[int], status: str, posts: int, error: Any
) -> None:
    """It is called again where that may help, never by a redirect; what failed is sent by the next call."""
    config = _config(tmp_path, receiver, {"about": ["waivers"]})
    receiver.statuses = list(statuses)
    (first,) = _send(runs, config)

    assert (status, error, posts) == (first.status, first.error, len(receiver.posts))
    assert {"/secret-path"} == {path for path, _, _ in receiver.posts}
    (second,) = _send(runs, config)
    assert ("sent before" if status == "sent" else "sent") == second.status


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1:1/secret-path", "cannot be reached (ConnectionError), waiver W-1 was not sent"),
        ("https://hooks..slack.com/secret-path", "its url is not http:// or https:// with a host: write the whole"),
    ],
)
def test_one_that_fails_keeps_no_other(
    tmp_path: Path, receiver: Receiver, runs: tuple[Run, Run], url: str, said: str
) -> None:
    """The command sends the rest, names what failed without its address, and ends with 2."""
    (tmp_path / "bad").write_text(url)
    config = _config(tmp_path, receiver, {"url": {"file": "bad"}, "about": ["waivers"]}, {})
    config.write_text(config.read_text().replace('"sent.json"', '"sent.json", "waiverDays": 365'))
    arguments = ["notify", str(tmp_path / "runs" / "tuesday"), "--config", str(config)]
    done = CliRunner().invoke(warden, arguments, standalone_mode=False)

    assert 2 == done.return_value
    assert f"failed: c0: channel c0: {said}" in done.stdout
    assert "sent: c1: payments: 12 new findings since monday (12 high)" in done.stdout
    assert "secret-path" not in done.output
    again = CliRunner().invoke(warden, [*arguments, "--dry-run", "--output", "json"], standalone_mode=False)
    assert 0 == again.return_value
    assert ["not sent"] + ["sent before"] * 4 == [each["status"] for each in json.loads(again.stdout)["notifications"]]


def test_a_proxy_that_is_no_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, receiver: Receiver, runs: tuple[Run, Run]
) -> None:
    """A message that it keeps from being sent is one that fails."""
    monkeypatch.setenv("http_proxy", "http://proxy..example:3128")
    monkeypatch.delenv("no_proxy", raising=False)
    (tmp_path / "hook").write_text("http://hooks.example/secret-path")
    (failed,) = _send(runs, _config(tmp_path, receiver, {"url": {"file": "hook"}, "about": ["waivers"]}))

    assert "failed" == failed.status
    assert "channel c0: cannot be reached (LocationParseError), waiver W-1 was not sent" in str(failed.error)


def test_the_run_before(runs: tuple[Run, Run]) -> None:
    """It is the newest whole run that is older, whatever its name."""
    new = select_new_since_last(runs[1])

    assert new.baseline_summary is not None
    assert "monday" == new.baseline_summary.run_id
    assert runs[0] is select_new_since_last(runs[0])


def test_without_a_run_before(tmp_path: Path, receiver: Receiver, runs: tuple[Run, Run]) -> None:
    """All findings are new then, and the message does not say since when."""
    config = read_notify_config(_config(tmp_path, receiver, {"owners": ["payments"]}))
    (only,) = notify(runs[0], runs[0], config, today=TODAY)

    assert "payments: 1 new finding (1 high)" == only.message.title


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"channels": [], "sent": "s"}, "channels is empty: "),
        ({"channels": [{**CHANNEL, "format": "email"}], "sent": "s"}, "slack, teams or json"),
        ({"channels": [{**CHANNEL, "url": "http://x"}], "sent": "s"}, "a secret is never in this file"),
        ({"channels": [CHANNEL, CHANNEL], "sent": "s"}, "channel a is named twice"),
        ({"channels": [CHANNEL]}, "sent"),
    ],
)
def test_wrong_configuration(tmp_path: Path, document: dict[str, Any], said: str) -> None:
    """Each mistake has its place and what to write."""
    (tmp_path / "notify.yaml").write_text(json.dumps(document))

    with pytest.raises(ConfigurationError, match=said):
        read_notify_config(tmp_path / "notify.yaml")


@pytest.mark.parametrize("content", ["{", "[]", '{"day": "x", "sent": []}', '{"day": "2026-11-24", "sent": [1]}'])
def test_a_damaged_file_of_what_was_sent(
    tmp_path: Path, receiver: Receiver, runs: tuple[Run, Run], content: str
) -> None:
    """Nothing is sent, since nobody knows what was."""
    config = _config(tmp_path, receiver, {})
    (tmp_path / "sent.json").write_text(content)

    with pytest.raises(InputError, match=r"sent\.json"):
        _send(runs, config)
    assert [] == receiver.posts
