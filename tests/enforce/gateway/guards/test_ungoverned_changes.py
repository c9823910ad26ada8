"""Changes that no decision is about, and what else the log has that clients cannot see."""

import json
import logging
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.enforce.gateway.frames import connection, create_topics, decode_response, raw_request, taken
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.test_faults import client, errors_of, receive
from tests.fixtures.conditions import eventually
from warden.enforce.gateway.guards.ungoverned_changes import UNGOVERNED_CHANGES
from warden.enforce.gateway.log.explanation import ExplainQuery, iter_text_lines, select_requests
from warden.enforce.gateway.wire.apis import APIS
from warden.enforce.gateway.wire.frames import LENGTH

REMOVE = raw_request("UnregisterController", 0, {"controllerId": 7}, 9)
TEXT = b"no policy decides about it"


def test_all_of_them_pass_by_default():
    """Each is an API that goes by without a decision; none is one that is decided."""
    by_name = {api.name: api.handling for api in APIS.values()}

    assert {"pass"} == {by_name[name] for name in UNGOVERNED_CHANGES}


def test_what_passes_leaves_a_trace():
    """It goes on as it came, byte by byte, and is reported once; not at all where the site says so."""
    name = "UnregisterController"
    core = connection()
    reported = []
    for byte in REMOVE:
        core.receive_from_client(bytes([byte]))
        output = core.take_output()
        reported += [(change.name, change.action, principal) for change, principal in output.ungoverned]
    assert [(name, "log", "User:ANONYMOUS")] == reported
    silent = connection(actions={name: "pass"})
    silent.receive_from_client(REMOVE)
    output = silent.take_output()

    assert ([], REMOVE) == (output.ungoverned, b"".join(output.to_broker))


def test_what_is_refused():
    """The broker sees nothing; the client gets POLICY_VIOLATION and a sentence, and goes on."""
    core = connection(actions={"UnregisterController": "refuse"})
    core.receive_from_client(REMOVE + raw_request("ListGroups", 3, b"\0", 10))
    to_client, to_broker = taken(core)
    answered = decode_response("UnregisterController", 0, to_client)

    assert raw_request("ListGroups", 3, b"\0", 10) == to_broker
    assert 44 == answered["errorCode"]
    assert TEXT.decode() in answered["errorMessage"]


@pytest.mark.kafka
@pytest.mark.opa
def test_the_line_of_a_change_that_passed(tmp_path, gateway_opa, broker, caplog):
    """One line and a counter, which explain finds by what the client knows."""
    brokers = {1: broker.bootstrap_servers}
    clusters = [
        {"name": "gate", "brokers": brokers},
        {"name": "second", "brokers": brokers, "undecided": {"UnregisterController": "refuse"}},
    ]
    with (
        RunningGateway(write_config(tmp_path / "gateway.yaml", gateway_opa, clusters)) as gateway,
        client(gateway) as connected,
        client(gateway, 1) as refused,
        caplog.at_level(logging.INFO, "warden.enforce.gateway"),
    ):
        connected.sendall(REMOVE)
        receive(connected)  # Kafka before 4.4 does not know it
        refused.sendall(raw_request("UnregisterController", 0, {"controllerId": 7}, 10))
        assert TEXT in receive(refused)
        metrics = urlopen(f"{gateway.probes}/metrics").read().decode()
    lines = [record for record in caplog.records if record.message == "not decided"]

    assert [("UnregisterController", "all", 9), ("UnregisterController", "none", 10)] == [
        (line.change, line.forwarded, line.correlationId) for line in lines
    ]
    assert 'undecided_changes_total{action="log",api="UnregisterController",cluster="gate"} 1.0' in metrics
    line = {"message": "not decided", "cluster": "gate", "correlationId": 9, "decided": False, "forwarded": "all"}
    found = select_requests([json.dumps(line)], ExplainQuery(cluster="gate", correlation_id=9))
    assert "all of it went on, and no policy decides about it" in next(iter_text_lines(found, {}))


