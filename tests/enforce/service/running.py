"""A service in a thread of this process, and a client of it."""

from collections.abc import Callable
from typing import Any, Protocol

import requests

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fixtures.server_thread import ServerThread
from warden.enforce.service.config import ServiceConfig
from warden.enforce.service.server import ServiceServer

__all__ = ["Caller", "RunningService", "Serve"]

Serve = Callable[..., "RunningService"]


class RunningService(ServerThread[ServiceServer]):
    """Serves a configuration until it is stopped.

    Args:
        config: The configuration.
    """

    def __init__(self, config: ServiceConfig) -> None:
        super().__init__(lambda: ServiceServer(config, "127.0.0.1", 0), "http" if config.tls is None else "https")

    def waits(self) -> int:
        """Return how many requests wait for a change now."""
        assert self._server is not None
        users = [
            clients for _, changes in self._server._clusters.values() for clients in list(changes._events.values())
        ]
        return sum(len(event._waiters) for clients in users for event in list(clients.values()))


class _Addressed(Protocol):
    @property
    def url(self) -> str: ...


class Caller:
    """Somebody who asks a service.

    Args:
        service: The service.
        token: The token; None for none.
    """

    def __init__(self, service: _Addressed, token: str | None) -> None:
        self._service, self._headers = service, {} if token is None else {"Authorization": f"Bearer {token}"}

    def post(self, path: str, body: Any, **headers: str) -> requests.Response:
        """Send a request; an underscore of a header's name stands for a dash."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return requests.post(
            f"{self._service.url}/v1/{path}", json=body, headers=self._headers | given, timeout=PATIENCE
        )

    def raw(self, path: str, content: bytes, media_type: str = "application/json", **headers: str) -> requests.Response:
        """Send what need not be JSON; an underscore of a header's name stands for a dash."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        headers = {**self._headers, "Content-Type": media_type, **given}
        return requests.post(f"{self._service.url}/v1/{path}", data=content, headers=headers, timeout=PATIENCE)

    def alter(self, user: str | None, client: str | None = "", **values: str | None) -> dict[str, Any]:
        """Alter an entity, as often as the service says to ask again, and return its entry; None removes."""

        def alter() -> list[requests.Response]:
            answer = self.post("client-configs/alter", {"entries": [entry(user, client, **values)]})
            return [] if answer.status_code == 503 else [answer]

        (answer,) = eventually(alter, "it is stored")
        assert answer.status_code == 200, answer.text
        (one,) = answer.json()["entries"]
        return dict(one)

    def resolve(self, client: str | None = None, **headers: str) -> requests.Response:
        """Resolve a client of the caller's own."""
        return self.post("client-configs/resolve", {} if client is None else {"clientId": client}, **headers)


def entry(user: str | None, client: str | None = "", **values: str | None) -> dict[str, Any]:
    """An entry of the KIP's request to alter; None removes, and "" is not a client-id."""
    parts = [{"entityType": "user", "entityName": user}]
    if client != "":
        parts.append({"entityType": "client-id", "entityName": client})
    keys = {name.replace("_", "."): value for name, value in values.items()}
    ops = [{"key": key, **({"remove": True} if value is None else {"value": value})} for key, value in keys.items()]
    return {"entity": parts, "ops": ops}
