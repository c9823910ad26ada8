"""A console in a thread of this process, and requests to it."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import requests
import yaml

from tests.fixtures.patience import PATIENCE
from warden.base.process.running import Running
from warden.console.config import ConsoleConfig, read_console_config
from warden.console.server import ConsoleServer

__all__ = ["RunningConsole", "write_config"]


def write_config(directory: Path, **document: Any) -> ConsoleConfig:
    """Write a configuration file with these keys, and read it as `warden console` does."""
    path = directory / "console.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return read_console_config(path)


class RunningConsole(Running):
    """Serves a configuration until it is stopped.

    Args:
        config: The configuration.
        token: What requests are sent with; None for none.
    """

    def __init__(self, config: ConsoleConfig, token: str | None = None) -> None:
        self.url = ""
        self.token = token
        self._config = config
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._ready = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def start(self) -> None:
        """Start it, and return once it listens."""
        self._thread.start()
        self._ready.wait(PATIENCE)
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Stop it."""
        if self._loop is not None and self._stop is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def get(self, path: str, token: str | None = None, **headers: str) -> requests.Response:
        """Request a path, with the console's token unless another is given."""
        token = token or self.token
        given = {} if token is None else {"Authorization": f"Bearer {token}"}
        return requests.get(self.url + path, headers={**given, **headers}, timeout=PATIENCE, allow_redirects=False)

    def json(self, path: str, token: str | None = None) -> Any:
        """Return the document of a page."""
        answer = self.get(path, token, Accept="application/json")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def _serve(self) -> None:
        try:
            self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
            async with ConsoleServer(self._config, "127.0.0.1", 0) as server:
                self.url = f"http://127.0.0.1:{server.port}"
                self._ready.set()
                await self._stop.wait()
        except BaseException as error:
            self._error = error
        finally:
            self._ready.set()
