"""A console that is killed while decisions come in: once it is back, each is there, once."""

import json
import os
import random
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.console.logged import build_event, build_violation
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.seed import SEED
from tests.fixtures.warden_process import WardenProcess

_TOKEN = "upload-token"


@pytest.mark.process
def test_nothing_is_lost_and_nothing_is_there_twice(tmp_path: Path) -> None:
    """Lines of a file that is rotated, and uploads that are sent again where no answer came."""
    numbers = random.Random(SEED)
    log = tmp_path / "opa.json"
    document: dict[str, Any] = {
        "storage": {"path": "console.db", "maxDays": 100_000},
        "decisions": {"files": ["opa.json*"], "receive": {"token": {"env": "UPLOADS"}}},
    }
    written = 0

    def make(count: int) -> list[dict[str, Any]]:
        nonlocal written
        written += count
        return [build_event(f"d-{number}", build_violation()) for number in range(written - count, written)]

    for _ in range(4):
        (tmp_path / "console.log").unlink(missing_ok=True)
        with WardenProcess("console", tmp_path, document, UPLOADS=_TOKEN) as console:
            url = f"http://127.0.0.1:{console.begun['port']}"
            waiting = make(50)
            with log.open("a", encoding="utf-8") as lines:
                lines.writelines(json.dumps(event) + "\n" for event in make(3000))
            _send(url, waiting[:20])
            eventually(partial(_count, url), "something is stored")
            if numbers.random() < 0.5:
                log.rename(f"{log}.{written}")
            os.kill(console.pid, signal.SIGKILL)
        document["decisions"]["files"] = ["opa.json*", "uploads.json"]
        with (tmp_path / "uploads.json").open("a", encoding="utf-8") as lines:
            lines.writelines(json.dumps(event) + "\n" for event in waiting)  # what OPA would send again
    (tmp_path / "console.log").unlink()
    with WardenProcess("console", tmp_path, document, UPLOADS=_TOKEN) as console:
        url = f"http://127.0.0.1:{console.begun['port']}"
        eventually(lambda: _count(url) >= written, f"all {written} are stored")
        _send(url, waiting)

        assert _count(url) == written


def _send(url: str, events: list[dict[str, Any]]) -> None:
    headers = {"Authorization": f"Bearer {_TOKEN}"}
    assert requests.post(f"{url}/logs", json=events, headers=headers, timeout=PATIENCE).status_code == 200


def _count(url: str) -> int:
    lines = requests.get(f"{url}/metrics", timeout=PATIENCE).text.splitlines()
    return next(int(float(line.split()[1])) for line in lines if line.startswith("warden_console_decisions "))
