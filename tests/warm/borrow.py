"""Fixtures' way to a program: a warm one where the keeper has it, else one that is started here."""

import json
import os
import pickle
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any
from unittest import mock

from tests.fixtures.conditions import eventually
from tests.warm.socket_address import find_socket, hash_sources
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import Bundle
from warden.policy.opa.local import LocalOpa

__all__ = ["BorrowedProcess", "borrow", "open_broker", "open_opa", "open_spark"]

_ANSWER_SECONDS = 5.0


@dataclass(frozen=True)
class BorrowedProcess:
    """A process of somebody else's, with the members of `warden.base.process.child_process.Process` that count.

    Args:
        pid: Its process id.
        supervisor_pid: That of the process that stops it at SIGTERM.
    """

    pid: int
    supervisor_pid: int

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        try:
            state = Path(f"/proc/{self.supervisor_pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        return state != "Z"

    def stop(self) -> None:
        """Stop it, and return when it has ended. May be called again."""
        with suppress(ProcessLookupError):
            os.kill(self.supervisor_pid, signal.SIGTERM)
        eventually(lambda: not self.is_alive, "the borrowed program has ended")


@contextmanager
def borrow(kind: str, options: Mapping[str, Any]) -> Iterator[dict[str, Any] | None]:
    """Yield how to reach a program that nobody has used; None where there is none, which the next run finds then.

    Args:
        kind: As of `tests.warm.spare`.
        options: How it is to be started; JSON.
    """
    socket = find_socket()
    if socket is None:
        yield None
        return
    try:
        connection = Client(str(socket), "AF_UNIX")
    except OSError:  # no keeper
        yield None
        return
    with connection:  # its end gives the program back
        answer = None
        with suppress(EOFError, OSError):  # the keeper ends just now
            connection.send((kind, json.dumps(options, sort_keys=True), hash_sources()))
            answer = connection.recv() if connection.poll(_ANSWER_SECONDS) else None
        yield None if answer is None else pickle.loads(answer)


@contextmanager
def open_broker(
    *, properties: Mapping[str, str] | None = None, sasl_users: Mapping[str, str] | None = None
) -> Iterator[LocalBroker]:
    """Yield a broker that runs and is empty; the arguments are those of `LocalBroker`."""
    properties, sasl_users = dict(properties or {}), dict(sasl_users or {})
    broker = LocalBroker(properties=properties, sasl_users=sasl_users)
    with borrow("broker", {"properties": properties, "sasl_users": sasl_users}) as state:
        vars(broker).update(state or {})
        with broker:
            yield broker


@contextmanager
def open_opa(bundle: Bundle, program: Path, settings: Path | None = None) -> Iterator[LocalOpa]:
    """Yield an OPA that decides with a bundle, and to which nobody has written.

    Args:
        bundle: Of the checkout's policies.
        program: OPA.
        settings: The file with the bundle's settings; None for those that ship.
    """
    text = None if settings is None else settings.read_text(encoding="utf-8")
    with borrow("opa", {"settings": text}) as state:
        if state is None or state.pop("revision") != bundle.revision:
            with LocalOpa(bundle, opa=program) as opa:
                yield opa
            return
        opa = LocalOpa(bundle, opa=program, directory=state["directory"])
        vars(opa).update(state)
        with opa:
            yield opa


@contextmanager
def open_spark(configs: Mapping[str, str]) -> Iterator[Any]:
    """Yield a Spark session on two cores, in a JVM that has run a query.

    Args:
        configs: Spark's configuration.
    """
    from pyspark.java_gateway import launch_gateway

    from spark_jobs.common.session import open_spark_session

    with borrow("spark", dict(configs)) as state:

        def connect(*arguments: Any) -> Any:
            with mock.patch.dict(os.environ, state or {}):
                return launch_gateway(*arguments)

        launching = mock.patch("pyspark.core.context.launch_gateway", connect)
        with launching, open_spark_session("local[2]", configs) as session:
            yield session
