"""Endpoints of OPA that fail on purpose; they travel to Spark's tasks, and each does its harm once."""

import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Generic, TypeVar

import requests

from spark_jobs.common.job_opa import SparkHost
from tests.fixtures import http
from warden.policy.opa.client import OpaClient
from warden.policy.opa.endpoints import RemoteOpa
from warden.policy.opa.per_host import HostOpa

__all__ = ["BundleChange", "ExecutorKiller", "OpaKiller", "Proxy", "proxied"]

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

    def build_client(self) -> OpaClient:
        return self.endpoint.build_client()

    def harm(self) -> None:
        raise NotImplementedError


@dataclass(frozen=True)
class OpaKiller(_Harmful[HostOpa]):
    """Kills this host's OPA."""

    def harm(self) -> None:
        state = self.endpoint.read_launch_record()
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
                    os.kill(SparkHost().find_owner(), signal.SIGKILL)
                    time.sleep(60)
                return answer

            yield harmful


@dataclass(frozen=True)
class BundleChange(_Harmful[RemoteOpa]):
    """Puts another bundle in the place of OPA's own, and waits until OPA decides with it."""

    bundle: Path
    other: Path

    def harm(self) -> None:
        with self.build_client() as client:
            before = client.read_revision()
        shutil.copy(self.other, self.bundle.with_name("new"))
        self.bundle.with_name("new").replace(self.bundle)
        with self.build_client() as client:
            while client.read_revision() == before:
                time.sleep(0.1)


@dataclass
class Proxy:
    """What stands before an OPA: its address, and how many questions came."""

    url: str = ""
    requests: int = 0


@contextmanager
def proxied(url: str, fault: Callable[[bytes], tuple[int, bytes] | None]) -> Iterator[Proxy]:
    """Stand before an OPA. ``fault`` gets the body of a request and returns (status, body), or None to pass it on."""
    made = Proxy()

    class Handler(http.Handler):
        def respond(self) -> None:
            body = self.body()
            answer = None
            if self.path.endswith(("/kafka/decisions", "/kafka/audit_parts/names")):
                made.requests += 1
                answer = fault(body)
            if answer is None:
                headers = {"Authorization": self.headers["Authorization"], "Accept-Encoding": "identity"}
                passed = requests.post(url + self.path, data=body, headers=headers, timeout=120)
                answer = passed.status_code, passed.content
            self.answer(*answer)

    with http.served(Handler) as made.url:
        yield made
