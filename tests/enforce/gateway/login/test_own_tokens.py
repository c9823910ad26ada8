"""Delegation tokens that clients make for themselves, on a real broker: a long-lived one is denied, others are made."""

import contextlib
import socket
from collections.abc import Mapping
from typing import Any

import pytest

from tests.enforce.gateway.frames import decode_response, raw_request
from tests.enforce.gateway.login.accounts import PASSWORD, with_account
from tests.enforce.gateway.login.creations import exchange
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.test_administration import versions
from tests.enforce.gateway.test_faults import receive
from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from warden.enforce.gateway.login.upstream import Credentials, log_in

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

HOUR = 3_600_000
_NOT_FOUND = 62


@pytest.fixture(scope="module")
def ways(tmp_path_factory, gateway_opa, replicate, token_broker):
    """Addresses of `token_broker`, and of a gateway before it under which tokens live for an hour at most."""
    with_account(token_broker, "alice")
    clusters = [
        {"name": "logins", "authentication": "sasl", "brokers": {1: token_broker.sasl_bootstrap_servers}},
    ]
    config = write_config(tmp_path_factory.mktemp("own-tokens") / "gateway.yaml", gateway_opa, clusters)
    with RunningGateway(config) as running:
        yield {"gate": running.address(0), "direct": token_broker.sasl_bootstrap_servers}


@pytest.fixture
def send(ways):
    """What sends a request of alice's one of both ways."""
    with contextlib.ExitStack() as stack:
        sockets = {way: stack.enter_context(logged_in(address)) for way, address in ways.items()}

        def send(way: str, name: str, version: int, fields: Mapping[str, Any]) -> Mapping[str, Any]:
            sockets[way].sendall(raw_request(name, version, fields))
            return decode_response(name, version, receive(sockets[way]))

        yield send


@contextlib.contextmanager
def logged_in(address):
    """A socket on which alice has logged in."""
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connected:
        exchange(connected, log_in(Credentials("alice", PASSWORD, "SCRAM-SHA-256")))
        yield connected


def token(lifetime: int) -> dict[str, Any]:
    """A request for a token of alice's."""
    return {"ownerPrincipalType": None, "ownerPrincipalName": None, "renewers": [], "maxLifetimeMs": lifetime}


@pytest.mark.parametrize("version", versions("CreateDelegationToken"))
def test_tokens(send, version):
    """One that lives too long, or as long as the brokers let it, is not made; one of an hour is."""
    long, unnamed, hour = (
        send("gate", "CreateDelegationToken", version, token(lifetime)) for lifetime in (HOUR + 1, -1, HOUR)
    )

    assert [44, 44, 0] == [one["errorCode"] for one in (long, unnamed, hour)]
    assert [b"", b""] == [long["hmac"], unnamed["hmac"]]
    assert HOUR == hour["maxTimestampMs"] - hour["issueTimestampMs"]


@pytest.mark.parametrize(
    ("name", "field"), [("RenewDelegationToken", "renewPeriodMs"), ("ExpireDelegationToken", "expiryTimePeriodMs")]
)
def test_the_end_of_tokens(send, name, field):
    """It is put off for an hour at most; of a token that is there, and of one that is not, the broker has the word."""
    hmac = send("direct", "CreateDelegationToken", 3, token(HOUR))["hmac"]
    unknown = [send(way, name, 2, {"hmac": b"none", field: 1000}) for way in ("gate", "direct")]

    def end() -> Mapping[str, Any] | None:
        answered = send("gate", name, 2, {"hmac": hmac, field: 1000})
        return None if answered["errorCode"] == _NOT_FOUND else answered

    assert 44 == send("gate", name, 2, {"hmac": hmac, field: HOUR + 1})["errorCode"]
    assert 0 == eventually(end, "the broker knows the token")["errorCode"]
    assert unknown[0] == unknown[1]
    assert _NOT_FOUND == unknown[0]["errorCode"]