@pytest.mark.kafka
@pytest.mark.opa
def test_a_broker_that_the_file_lacks(tmp_path, gateway_opa, broker, caplog):
    """One warning, however often clients see it, and a counter."""
    config = write_config(
        tmp_path / "g.yaml", gateway_opa, [{"name": "gate", "brokers": {7: broker.bootstrap_servers}}]
    )
    with (
        RunningGateway(config) as gateway,
        client(gateway) as connected,
        caplog.at_level(logging.WARNING, "warden.enforce.gateway"),
    ):
        for _ in range(3):
            connected.sendall(raw_request("Metadata", 9, {"topics": []}))
            assert b"broker-1-is-not-in-the-gateway-configuration" in receive(connected)
        metrics = urlopen(f"{gateway.probes}/metrics").read().decode()

    assert [1] == [record.broker for record in caplog.records if hasattr(record, "broker")]
    assert 'warden_gateway_unknown_brokers_total{cluster="gate"} 3.0' in metrics


@pytest.mark.kafka
@pytest.mark.opa
def test_a_cluster_without_a_state(tmp_path, gateway_opa, broker):
    """The gateway is not ready, and says whose state is missing; clients learn what somebody else has to do."""
    config = write_config(
        tmp_path / "g.yaml", gateway_opa, [{"name": "lost", "brokers": {1: broker.bootstrap_servers}}]
    )
    with RunningGateway(config) as gateway, client(gateway) as connected:
        connected.sendall(create_topics("no.state"))
        ((code, message),) = errors_of(receive(connected))
        problem = eventually(lambda: _ready(gateway)["opa"], "it is not ready")

    assert 42 == code
    assert 'no state of "lost" is replicated: see that the replicator has it' in message
    assert "clusterState" not in message
    assert "OPA has no state of lost" in problem


def _ready(gateway):
    try:
        return json.load(urlopen(f"{gateway.probes}/readyz"))
    except HTTPError as error:
        return json.loads(error.read())


@pytest.mark.kafka
@pytest.mark.opa
def test_a_token_that_opa_refuses(tmp_path, gateway_opa, broker):
    """What is wrong can be read, though it is about a token."""
    (tmp_path / "other").write_text("wrong")
    clusters = [{"name": "gate", "brokers": {1: broker.bootstrap_servers}}]
    config = write_config(tmp_path / "g.yaml", gateway_opa, clusters, opa={"token": {"file": str(tmp_path / "other")}})
    with RunningGateway(config) as gateway:
        eventually(lambda: "no valid token; send the query" in (_ready(gateway)["opa"] or ""), "it says what is wrong")


def delete_topics(version, **options):
    """The code of a topic whose deletion is denied."""
    core = connection(**options)
    core.receive_from_client(raw_request("DeleteTopics", version, {"topicNames": ["a"], "timeoutMs": 60_000}))
    denial = {"code": 44, "name": "POLICY_VIOLATION", "message": "no"}
    core.apply_decisions({"topicNames/0": {"allowed": False, "errors": ["no"], "error": denial, "violations": []}})
    return decode_response("DeleteTopics", version, taken(core)[0])["responses"][0]["errorCode"]


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_a_denied_deletion_of_an_old_client(version):
    """The code that all clients know; as KIP-201 wants it where a site says so."""
    assert 44 == delete_topics(version)
    assert (-1 if version < 5 else 44) == delete_topics(version, as_kip=True)


def test_bytes_behind_the_end():
    """The sentence names them too."""
    core = connection()
    raw = create_topics("a")
    longer = (len(raw) - LENGTH + 5).to_bytes(4, "big") + raw[LENGTH:] + b"extra"
    core.receive_from_client(longer)
    ((code, message),) = errors_of(taken(core)[0])

    assert 42 == code
    assert "or bytes behind its end" in message
