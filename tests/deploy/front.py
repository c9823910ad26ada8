"""The front of deploy/front as its users start it: front.sh with nginx, before an OPA."""

import http.client
import os
import ssl
from collections.abc import Mapping
from pathlib import Path

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from warden.base.http.ports import find_free_port, is_listening
from warden.base.process.child_process import Process
from warden.base.process.closing import ManagedProgram

__all__ = ["Front"]


class Front(ManagedProgram):
    """front.sh in a process; a context manager that starts it and waits until it listens.

    Args:
        nginx: The program.
        opa: Address of the OPA behind it.
        directory: Where it writes.
        variables: Its variables of callers, certificates and tokens.

    Attributes:
        port: Where it listens on 127.0.0.1.
        log: What it and nginx say.
    """

    def __init__(self, nginx: Path, opa: str, directory: Path, variables: Mapping[str, str]) -> None:
        self.port, self.log = find_free_port(), directory / "front.log"
        self._environment = {
            "PATH": os.environ["PATH"],
            "WARDEN_FRONT_NGINX": str(nginx),
            "WARDEN_FRONT_OPA": opa,
            "WARDEN_FRONT_LISTEN": f"127.0.0.1:{self.port}",
            "WARDEN_FRONT_DIRECTORY": str(directory / "run"),
            "WARDEN_FRONT_POLL_SECONDS": "0.1",
            **variables,
        }
        self._process: Process | None = None

    def start(self) -> None:
        """Start, and return when it listens."""
        script = str(CHECKOUT / "deploy/front/front.sh")
        self._process = process = Process(["/bin/sh", script], self._environment, self.log)
        eventually(lambda: is_listening(self.port) or not process.is_alive, "the front listens")
        assert process.is_alive, self.log.read_text(encoding="utf-8")

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.stop()
            self._process = None

    def ask(
        self,
        method: str,
        path: str,
        token: str = "",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> tuple[int, str]:
        """Send one request, and return status and text of the answer."""
        where = ("127.0.0.1", self.port)
        connection = (
            http.client.HTTPSConnection(*where, timeout=120, context=tls)
            if tls
            else http.client.HTTPConnection(*where, timeout=120)
        )
        sent = {**({"Authorization": f"Bearer {token}"} if token else {}), **(headers or {})}
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()
