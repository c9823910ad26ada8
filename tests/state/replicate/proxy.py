"""A proxy in front of a real OPA that fails as a test tells it to, and counts what passes."""

import http.client
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.fixtures.http import Handler, served
from tests.fixtures.patience import PATIENCE

Fault = Callable[[str, str], int | float | None]
"""From (method, path): a status to answer with in OPA's place, a float to wait for so many seconds, None to pass."""


@dataclass
class Proxy:
    """What the proxy does, and what it has seen: requests by method."""

    url: str
    fault: Fault = lambda _method, _path: None
    seen: Counter[str] = field(default_factory=Counter)


@contextmanager
def proxy(target: str) -> Iterator[Proxy]:
    """Serve on loopback until the end of the block."""
    host = urlsplit(target).netloc

    class Proxied(Handler):
        def respond(self) -> None:
            body = self.body()
            made.seen[self.command] += 1
            fault = made.fault(self.command, self.path)
            if isinstance(fault, float):
                time.sleep(fault)
            if isinstance(fault, int):
                return self.answer(fault, b'{"code": "internal_error", "message": "made up"}')
            connection = http.client.HTTPConnection(host, timeout=PATIENCE)
            try:
                connection.request(self.command, self.path, body, dict(self.headers))
                answer = connection.getresponse()
                return self.answer(answer.status, answer.read())
            except OSError:
                return self.answer(502, b"{}")
            finally:
                connection.close()

    with served(Proxied) as url:
        made = Proxy(url)
        yield made
