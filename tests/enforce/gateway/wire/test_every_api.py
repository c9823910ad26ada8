"""Each API of Kafka's in each version that is carried: what passes is the same bytes, what is refused goes nowhere."""

from contextlib import suppress

import pytest

from tests.enforce.gateway.frames import connection, raw_request, taken
from warden.enforce.gateway.wire.addresses import has_addresses
from warden.enforce.gateway.wire.apis import APIS
from warden.enforce.gateway.wire.codec import Undecodable
from warden.enforce.gateway.wire.frames import ProtocolError, encode_frame


def body(api, version):
    """What no API has for a body; to Produce it says that all replicas shall acknowledge."""
    return (b"\0\xff\xff" if api.is_flexible(version) else b"\xff" * 4) + bytes(range(100))


def versions(handling):
    """APIs that are handled so, in each version."""
    return [
        (api, version)
        for api in APIS.values()
        if api.handling == handling and api.versions is not None
        for version in range(api.advertised[0], api.advertised[1] + 1)
    ]


def test_what_passes_is_the_same_bytes():
    """Requests, and the responses that have no addresses and no versions, whatever is in them."""
    answer = encode_frame(b"\0\0\0\x01", bytes(range(100)))
    tried = set()
    for api, version in versions("pass"):
        if api.name in ("Metadata", "SaslHandshake", "SaslAuthenticate"):
            continue
        core, request = connection(), raw_request(api.name, version, body(api, version))
        core.receive_from_client(request)
        assert (b"", request) == taken(core), api
        if api.name != "ApiVersions" and not has_addresses(api.key, version):
            core.receive_from_broker(answer)
            assert (answer, b"") == taken(core), api
            assert core.idle
            tried.add(api.name)

    assert {"StreamsGroupDescribe", "ShareAcknowledge", "ConsumerGroupHeartbeat", "EndTxn"} <= tried


@pytest.mark.parametrize("handling", ["guard", "refuse"])
def test_nothing_of_what_is_no_request_goes_on(handling):
    """A guarded request that cannot be read, and one that nobody may send, never come to the broker."""
    for api, version in versions(handling):
        core = connection()
        with suppress(ProtocolError, Undecodable):
            core.receive_from_client(raw_request(api.name, version, body(api, version)))
        assert b"" == taken(core)[1], api
        assert not core.pending_inputs


def test_what_is_refused_ends_the_connection():
    """It is not advertised, so whoever sends it knows what it does."""
    for api in APIS.values():
        if api.handling == "refuse":
            with pytest.raises(ProtocolError, match="not carried by the gateway"):
                connection().receive_from_client(raw_request(api.name, 0, bytes(100)))
