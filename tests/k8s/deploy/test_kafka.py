"""The component ``kafka`` of ``deploy/kubernetes``: gateway and service as processes, before a real broker."""

import ssl
import urllib.error
import urllib.request

import pytest

from tests.fixtures.brokers.kafka import AUTHORIZER
from tests.k8s.deploy.installation import pass_probes
from tests.k8s.deploy.pods import KAFKA_PARTS, Pods
from warden.base.http.ports import find_free_port
from warden.demo.local_broker import LocalBroker

pytestmark = [pytest.mark.k8s, pytest.mark.opa, pytest.mark.kafka]


@pytest.fixture(scope="module")
def broker():
    """A broker at which clients log in."""
    with LocalBroker(properties=AUTHORIZER, sasl_users={"nobody": "x"}) as running:
        yield running


@pytest.fixture(scope="module")
def kafka_pods(pods, control_plane, documents, broker, opa_binary, tmp_path_factory):
    """Both, as their own probes have them; each address of theirs is one of this machine.

    The gateway is alive and not ready: nobody replicates its cluster here.
    """
    ports = {name: find_free_port() for name in (*KAFKA_PARTS, *"123")}
    here = {
        "https://opa.warden.svc:8181": f"https://localhost:{pods.ports['opa']}",
        "0.0.0.0:9104": f"127.0.0.1:{ports['gateway']}",
        "0.0.0.0:8649": f"127.0.0.1:{ports['serve']}",
        "gateway.warden.svc": "127.0.0.1",
        "kafka.kafka.svc:9092": broker.bootstrap_servers,
        **{f"kafka-{number}.kafka.kafka.svc:9092": broker.sasl_bootstrap_servers for number in range(3)},
        **{f"port: {19091 + number}": f"port: {ports[str(number)]}" for number in (1, 2, 3)},
    }
    started = Pods(control_plane, documents, tmp_path_factory.mktemp("kafka"), here)
    started.ports = ports
    try:
        for name in KAFKA_PARTS:
            pass_probes(started, name, started.start(name, opa_binary), 503 if name == "gateway" else 200)
        yield started
    finally:
        started.stop()


def test_the_gateway_denies(kafka_pods, pods):
    """A client logs in at the broker through it, over TLS, and hears from OPA that nobody replicates the cluster."""
    from kafka.admin import KafkaAdminClient, NewTopic
    from kafka.errors import InvalidRequestError

    authority = pods.logs["webhook"].parent / "etc/opa/ca.crt"
    trust = ssl.create_default_context(cafile=authority)
    trust.check_hostname = False  # the certificate is for gateway.warden.svc
    admin = KafkaAdminClient(
        bootstrap_servers=f"127.0.0.1:{kafka_pods.ports['1']}",
        security_protocol="SASL_SSL",
        ssl_context=trust,
        sasl_mechanism="PLAIN",
        sasl_plain_username="nobody",
        sasl_plain_password="x",
        request_timeout_ms=60000,
    )
    try:
        with pytest.raises(InvalidRequestError, match='no state of "prod" is replicated'):
            admin.create_topics([NewTopic("Orders", 3, 1)])
    finally:
        admin.close()


def test_the_service_wants_a_login(kafka_pods, pods):
    """It is ready, so that it reaches OPA and the broker, and answers nobody without a certificate."""
    trust = ssl.create_default_context(cafile=pods.logs["webhook"].parent / "etc/opa/ca.crt")
    trust.check_hostname = False  # the certificate is for serve.warden.svc
    request = urllib.request.Request(
        f"https://127.0.0.1:{kafka_pods.ports['serve']}/v1/client-configs/resolve",
        data=b'{"clientId": "ledger"}',
        headers={"Content-Type": "application/json"},
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=60, context=trust)
    with refused.value:
        assert 401 == refused.value.code
