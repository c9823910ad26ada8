"""What stands in OPA's place and misbehaves when it is to; otherwise it passes requests on to a real OPA."""

import json
from threading import Event, Thread
from typing import Any

import requests

from tests.fixtures import http
from tests.fixtures.patience import PATIENCE
from warden.base.http.server import HttpServer
from warden.base.process.closing import ManagedProgram

__all__ = ["FaultyOpa"]

_FAULTS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "undefined": (200, {}, b"{}"),
    "empty": (200, {}, b""),
    "garbage": (200, {}, b"\x00\xff{"),
    "no object": (200, {}, b'{"result": 3}'),
    "null annotation": (200, {}, b'{"result": {"annotations": {"a": null}}}'),
    "a proxy's page": (502, {"Content-Type": "text/html"}, b"<html><body>Bad Gateway</body></html>"),
    "busy": (429, {"Retry-After": "0"}, b'{"code": "too_many_requests", "message": "come back"}'),
    "away for an hour": (503, {"Retry-After": "3600"}, b'{"code": "unavailable", "message": "come back"}'),
    "forbidden": (401, {}, b'{"code": "unauthorized", "message": "no valid token"}'),
    "conflict": (
        500,
        {},
        b'{"code": "internal_error", "message": "error(s) occurred", "errors": [{"code": "eval_conflict_error"}]}',
    ),
    "denied": (200, {}, b'{"result": {"errors": ["no"]}}'),
    "fixed": (200, {}, b'{"result": {"annotations": {"a": "1"}}}'),
}


class FaultyOpa(ManagedProgram):
    """A server on loopback; a context manager.

    Args:
        url: Of the real OPA; none is needed while there is a fault.

    Attributes:
        faults: What happens to the next requests, one after the other, the last for all that follow: a name of a fault,
            ``slow`` (no answer until it stops), ``closed`` (the connection is), or ``none``.
        requests: (path, Authorization) of all that came but for looks at KFK-PLC-003.
        bodies: The body of each of these.
        without_decision: What a look at KFK-PLC-003 is answered, whatever the fault.
    """

    def __init__(self, url: str = "") -> None:
        self.faults: list[str] = ["none"]
        self.requests: list[tuple[str, str]] = []
        self.bodies: list[bytes] = []
        self.without_decision: dict[str, Any] | None = None
        self._opa, self._stopped = url, Event()
        self._server = HttpServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def start(self) -> None:
        """Serve."""
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self) -> None:
        """Stop, and let go of what waits."""
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, path: str, token: str, body: bytes) -> tuple[int, dict[str, str], bytes] | None:
        if path.partition("?")[0].endswith("/without_decision"):
            said = {} if self.without_decision is None else {"result": self.without_decision}
            return 200, {}, json.dumps(said).encode()
        self.requests.append((path, token))
        self.bodies.append(body)
        fault = self.faults.pop(0) if len(self.faults) > 1 else self.faults[0]
        if fault == "slow":
            self._stopped.wait(120)
        if fault in ("slow", "closed"):
            return None
        if fault != "none":
            return _FAULTS[fault]
        headers = {"Authorization": token, "Content-Type": "application/json"}
        answer = requests.post(self._opa + path, data=body, headers=headers, timeout=PATIENCE)
        return answer.status_code, {}, answer.content


def _handler(opa: FaultyOpa) -> type[http.Handler]:
    class Handler(http.Handler):
        def respond(self) -> None:
            answer = opa._answer(self.path, self.headers.get("Authorization", ""), self.body())
            if answer is None:
                self.close_connection = True
                return
            status, headers, content = answer
            self.answer(status, content, headers)

    return Handler
