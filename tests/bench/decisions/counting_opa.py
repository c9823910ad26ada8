"""An OPA that counts what decisions cost: it compiles once, where `opa bench` and `opa eval` do so each time."""

import json
import os
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import requests

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.base.http.ports import find_free_port
from warden.base.process.closing import ManagedProgram

__all__ = ["CountingOpa"]

# What is measured answers as shortly as what it is compared with.
_MEASURED = """package measured

decision if data.kafka.decision

decisions if data.kafka.decisions

nothing if _one == 1

_one := 1
"""
_EVALUATED = re.compile(r"(?P<file>\S*?)(:\d+)? +(\| )*Eval ")
_MALLOCS = re.compile(r"^# Mallocs = (\d+)$", re.MULTILINE)


class CountingOpa(ManagedProgram):
    """An OPA with one bundle, on one core, without authorization.

    Args:
        program: OPA's program.
        bundle: The bundle, unsigned.
        directory: Where its files are kept.
    """

    def __init__(self, program: Path, bundle: Path, directory: Path) -> None:
        self._program, self._bundle, self._directory = program, bundle, directory
        self._url = f"http://127.0.0.1:{find_free_port()}"
        self._session = requests.Session()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start OPA, and wait until it decides."""
        beside = self._directory / "measured"
        beside.mkdir(parents=True)
        (beside / "measured.rego").write_text(_MEASURED, encoding="utf-8")
        (beside / ".manifest").write_text(json.dumps({"roots": ["measured"]}), encoding="utf-8")
        options = ["--pprof", "--log-level=error", "--skip-version-check", f"--addr={self._url.partition('//')[2]}"]
        command = [str(self._program), "run", "--server", *options, "--bundle", str(self._bundle), str(beside)]
        # Without samples of what allocates, OPA's page of memory has a few lines.
        environment = {**os.environ, "GOMAXPROCS": "1", "GODEBUG": "memprofilerate=0"}
        with (self._directory / "log").open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        eventually(self._is_ready, "OPA serves the bundle")
        for path in ("decision", "decisions", "nothing"):  # the first of a kind is prepared
            self._session.post(f"{self._url}/v1/data/measured/{path}", json={"input": {}}, timeout=PATIENCE)

    def stop(self) -> None:
        """End OPA."""
        self._session.close()
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def replicate(self, clusters: dict[str, Any]) -> None:
        """Replace what lies under ``data.clusters``."""
        self._session.put(f"{self._url}/v1/data/clusters", json=clusters, timeout=PATIENCE).raise_for_status()

    def evaluate(self, query: str, decision_input: Any) -> Any:
        """Return what a query comes to, as `evaluations` takes it."""
        return self._query(query, decision_input, {})["result"][0]["found"]

    def evaluations(self, query: str, decision_input: Any) -> dict[str, int]:
        """Return how often an expression is evaluated, by the file that it stands in: what OPA's profiler counts.

        Args:
            query: Such as ``data.kafka.decision``, with or without replacements of documents.
            decision_input: Its input.
        """
        events = self._query(query, decision_input, {"explain": "full", "pretty": "true"})["explanation"]
        found = Counter(match["file"].lstrip("/") for event in events if (match := _EVALUATED.match(event)))
        assert not [file for file in found if file.startswith("...")], f"OPA has shortened names of files: {found}"
        return dict(found)

    def allocations(self, path: str, decision_input: Any, times: int = 10) -> float:
        """Return how many objects OPA allocates for one evaluation, without those of HTTP and of reading the input.

        Args:
            path: ``decision`` or ``decisions``.
            decision_input: The input.
            times: Evaluations that it is the mean of.
        """
        body = json.dumps({"input": decision_input}).encode()
        allocated = [self._allocated_by(measured, body, times) for measured in (path, "nothing")]
        return (allocated[0] - allocated[1]) / times

    def _allocated_by(self, measured: str, body: bytes, times: int) -> int:
        before = self._allocated()
        for _ in range(times):
            self._post(measured, body)
        return self._allocated() - before

    def _allocated(self) -> int:
        """Objects allocated since OPA was started; Go counts them exactly where it writes this page."""
        answer = self._session.get(f"{self._url}/debug/pprof/allocs?debug=1", timeout=PATIENCE)
        answer.raise_for_status()
        found = _MALLOCS.search(answer.text)
        assert found, answer.text
        return int(found[1])

    def _post(self, measured: str, body: bytes) -> None:
        answer = self._session.post(f"{self._url}/v1/data/measured/{measured}", data=body, timeout=PATIENCE)
        assert answer.json() == {"result": True}, answer.text

    def _query(self, query: str, decision_input: Any, parameters: dict[str, str]) -> dict[str, Any]:
        body = json.dumps({"query": f"found = {query}", "input": decision_input})
        answer = self._session.post(f"{self._url}/v1/query", data=body, params=parameters, timeout=PATIENCE)
        assert answer.ok, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def _is_ready(self) -> bool:
        assert self._process
        assert self._process.poll() is None, (self._directory / "log").read_text("utf-8")
        try:
            return self._session.get(f"{self._url}/health?bundles", timeout=PATIENCE).ok
        except requests.ConnectionError:
            return False
