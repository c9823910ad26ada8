"""A real broker and a running OPA for the commands that change topics."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixtures.patience import PATIENCE
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.local import LocalOpa

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def opa(few_opa: LocalOpa) -> LocalOpa:
    """An OPA under whose settings only a few rules deny."""
    return few_opa


@pytest.fixture
def warden(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line and returns its exit status, what it printed, and what it said on stderr."""
    from warden.commands import main

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["warden", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out, printed.err

    return run


@pytest.fixture
def topics(warden: Run, broker: LocalBroker, opa: LocalOpa) -> Run:
    """Runs a verb of `warden topics` against the broker, asking the OPA."""

    def run(verb: str, *arguments: str) -> tuple[int, str, str]:
        where = ["--bootstrap-server", broker.bootstrap_servers, "--opa-url", opa.url, "--opa-token"]
        where += [opa.tokens.query, "--timeout", str(PATIENCE)]
        return warden("topics", verb, *where, "--principal", "User:alice", *arguments)

    return run


@pytest.fixture
def partitions_file(tmp_path: Path) -> Callable[..., str]:
    """Writes a JSON file as Kafka's own tools read it."""

    def write(*partitions: dict[str, object], version: int = 1) -> str:
        path = tmp_path / "partitions.json"
        path.write_text(json.dumps({"version": version, "partitions": list(partitions)}), encoding="utf-8")
        return str(path)

    return write
