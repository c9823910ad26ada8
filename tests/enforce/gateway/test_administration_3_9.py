"""A cluster of Kafka 3.9 that is changed through the gateway alone: ACLs, quotas, credentials and logins by SCRAM."""

from functools import partial

import pytest

from tests.enforce.gateway.login.test_logins import (  # noqa: F401 - these tests and fixtures, before another broker
    test_a_wrong_password_is_the_brokers_to_refuse,
    test_the_policy_comes_first,
    test_the_principal_is_the_clients_own,
    users,
)
from tests.enforce.gateway.running import RunningGateway, write_config
from tests.enforce.gateway.test_acls import (  # noqa: F401 - these tests, before another broker
    test_a_cluster_is_closed_to_everybody_but_the_gateway,
    test_acls_are_decided_one_by_one,
    test_credentials_go_through_and_stay_secret,
    test_quotas_go_through,
)
from tests.fixtures.brokers.kafka import AUTHORIZER, SCRAM
from tests.fixtures.brokers.kafka_3_9 import VERSION, class_path_3_9
from tests.fixtures.brokers.replication import replicate_cluster
from warden.demo.class_path import build_class_path
from warden.demo.local_broker import LocalBroker

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.kafka,
    pytest.mark.opa,
    pytest.mark.usefixtures("replicate"),
]


@pytest.fixture(scope="module")
def broker():
    """A broker of Kafka 3.9, with the tools of the Kafka that the other tests have."""
    running = LocalBroker(properties={**AUTHORIZER, **SCRAM}, sasl_users={"nobody": "x"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warden.demo.local_broker.build_class_path", class_path_3_9)
        running.start()
    assert f"kafka_2.13-{VERSION}.jar" in running._class_path
    running._class_path = build_class_path()
    with running:
        yield running


@pytest.fixture(scope="module")
def replicate(gateway_opa, broker, tmp_path_factory):
    """Bring what `broker` has to OPA; once, each time it is called."""
    directory = tmp_path_factory.mktemp("replicate")
    once = partial(replicate_cluster, gateway_opa, directory, broker.bootstrap_servers, "gate", "logins")
    once()
    return once


@pytest.fixture(scope="module")
def gateway(broker, gateway_opa, replicate, tmp_path_factory):
    """A gateway before `broker`: cluster 0 is its plain listener, 1 the one with logins."""
    plain, sasl = {1: broker.bootstrap_servers}, {1: broker.sasl_bootstrap_servers}
    clusters = [{"name": "gate", "brokers": plain}, {"name": "logins", "brokers": sasl, "authentication": "sasl"}]
    config = write_config(tmp_path_factory.mktemp("gateway") / "gateway.yaml", gateway_opa, clusters)
    with RunningGateway(config) as running:
        yield running
