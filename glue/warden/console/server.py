"""The console as a server: its port, its probes, and its end."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from warden.base.http.app import AsyncHttpServer, serve_application
from warden.base.tls.listener import build_optional_login_context
from warden.console.app import build_app
from warden.console.config import ConsoleConfig
from warden.console.gate import Gate
from warden.console.intake.files import Intake
from warden.console.pages.context import Console
from warden.console.policy.engine import PolicyOpa
from warden.console.store.decision_store import DecisionStore
from warden.console.store.sqlite_store import SqliteDecisions

__all__ = ["ConsoleServer"]

_LOG = logging.getLogger("warden.console")
_SHUTDOWN_SECONDS: Final = 5.0
_THREADS: Final = 8


class ConsoleServer(AsyncHttpServer):
    """Serves a configuration. An asynchronous context manager.

    Args:
        config: The configuration.
        host: Address to listen on.
        port: Port; 0 for a free one.

    Raises:
        ConfigurationError: On entering: the address cannot be had, a token cannot be read, or anybody could look.
    """

    log = _LOG

    def __init__(self, config: ConsoleConfig, host: str, port: int) -> None:
        self.port = port
        self._config, self._host = config, host
        self._stack = AsyncExitStack()
        self._intake: Intake | None = None
        self._store: DecisionStore | None = None

    async def _start(self) -> None:
        gate, tls = Gate(self._config, self._host), build_optional_login_context(self._config.tls, _LOG)
        pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="console")
        self._stack.callback(pool.shutdown, wait=False, cancel_futures=True)
        opa = self._stack.enter_context(PolicyOpa(self._config))
        self._store = store = self._stack.enter_context(self._open_store())
        self._intake = self._stack.enter_context(Intake(self._config.decisions.files, store, opa.read_owner_label))
        console = Console(self._config, opa, pool, store, asyncio.Event())
        app = build_app(console, gate, self._report_readiness, partial(_encode_metrics, store, self._intake))
        serving = serve_application(app, (self._host, self.port), tls=tls, shutdown_seconds=_SHUTDOWN_SECONDS)
        self.port = await self._stack.enter_async_context(serving)
        self._stack.callback(store.announce)
        self._stack.callback(console.ending.set)

    def _open_store(self) -> DecisionStore:
        storage, path = self._config.storage, self._config.storage.path
        if storage.postgresql is not None:
            from warden.console.store.postgres_store import PostgresDecisions

            return PostgresDecisions(storage.postgresql, storage.max_rows, storage.max_days)
        if path is None:
            path = Path(self._stack.enter_context(TemporaryDirectory(prefix="warden-console-"))) / "console.db"
        return SqliteDecisions(path, storage.max_rows, storage.max_days)

    async def _report_readiness(self) -> dict[str, Any]:
        problem = (self._intake.problem if self._intake else None) or (self._store.problem if self._store else None)
        return {"ready": problem is None, "intake": problem}

    async def _stop(self) -> None:
        await self._stack.aclose()


def _encode_metrics(store: DecisionStore, intake: Intake, _accepted: str) -> tuple[bytes, str]:
    registry = CollectorRegistry()
    for name, about, value in (
        ("decisions", "Decisions in the store.", store.rows),
        ("lines_unread", "Lines of followed files that were no JSON, since the start.", intake.unread),
        ("intake_failing", "Whether decisions cannot be taken in.", int(intake.problem is not None)),
        ("store_failing", "Whether the store of decisions does not answer.", int(store.problem is not None)),
    ):
        Gauge(f"warden_console_{name}", about, registry=registry).set(value)
    return generate_latest(registry), CONTENT_TYPE_LATEST
