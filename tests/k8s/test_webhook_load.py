"""A thousand objects at once at a real API server, while the webhook's certificate is replaced."""

import asyncio
import json
import ssl
from collections import Counter

import aiohttp
import pytest
import yaml

from tests.fixtures.conditions import eventually
from tests.k8s.remediators import PREFERENCES
from tests.k8s.webhooks import PLACED, Server, register, thing
from tests.webhook.process import WebhookProcess

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

TOTAL = 1000
AT_ONCE = 100  # connections


def test_a_thousand_at_once_while_the_certificate_is_replaced(control_plane, opa, clusters, namespace, tmp_path):
    """Each is placed; none is refused, before, while, and after the webhook gets another certificate."""
    server = Server(control_plane, namespace("many"))
    (tmp_path / "token").write_text(opa.tokens.query, encoding="utf-8")
    # All of the API server's patience (30 s) for one attempt: none may be lost, however slow the machine is.
    document = {"url": opa.url, "token": {"file": str(tmp_path / "token")}, "timeout": 24, "attempts": 1}
    with (
        WebhookProcess(tmp_path / "webhook", yaml.safe_dump({"opa": document})) as webhook,
        register(control_plane, webhook),
    ):
        eventually(
            lambda: PREFERENCES in server.send("POST", thing(name="a"), query="?dryRun=All").text, "it is called"
        )
        found = _storm(control_plane, server, webhook)
        after = server.send("POST", thing(generateName="after-"))
    control_plane.api("DELETE", server.path)

    assert {"placed": TOTAL} == found
    assert PLACED == after.json()["metadata"]["annotations"][PREFERENCES]


def _storm(control_plane, server, webhook):
    """Create all at once, replace the certificate half-way, and count what has become of each."""
    trust = ssl.create_default_context(cafile=str(control_plane.authority.certificate))
    headers = {"Authorization": f"Bearer {control_plane.admin_token}"}
    url, body = f"{control_plane.url}{server.path}", thing(generateName="many-")
    found: Counter[str] = Counter()

    async def create(session: aiohttp.ClientSession, number: int) -> None:
        if number == TOTAL // 2:
            await asyncio.to_thread(webhook.issue)
        async with session.post(url, json=body) as answer:
            text = await answer.text()
        annotations = json.loads(text).get("metadata", {}).get("annotations", {})
        found["placed" if annotations.get(PREFERENCES) == PLACED else text] += 1

    async def storm() -> None:
        connector = aiohttp.TCPConnector(limit=AT_ONCE, ssl=trust)
        timeout = aiohttp.ClientTimeout(total=None)
        async with aiohttp.ClientSession(connector=connector, headers=headers, timeout=timeout) as session:
            await asyncio.gather(*(create(session, number) for number in range(TOTAL)))

    asyncio.run(storm())
    return found
