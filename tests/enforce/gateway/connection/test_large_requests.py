"""Requests that take long to decode: they are decided beside the loop, in their order, and other clients go on."""

import threading

import pytest

from tests.enforce.gateway.frames import create_topics, raw_request
from tests.enforce.gateway.test_faults import client, errors_of, receive
from tests.fixtures.patience import PATIENCE
from warden.enforce.gateway.connection.connection import ClientConnection

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

LIST_GROUPS = raw_request("ListGroups", 3, b"\0", 2)


def test_other_clients_go_on(gateway, monkeypatch):
    """While one request is taken apart, which is held up here, another connection is answered."""
    begun, go_on = threading.Event(), threading.Event()
    take = ClientConnection.handle_deferred

    def slow(self):
        begun.set()
        assert go_on.wait(PATIENCE)
        take(self)

    monkeypatch.setattr(ClientConnection, "handle_deferred", slow)
    names = [f"Large_{n}" for n in range(1000)]
    with client(gateway) as busy, client(gateway) as other:
        busy.sendall(create_topics(*names) + LIST_GROUPS)
        assert begun.wait(PATIENCE)
        other.sendall(LIST_GROUPS)
        assert receive(other)
        go_on.set()
        assert [44] * len(names) == [code for code, _ in errors_of(receive(busy))]
        assert LIST_GROUPS[8:12] == receive(busy)[4:8]
