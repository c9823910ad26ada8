"""The check of cluster and node in ApiVersions 5 (KIP-1242), before a broker of Kafka 4.4."""

import socket

import pytest

from tests.enforce.gateway.frames import KEYS, raw_request
from tests.enforce.gateway.running import RunningGateway
from tests.enforce.gateway.test_faults import receive
from tests.fixtures.patience import PATIENCE
from warden.demo.local_broker import LocalBroker
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.read.brokers import read_cluster

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

_INVALID_REQUEST, _REBOOTSTRAP_REQUIRED = 42, 129


@pytest.fixture(scope="module")
def cluster_id(broker: LocalBroker) -> str:
    """The id of the cluster behind the gateway."""
    with connect(broker.bootstrap_servers) as connection:
        return read_cluster(connection).id


def _error_of(gateway: RunningGateway, cluster: str | None, node: int) -> int:
    """What the first request of a connection gets that expects some cluster and node."""
    host, port = gateway.address().split(":")
    fields = {"clientSoftwareName": "x", "clientSoftwareVersion": "1", "clusterId": cluster, "nodeId": node}
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connected:
        connected.sendall(raw_request("ApiVersions", 5, fields))
        return int.from_bytes(receive(connected)[LENGTH + 4 : LENGTH + 6], "big", signed=True)


def test_the_broker_that_a_client_expects(gateway: RunningGateway, cluster_id: str) -> None:
    """The gateway's place of a broker is that broker to clients: what they expect of it is found; or they say nothing.

    The broker takes no cluster without a node.
    """
    found = [_error_of(gateway, *expected) for expected in ((cluster_id, 1), (None, -1), (cluster_id, -1))]

    assert found == [0, 0, _INVALID_REQUEST]


def test_another_broker(gateway: RunningGateway, cluster_id: str) -> None:
    """A client that has come to another cluster or node has to begin anew."""
    found = [_error_of(gateway, *other) for other in (("another", 1), (cluster_id, 2))]

    assert found == [_REBOOTSTRAP_REQUIRED, _REBOOTSTRAP_REQUIRED]


def test_the_answer_is_trimmed(gateway: RunningGateway, cluster_id: str) -> None:
    """Of version 5 too: only APIs that the gateway carries."""
    host, port = gateway.address().split(":")
    fields = {"clientSoftwareName": "x", "clientSoftwareVersion": "1", "clusterId": cluster_id, "nodeId": 1}
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connected:
        connected.sendall(raw_request("ApiVersions", 5, fields))
        answer = codec.decode(KEYS["ApiVersions"], 5, "Response", receive(connected)[LENGTH + 4 :]).fields

    versions = {row["apiKey"]: row["maxVersion"] for row in answer["apiKeys"]}
    assert versions[KEYS["ApiVersions"]] == 5
    assert versions.keys() <= set(KEYS.values())
