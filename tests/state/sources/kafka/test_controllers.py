"""Controllers of real quorums: what they tell, who is active, and logins."""

import pytest

from tests.fixtures.brokers.kafka_3_9 import class_path_3_9
from tests.fixtures.brokers.three_brokers import Brokers
from tests.fixtures.conditions import eventually
from warden.base.errors import ConfigurationError, KafkaError, KafkaUnreachable
from warden.demo import local_broker
from warden.demo.java import run_java
from warden.demo.local_broker import LocalBroker
from warden.state.sources.kafka.change_requests import send_change
from warden.state.sources.kafka.login.connection import connect
from warden.state.sources.kafka.read.acls import read_acls
from warden.state.sources.kafka.read.configs import BROKER
from warden.state.sources.kafka.read.controllers import Controllers, collect_controllers_state, connect_controllers
from warden.state.sources.kafka.read.node_configs import read_resource_configs

pytestmark = [pytest.mark.kafka, pytest.mark.usefixtures("no_thread_left")]

_PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"
_ABSENT = ["brokers", "defaults", "groups", "quotas", "topics", "totals", "users"]


def test_what_controllers_tell(broker: LocalBroker) -> None:
    """Their own configs, those of all nodes, and ACLs, as brokers do; all else is unknown, and nothing is empty."""
    with connect(broker.bootstrap_servers) as connection:
        acls = read_acls(connection)
    with connect_controllers(broker.bootstrap_controllers) as controllers:
        state = collect_controllers_state(controllers)

    assert ((1,), 1) == (controllers.ids, controllers.active)
    assert {"brokers", "acls", "meta"} == state.keys()
    assert {"message.max.bytes": "2000000"} == state["brokers"]["1"]["dynamicConfigs"]
    assert "24" == state["brokers"]["1"]["configs"]["log.roll.hours"]
    assert "86400000" == state["brokers"][""]["configs"]["log.retention.ms"]
    assert acls
    assert acls == state["acls"]
    meta = state["meta"]
    assert (_ABSENT, [f"{part}: controllers do not tell" for part in _ABSENT]) == (meta["unknown"], meta["missing"])


def test_a_login_at_a_controller() -> None:
    """Client properties are those of brokers; a wrong password is refused in the same sentence."""
    users = 'username="node" password="n" user_node="n" user_alice="a"'
    properties = {
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.controller.protocol": "PLAIN",
        "listener.name.controller.plain.sasl.jaas.config": f"{_PLAIN} {users};",
    }
    login = {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "PLAIN"}
    alice, wrong = ({**login, "sasl.jaas.config": f'{_PLAIN} username="alice" password="{it}";'} for it in ("a", "b"))
    with LocalBroker(properties=properties) as broker:
        with connect_controllers(broker.bootstrap_controllers, security=alice) as controllers:
            assert (1,) == controllers.ids
            state = collect_controllers_state(controllers)
        with pytest.raises(KafkaError, match=r"refused the login: check sasl\.mechanism and sasl\.jaas\.config"):
            connect_controllers(broker.bootstrap_controllers, security=wrong)
    assert {} == state["acls"]  # there is no authorizer, so nobody looks at any
    assert "acls" not in state["meta"]["unknown"]
    with pytest.raises(KafkaUnreachable, match="Connection refused"):
        connect_controllers(broker.bootstrap_controllers, security=alice)


@pytest.mark.cluster
def test_a_quorum_of_three() -> None:
    """Each tells its own configs whichever is named; a change goes to the active one, also to the next."""
    with Brokers() as brokers:
        first, *others = brokers.bootstrap_controllers.split(",")
        with connect_controllers(first, timeout=60) as controllers:
            assert (1, 2, 3) == controllers.ids
            racks = [_value(controllers, str(node), node, "broker.rack") for node in controllers.ids]
            assert ["rack-1", "rack-2", "rack-3"] == racks
        eventually(lambda: _alters(first, "message.max.bytes", "2000000"), "the active one takes a change")
        active = eventually(lambda: _active(first), "one is active")
        assert active is not None
        brokers.kill(active)
        left = ",".join(address for node, address in enumerate([first, *others], 1) if node != active)
        eventually(lambda: _active(left) not in (None, active), "another one is active")
        # Which may be yet another by the time a change comes.
        eventually(lambda: _alters(left, "message.max.bytes", "3000000"), "the active one takes a change")
        with connect_controllers(left, timeout=60) as controllers:
            value = _value(controllers, "", controllers.active, "message.max.bytes")
    assert "3000000" == value


@pytest.mark.cluster
def test_controllers_of_kafka_3_9(monkeypatch: pytest.MonkeyPatch) -> None:
    """The older of the two protocols: the configs that Kafka's own command has, in its order."""
    monkeypatch.setattr(local_broker, "build_class_path", class_path_3_9)
    with LocalBroker() as broker:
        with connect_controllers(broker.bootstrap_controllers, timeout=60) as controllers:
            ours = [config.name for config in read_resource_configs(controllers, BROKER, "1", 1)]
        described = ["--describe", "--entity-type", "brokers", "--entity-name", "1", "--all"]
        where = ["--bootstrap-controller", broker.bootstrap_controllers]
        theirs = run_java("kafka.admin.ConfigCommand", [*where, *described], class_path=class_path_3_9())
        with pytest.raises(ConfigurationError, match=r"is a broker, not a controller: use --bootstrap-server"):
            connect_controllers(broker.bootstrap_servers, timeout=60)
    assert [line.strip().partition("=")[0] for line in theirs.splitlines()[1:]] == ours


def _active(servers: str) -> int | None:
    try:
        with connect_controllers(servers, timeout=10) as controllers:
            return controllers.active
    except KafkaError:
        return None


def _value(controllers: Controllers, name: str, node: int | None, key: str) -> str | None:
    found = {config.name: config.value for config in read_resource_configs(controllers, BROKER, name, node)}
    return found.get(key)


def _alters(servers: str, key: str, value: str) -> bool:
    resource = {"resourceType": 4, "resourceName": "", "configs": [{"name": key, "configOperation": 0, "value": value}]}
    request = {"resources": [resource], "validateOnly": False}
    try:
        with connect_controllers(servers, timeout=60) as controllers:
            answer = send_change(controllers, "IncrementalAlterConfigs", request, node=controllers.active)
    except KafkaError:  # the active one went meanwhile
        return False
    return answer == {"": None}
