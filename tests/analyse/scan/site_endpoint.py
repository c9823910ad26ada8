"""A server of a site's rules to one OPA, as a bundle: OPA holds a request until there are others."""

import gzip
import io
import json
import re
import tarfile
from collections.abc import Mapping
from http import HTTPStatus
from threading import Condition

from warden.base.http.server import HttpServer, SilentHandler

__all__ = ["ROOTS", "SiteEndpoint"]

ROOTS = ["site/rules"]
_MEDIA_TYPE = "application/vnd.openpolicyagent.bundles"  # by it OPA knows that its requests may be held
_WAIT = re.compile(r"\bwait=(\d+)")


class SiteEndpoint:
    """A loopback server of one bundle, as long as it is not stopped.

    Of modules that are put one by one OPA reads and compiles all policies twice for each; of a bundle once.

    Attributes:
        url: Base URL; the bundle lies at every path below it.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._number, self._content = 0, b""
        self._server = HttpServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._server.start("site")

    def publish(self, modules: Mapping[str, str]) -> str:
        """Serve other modules from now on, and return the revision of their bundle.

        Args:
            modules: Path → text.
        """
        with self._changed:
            self._number += 1
            self._content = _pack(modules, str(self._number))
            self._changed.notify_all()
            return str(self._number)

    def stop(self) -> None:
        """Stop serving and close the port."""
        self._server.stop()

    def _next(self, etag: str, seconds: float) -> tuple[str, bytes]:
        """The bundle that is not the one named, as soon as there is one; the same after some seconds."""
        with self._changed:
            self._changed.wait_for(lambda: f'"{self._number}"' != etag, seconds)
            return f'"{self._number}"', self._content

    def _handler(self) -> type[SilentHandler]:
        endpoint = self

        class Handler(SilentHandler):
            def get(self) -> None:
                known = self.headers.get("If-None-Match", "")
                wait = _WAIT.search(self.headers.get("Prefer", ""))
                etag, content = endpoint._next(known, float(wait[1]) if wait else 0.0)
                if etag == known:
                    self.answer(HTTPStatus.NOT_MODIFIED, b"", _MEDIA_TYPE, ETag=etag)
                else:
                    self.answer(HTTPStatus.OK, content, _MEDIA_TYPE, ETag=etag)

        return Handler


def _pack(modules: Mapping[str, str], revision: str) -> bytes:
    files = {".manifest": json.dumps({"revision": revision, "roots": ROOTS}), **modules}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, text in files.items():
            content = text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), 1)
