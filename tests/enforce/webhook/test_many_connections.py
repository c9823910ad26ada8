"""Ten thousand clients of the webhook that never finish, of every kind: reviews are answered among them."""

import resource
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from tests.enforce.webhook.faulty_opa import FaultyOpa
from tests.enforce.webhook.process import WebhookProcess
from tests.enforce.webhook.test_review import review
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.soak.figures import sample
from warden.base.process.open_files import allow_open_files

pytestmark = [pytest.mark.oracle, pytest.mark.process]

_HEAD = b"POST /mutate?timeout=10s HTTP/1.1\r\nHost: a\r\n"
_SENT = (None, b"", _HEAD, _HEAD + b"Content-Length: 900\r\n\r\n{")  # the first of them does not even begin TLS
_THING = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}}
_CLIENTS = 10_000
_MEMORY = 500.0  # MiB more; a third of it those that have begun no TLS, which end after ten seconds


@pytest.fixture
def webhook(tmp_path) -> Iterator[WebhookProcess]:
    """One that asks an OPA which allows."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    allow_open_files()
    with FaultyOpa() as opa:
        opa.faults = ["fixed"]
        config = f"opa: {{url: '{opa.url}', pause: 0, timeout: {PATIENCE:g}}}\n"
        with WebhookProcess(tmp_path, config) as running:
            yield running
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def _connect(webhook: WebhookProcess, context: ssl.SSLContext, sent: bytes | None) -> socket.socket:
    host, _, port = webhook.address.partition(":")
    plain = socket.create_connection((host, int(port)), PATIENCE)
    if sent is None:
        return plain
    connection = context.wrap_socket(plain, server_hostname=host)
    connection.sendall(sent)
    return connection


def test_ten_thousand_that_never_finish(webhook: WebhookProcess) -> None:
    """Memory and files stay within those of two thousand and of unfinished TLS, and all is given back."""
    clients = min(_CLIENTS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 500)
    context = ssl.create_default_context(cafile=str(webhook.authority.certificate))
    before = sample(webhook.pid)
    with ExitStack() as opened:
        for number in range(clients):
            opened.enter_context(closing(_connect(webhook, context, _SENT[number % len(_SENT)])))
            if number % 1000 == 0:
                assert webhook.send(review(_THING)).json()["response"]["allowed"]
        during = sample(webhook.pid)
        assert webhook.send(review(_THING)).json()["response"]["allowed"]
    print(f"{clients} connections: {before}; then {during}")

    assert during.memory < before.memory + _MEMORY
    eventually(lambda: sample(webhook.pid).descriptors <= before.descriptors + 5, "all files are given back")
    assert [] == [line for line in webhook.lines() if line["level"] == "ERROR"]
