"""Decision logs as a source: what a real OPA wrote to its console, what it uploaded, and what is damaged."""

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.fixtures import http
from tests.fixtures.patience import PATIENCE
from warden.base.resources import find_shipped
from warden.policy.bundle.build import Bundle
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.spark, pytest.mark.opa]

STATE = {
    "clusterSize": 3,
    "topics": {"t": {"numPartitions": 1, "replicationFactor": 1, "configs": {"sasl.jaas.config": "secret"}}},
}
COMMON = {"operation": "AuditTopic", "cluster": "c", "now": "2026-11-21T02:00:00Z", "clusterState": STATE}
_SOON = {"min_delay_seconds": 1, "max_delay_seconds": 1}
ITEMS = {"a/1 %": {"request": {"topic": "t"}}, "b": {"request": {"topic": "missing"}}}


@dataclass
class Logs:
    """What OPA has uploaded of its decision log."""

    url: str = ""
    decided: list[str] = field(default_factory=list)
    all_came: threading.Event = field(default_factory=threading.Event)


@contextmanager
def uploads(directory: Path) -> Iterator[Logs]:
    """Take uploads of a decision log: each chunk becomes a file, as it came."""
    made = Logs()

    class Handler(http.Handler):
        def respond(self) -> None:
            body = self.body()
            (directory / f"{len(list(directory.iterdir()))}.json.gz").write_bytes(body)
            self.answer(200)
            made.decided += [event["path"] for event in json.loads(gzip.decompress(body))]
            if {"kafka/decision", "kafka/decisions", "kafka/lists/check"} <= set(made.decided):
                made.all_came.set()

    with http.served(Handler) as made.url:
        yield made


@pytest.fixture(scope="module")
def logged(shipped_bundle: Bundle, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, dict[str, Any]]:
    """(console log, directory of uploads, what was answered) of an OPA that decided one input and one batch."""
    directory = tmp_path_factory.mktemp("logs")
    (directory / "uploads").mkdir()
    with uploads(directory / "uploads") as logs:
        config = yaml.safe_load(find_shipped("deploy/opa-config.yaml").read_text(encoding="utf-8"))
        config["services"]["audit"] = {"url": logs.url}
        config["decision_logs"] = {"console": True, "service": "audit", "reporting": _SOON}
        (directory / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
        server = LocalOpa(shipped_bundle, config=directory / "config.yaml", directory=directory / "opa")
        with server as opa, opa.build_client() as client:
            one = client.decide({**COMMON, **ITEMS["b"]})
            many = client.decide_many(ITEMS, COMMON)
            client.decide_many(ITEMS, {**COMMON, "operation": "AuditTopic", "enforcementPoint": "scan"})
            client.evaluate("kafka/lists/check", {"component": "topic", "name": "cleanup.policy", "value": "compact"})
            assert logs.all_came.wait(PATIENCE)
    return opa.log, directory / "uploads", {"revision": shipped_bundle.revision, "one": one, "many": many}


@pytest.mark.parametrize("source", ["console", "uploads"])
def test_what_opa_logged(spark: Any, logged: Any, source: str) -> None:
    """Console lines and gzipped chunks say the same: a row for each decision, with its input and what is masked."""
    from spark_jobs.common.schemas import LOGGED_DECISION
    from spark_jobs.sources.decision_log import read_decisions

    console, uploads, answered = logged
    frame = read_decisions(spark, console if source == "console" else uploads)
    rows = {row["key"]: row for row in frame.collect()}

    assert LOGGED_DECISION.simpleString() == frame.schema.simpleString()
    assert {None, "a/1 %", "b"} == rows.keys()
    assert [{answered["revision"]}, {None}] == [
        {r["revision"] for r in rows.values()},
        {r["problem"] for r in rows.values()},
    ]
    hidden = json.loads(json.dumps(COMMON).replace('"secret"', '"***"'))
    single, batched = rows[None], rows["a/1 %"]
    assert ("kafka/decision", None, ["/input"]) == (single["path"], single["common"], single["masked"])
    assert ({**hidden, **ITEMS["b"]}, answered["one"]) == (json.loads(single["item"]), json.loads(single["result"]))
    assert ("kafka/decisions", hidden, ITEMS["a/1 %"], answered["many"]["a/1 %"]) == (
        batched["path"],
        json.loads(batched["common"]),
        json.loads(batched["item"]),
        json.loads(batched["result"]),
    )
    assert batched["decision_id"] != single["decision_id"]
    assert batched["timestamp"].startswith("20")


def test_damaged_lines_are_rows(spark: Any, tmp_path: Path) -> None:
    """A line that cannot be read is there with its reason; OPA's other lines are not; numbers keep their spelling."""
    from spark_jobs.sources.decision_log import read_decisions

    event = (
        '{"decision_id":"d","path":"kafka/decision","input":{"x":1.0,"y":123456789012345678901},"error":{"code":"e"}}'
    )
    empty = '{"decision_id":"e","path":"kafka/decisions","input":{"common":{}},"result":{}}'
    with gzip.open(tmp_path / "chunk.gz", "wt") as chunk:
        chunk.write(f"[{event}\n,{empty}\n]\n")
    lines = [event, '{"level":"info","msg":"Server started."}', '{"decision_id":"cut', f"[{event},{event}]", ""]
    foreign = (event.replace('"d"', '"é"').encode("latin-1"), event.encode("utf-16"))
    (tmp_path / "console.log").write_bytes(b"\n".join([*map(str.encode, lines), *foreign]))
    rows = read_decisions(spark, [tmp_path]).collect()

    problems = sorted((row["problem"], (row["item"] or "").replace("\ufffd", "")) for row in rows if row["problem"])
    said = f"{tmp_path}/console.log: the line is not JSON of a decision log, in UTF-8"
    foreign_texts = [event.replace('"d"', '""'), '{"decision_id":"cut', event]
    assert [*((said, text) for text in sorted(foreign_texts)), ("the batch has no items", "")] == sorted(
        problems, key=lambda problem: (problem[0] != said, problem[1])
    )
    good = [row for row in rows if not row["problem"]]
    assert [('{"x":1.0,"y":123456789012345678901}', '{"code":"e"}', None)] * 4 == [
        (row["item"], row["error"], row["result"]) for row in good
    ]
