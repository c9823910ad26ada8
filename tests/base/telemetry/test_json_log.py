"""Seeded secrets in the lines of programs that run on: replicator, gateway, service, webhook and remediator."""

import io
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.policy.opa.seeded import INNOCENT, SEEDED
from warden.base.telemetry.json_log import log_json_lines
from warden.enforce.webhook.events import build_refusal_event

# What a program logs, and what it does not log itself: a library's warnings, a thread that ends.
_PROGRAM = """
import logging, threading
from warden.base.telemetry.json_log import log_json_lines
log_json_lines("warden.state.replicate")
own = logging.getLogger("warden.state.replicate.reader")
own.info("hello", extra={"sources": ["a"], "nothing": None})
try:
    raise ValueError("odd, password=geheim")
except ValueError:
    own.exception("failed")
logging.getLogger("aiohttp.server").error("bad: %s", "Authorization: Bearer geheim-geheim")
logging.getLogger("aiohttp.server").info("not worth a line")
logging.getLogger("kafka.net").warning("again and again")
thread = threading.Thread(target=lambda: int("pwd=geheim"), name="own")
thread.start()
thread.join()
"""
_PROGRAMS = ("replicate", "gateway", "serve", "webhook", "remediate")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What stands on stderr."""
    written = io.StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    return written


@pytest.fixture(params=_PROGRAMS)
def log(
    request: pytest.FixtureRequest, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> Iterator[logging.Logger]:
    """A logger below that of a program, as its modules have them."""
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    name = f"warden.{request.param}"
    log_json_lines(name)
    logger = logging.getLogger(name)
    yield logger.getChild("part")
    logger.handlers.pop()
    logging.getLogger().handlers.pop()
    logger.propagate = True


def test_seeded_secrets(log: logging.Logger, written: io.StringIO) -> None:
    """A message, its fields, what is nested in them, an exception's text and what led to it."""
    found = []
    for secret, document in SEEDED:
        before = len(written.getvalue())
        _write(log, document)
        lines = written.getvalue()[before:].splitlines()
        assert 3 <= len(lines)
        found += [line for line in lines if secret in line]
        assert all(line["time"] and line["message"] for line in map(json.loads, lines))

    assert [] == found


def _write(log: logging.Logger, document: dict[str, Any]) -> None:
    log.info("decided", extra={"document": document, "items": [{"request": document}]})
    log.info("decided", extra=document if len(document) == 1 and "args" not in document else {})
    for text in (value for value in document.values() if isinstance(value, str) and not value.startswith("Zq")):
        log.warning("refused: %s", text, extra={"error": f"Invalid value {text}", "reasons": [text]})
        try:
            raise ValueError(text)
        except ValueError:
            log.exception("a defect")
    log.info("nothing to see")


def test_lines_of_every_day(log: logging.Logger, written: io.StringIO) -> None:
    """What looks like a secret and is none stays as it is, and what leads to one too."""
    for document in INNOCENT:
        log.info("decided", extra={"document": document})
    log.info("the token of sasl.jaas.config is spent")
    log.info("OPA cannot be reached at http://127.0.0.1:8181: password=abc is refused", extra={"clientId": "a-1"})
    *documents, spent, cut = map(json.loads, written.getvalue().splitlines())

    assert INNOCENT == [line["document"] for line in documents]
    assert "the token of sasl.jaas.config is spent" == spent["message"]
    assert ("OPA cannot be reached at http://127.0.0.1:8181:***", "a-1") == (cut["message"], cut["clientId"])


def test_events() -> None:
    """The note of an event, which all may read who see the namespace."""
    said = [
        (secret, build_refusal_event({"kind": "Deployment"}, f"{text} is no demand")["note"])
        for secret, document in SEEDED
        for text in document.values()
        if isinstance(text, str) and text != secret
    ]

    assert 20 <= len(said)
    assert [] == [note for secret, note in said if secret in note]


@pytest.mark.process
def test_all_that_is_written() -> None:
    """Every line is an object with time, level and message, whoever wrote it; secrets are in none."""
    done = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in done.stderr.splitlines()]

    assert "geheim" not in done.stderr
    assert [
        ("info", "hello"),
        ("error", "failed"),
        ("error", "bad: Authorization: ***"),
        ("critical", "a thread has ended"),
    ] == [(line["level"], line["message"]) for line in lines]
    hello, failed, _, ended = lines
    assert (["a"], False) == (hello["sources"], "nothing" in hello)
    assert failed["trace"].startswith("Traceback")
    assert failed["trace"].endswith("odd,***")
    assert "own" == ended["source"]
    assert ended["trace"].endswith("ValueError: invalid literal for int() with base 10: ***")
