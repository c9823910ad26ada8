"""Who can log in: known where every listener takes SCRAM's users or anybody, else not known at all."""

from types import SimpleNamespace
from typing import Any

import pytest

from warden.base.errors import KafkaError
from warden.state.sources.kafka.login.error_codes import NotDisclosed
from warden.state.sources.kafka.read.configs import ConfigEntry
from warden.state.sources.kafka.read.users import collect_users, read_scram_iterations

_SCRAM: dict[str, dict[str, Any]] = {"alice": {"scram": {}}}
_MAP = "CLIENT:SASL_SSL,INSIDE:PLAINTEXT,TLS:SSL,CONTROLLER:SASL_PLAINTEXT"


def _broker(**configs):
    found = {"listener.security.protocol.map": _MAP, "controller.listener.names": "CONTROLLER"}
    found |= {name.replace("_", "."): value for name, value in configs.items()}
    return {name: ConfigEntry(value, 4) for name, value in found.items()}


@pytest.mark.parametrize(
    ("reported", "expected"),
    [
        ({"listeners": "CLIENT://:1", "sasl_enabled_mechanisms": "SCRAM-SHA-256,SCRAM-SHA-512"}, {"alice"}),
        ({"listeners": "CLIENT://:1, INSIDE://:2", "sasl_enabled_mechanisms": "SCRAM-SHA-256"}, {"alice", "ANONYMOUS"}),
        ({"listeners": "INSIDE://:2,CONTROLLER://:3", "sasl_enabled_mechanisms": "PLAIN"}, {"alice", "ANONYMOUS"}),
        ({"listeners": "TLS://:2", "ssl_client_auth": "none"}, {"alice", "ANONYMOUS"}),
        ({"listeners": "SASL_SSL://:1", "sasl_enabled_mechanisms": "SCRAM-SHA-512"}, {"alice"}),
        (
            {
                "listeners": "CLIENT://:1",
                "sasl_enabled_mechanisms": "PLAIN",
                "listener_name_client_sasl_enabled_mechanisms": "SCRAM-SHA-256",
            },
            {"alice"},
        ),
        ({"listeners": "CLIENT://:1", "sasl_enabled_mechanisms": "SCRAM-SHA-256,PLAIN"}, None),
        ({"listeners": "CLIENT://:1", "sasl_enabled_mechanisms": ""}, None),
        ({"listeners": "TLS://:2", "ssl_client_auth": "required"}, None),
        ({"listeners": "TLS://:2", "ssl_client_auth": "requested"}, None),
        (
            {
                "listeners": "CLIENT://:1",
                "sasl_enabled_mechanisms": "SCRAM-SHA-256",
                "listener_name_client_sasl_enabled_mechanisms": None,
            },
            None,
        ),
    ],
)
def test_who_can_log_in(reported, expected):
    """A listener's own mechanisms count before the broker's; a controller's listener is not a client's."""
    if expected is None:
        with pytest.raises(NotDisclosed, match="takes users whom Kafka cannot list"):
            collect_users([_broker(**reported)], _SCRAM)
    else:
        assert expected == collect_users([_broker(**reported)], _SCRAM).keys()


def test_one_broker_that_takes_others_is_enough():
    """Who is known at one broker may be somebody else at another."""
    good = _broker(listeners="CLIENT://:1", sasl_enabled_mechanisms="SCRAM-SHA-256")
    other = _broker(listeners="CLIENT://:1", sasl_enabled_mechanisms="GSSAPI")

    with pytest.raises(NotDisclosed):
        collect_users([good, other], _SCRAM)


def test_the_user_is_named_of_whom_a_broker_does_not_tell():
    """Kafka's text need not name them."""
    refused = SimpleNamespace(error_code=42, error_message="no.", user="bob")
    connection: Any = SimpleNamespace(send=lambda _request: SimpleNamespace(results=[refused]))

    said = r"^Kafka does not tell SCRAM credentials: user bob: INVALID_REQUEST: no$"
    with pytest.raises(KafkaError, match=said) as raised:
        read_scram_iterations(connection)
    assert 42 == raised.value.code
