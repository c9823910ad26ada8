"""A webhook that decides nothing: what the API server spends on asking any webhook at all."""

import json
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aiohttp import web

from warden.base.http.ports import find_free_port

__all__ = ["bare_webhook"]


@contextmanager
def bare_webhook(certificate: Path, key: Path) -> Iterator[str]:
    """Start the webhook as a process of its own, and yield its URL.

    Args:
        certificate: What it serves with, as PEM.
        key: The certificate's key.
    """
    port = find_free_port()
    command = [sys.executable, "-m", __spec__.name, str(port), str(certificate), str(key)]
    process = subprocess.Popen(command, text=True, stdout=subprocess.PIPE)
    try:
        if process.stdout is None or not process.stdout.readline():
            raise RuntimeError("the bare webhook has not started")
        yield f"https://127.0.0.1:{port}/mutate"
    finally:
        process.terminate()
        process.wait(30)


async def _allow(request: web.Request) -> web.Response:
    review = json.loads(await request.read())
    answer = {"uid": review["request"]["uid"], "allowed": True, "warnings": ["decided by nobody"]}
    return web.json_response({**{name: review[name] for name in ("apiVersion", "kind")}, "response": answer})


def _main(port: str, certificate: str, key: str) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    application = web.Application()
    application.router.add_post("/mutate", _allow)
    web.run_app(
        application,
        host="127.0.0.1",
        port=int(port),
        ssl_context=context,
        print=lambda *_: print("started", flush=True),
    )


if __name__ == "__main__":
    _main(*sys.argv[1:])
