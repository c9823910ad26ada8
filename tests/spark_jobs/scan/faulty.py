"""Endpoints of OPA that fail on purpose; they travel to Spark's tasks, and each does its harm once."""

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any, Generic, TypeVar

import requests

from spark_jobs.common.job_opa import SparkHost
from warden.opa.client import OpaClient
from warden.opa.endpoints import RemoteOpa
from warden.opa.per_host import HostOpa

__all__ = ["BundleChange", "ExecutorKiller", "OpaKiller", "Proxy"]

Post = Callable[[str, bytes], bytes]
OpaEndpoint = TypeVar("OpaEndpoint", HostOpa, RemoteOpa)


def once(marker: Path) -> bool:
    """Whether nobody was here before, in whatever process."""
    try:
        marker.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


@dataclass(frozen=True)
class _Harmful(Generic[OpaEndpoint]):
    """An endpoint that does harm before a task's third request, once in all tasks.

    Args:
        endpoint: The endpoint that is called.
        marker: The file that says that it was done.
    """

    endpoint: OpaEndpoint
    marker: Path

    @contextmanager
    def open(self, in_flight: int, task: int) -> Iterator[Post]:
        numbers = count(1)
        with self.endpoint.open(in_flight, task) as post:

            def harmful(path: str, body: bytes) -> bytes:
                if next(numbers) == 3 and once(self.marker):
                    self.harm()
                return post(path, body)

            yield harmful

    def client(self) -> OpaClient:
        return self.endpoint.client()

    def harm(self) -> None:
        raise NotImplementedError


@dataclass(frozen=True)
class OpaKiller(_Harmful[HostOpa]):
    """Kills this host's OPA."""

    def harm(self) -> None:
        state = self.endpoint.state()
        assert state
        os.kill(state["pid"], signal.SIGKILL)


@dataclass(frozen=True)
class ExecutorKiller(_Harmful[HostOpa]):
    """Kills the executor of the first task that has called once."""

    @contextmanager
    def open(self, in_flight: int, task: int) -> Iterator[Post]:
        with self.endpoint.open(in_flight, task) as post:

            def harmful(path: str, body: bytes) -> bytes:
                answer = post(path, body)
                if once(self.marker):
                    os.kill(SparkHost().owner(), signal.SIGKILL)
                    time.sleep(60)
                return answer

            yield harmful


@dataclass(frozen=True)
class BundleChange(_Harmful[RemoteOpa]):
    """Puts another bundle in the place of OPA's own, and waits until OPA decides with it."""

    bundle: Path
    other: Path

    def harm(self) -> None:
        with self.client() as client:
            before = client.revision()
        shutil.copy(self.other, self.bundle.with_name("new"))
        self.bundle.with_name("new").replace(self.bundle)
        with self.client() as client:
            while client.revision() == before:
                time.sleep(0.1)


class Proxy:
    """Stands before an OPA. ``fault`` gets the body of a request and returns (status, body), or None to pass it on."""

    def __init__(self, url: str, fault: Callable[[bytes], tuple[int, bytes] | None]) -> None:
        self.requests = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                answer = None
                if self.path.endswith(("/kafka/decisions", "/kafka/audit_parts/names")):
                    outer.requests += 1
                    answer = fault(body)
                if answer is None:
                    headers = {"Authorization": self.headers["Authorization"], "Accept-Encoding": "identity"}
                    passed = requests.post(url + self.path, data=body, headers=headers, timeout=120)
                    answer = passed.status_code, passed.content
                try:
                    self.send_response(answer[0])
                    self.send_header("Content-Length", str(len(answer[1])))
                    self.end_headers()
                    self.wfile.write(answer[1])
                except OSError:
                    pass  # the caller has lost patience

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()

    def stop(self) -> None:
        """Stop."""
        self._server.shutdown()
        self._server.server_close()
