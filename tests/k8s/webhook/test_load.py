"""A thousand objects at once, each on a connection of its own, while the webhook's certificate is replaced."""

import asyncio
import json
import resource
import ssl
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
import pytest
import yaml

from tests.enforce.webhook.process import WebhookProcess
from tests.fixtures.conditions import eventually
from tests.k8s.remediation.remediators import PREFERENCES
from tests.k8s.webhook.webhooks import PLACED, Server, register, thing
from warden.base.process.open_files import allow_open_files

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

TOTAL = 1000
LATE = ("did not answer", "context deadline exceeded", "Client.Timeout", "was closed")  # for want of time alone
USUAL = 1024  # files that a process may have open unless it asks for more


def test_a_thousand_at_once_while_the_certificate_is_replaced(control_plane, opa, clusters, namespace, tmp_path):
    """Each is placed; none is refused, before, while, and after the webhook gets another certificate."""
    server = Server(control_plane, namespace("many"))
    (tmp_path / "token").write_text(opa.tokens.query, encoding="utf-8")
    # All of the API server's patience (30 s) for one attempt: none may be lost, however slow the machine is.
    document = {"url": opa.url, "token": {"file": str(tmp_path / "token")}, "timeout": 24, "attempts": 1}
    webhook = WebhookProcess(tmp_path / "webhook", yaml.safe_dump({"opa": document}))
    with _open_files(), webhook, register(control_plane, webhook):
        allow_open_files()
        eventually(
            lambda: PREFERENCES in server.send("POST", thing(name="a"), query="?dryRun=All").text, "it is called"
        )
        for at_once in (TOTAL, TOTAL // 4, TOTAL // 16):  # a slow machine has not decided so many within 24 s
            found = _storm(control_plane, server, webhook, at_once)
            if not any(late in text for text in found for late in LATE):
                break
        after = server.send("POST", thing(generateName="after-"))
    control_plane.api("DELETE", server.path)

    assert {"placed": TOTAL} == found
    assert PLACED == after.json()["metadata"]["annotations"][PREFERENCES]


@contextmanager
def _open_files() -> Iterator[None]:
    """Start processes with the usual limit of open files for a while."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (USUAL, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def _storm(control_plane, server, webhook, at_once):
    """Create all, so many at once, replace the certificate half-way, and count what has become of each."""
    trust = ssl.create_default_context(cafile=str(control_plane.authority.certificate))
    headers = {"Authorization": f"Bearer {control_plane.admin_token}"}
    url, body = f"{control_plane.url}{server.path}", thing(generateName="many-")
    found: Counter[str] = Counter()

    async def create(session: aiohttp.ClientSession, number: int) -> None:
        if number == TOTAL // 2:
            await asyncio.to_thread(webhook.issue)
        try:
            async with session.post(url, json=body) as answer:
                text = await answer.text()
        except aiohttp.ClientConnectionError as error:  # the API server waits for no client that is slow to write
            found[f"a connection was closed: {error}"] += 1
            return
        annotations = json.loads(text).get("metadata", {}).get("annotations", {})
        found["placed" if annotations.get(PREFERENCES) == PLACED else text] += 1

    async def storm() -> None:
        connector = aiohttp.TCPConnector(limit=at_once, ssl=trust)
        timeout = aiohttp.ClientTimeout(total=None)
        async with aiohttp.ClientSession(connector=connector, headers=headers, timeout=timeout) as session:
            await asyncio.gather(*(create(session, number) for number in range(TOTAL)))

    asyncio.run(storm())
    return found
