"""Uploads of decisions by OPAs: ``POST /logs``, as their plugin ``decision_logs`` does it."""

import hashlib
import hmac
from functools import partial
from typing import Final

from aiohttp import web

from warden.base.files.secret import Secret
from warden.base.http.app import read_body
from warden.console.intake.texts import read_upload
from warden.console.pages.context import Console
from warden.enforce.service.callers import Unauthorized

__all__ = ["upload_routes"]

_MAX_BYTES: Final = 64 * 1024 * 1024  # of a body, unpacked


def upload_routes(console: Console) -> list[web.RouteDef]:
    """Return the path, where OPAs may upload."""
    receive = console.config.decisions.receive
    return [] if receive is None else [web.post("/logs", partial(_receive, console, receive.token))]


async def _receive(console: Console, token: Secret, request: web.Request) -> web.Response:
    """Store what is sent, and answer once it is on the disk: OPA sends again what is not answered."""
    scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(_hash(sent.strip()), _hash(token.read())):
        raise Unauthorized("uploads need the token of decisions.receive: Authorization: Bearer …")
    content = await read_body(request.clone(client_max_size=_MAX_BYTES))
    new = await console.run(lambda: console.store.add(read_upload(content, console.opa.read_owner_label())))
    return web.json_response({"new": new})


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
