"""A console in a thread of this process, and requests to it."""

from pathlib import Path
from typing import Any

import requests
import yaml

from tests.fixtures.patience import PATIENCE
from tests.fixtures.server_thread import ServerThread
from warden.console.config import ConsoleConfig, read_console_config
from warden.console.server import ConsoleServer

__all__ = ["RunningConsole", "write_config"]


def write_config(directory: Path, **document: Any) -> ConsoleConfig:
    """Write a configuration file with these keys, and read it as `warden console` does."""
    path = directory / "console.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return read_console_config(path)


class RunningConsole(ServerThread[ConsoleServer]):
    """Serves a configuration until it is stopped.

    Args:
        config: The configuration.
        token: What requests are sent with; None for none.
    """

    def __init__(self, config: ConsoleConfig, token: str | None = None) -> None:
        super().__init__(lambda: ConsoleServer(config, "127.0.0.1", 0), "http" if config.tls is None else "https")
        self.token = token

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
