"""What tests of several enforcement points need."""

from collections.abc import Iterator
from typing import Any

import pytest
from py4j.java_gateway import CallbackServerParameters, JavaGateway

from tools.catalog.jvm import run_kafka_jvm


@pytest.fixture(scope="module")
def streams_jvm() -> Iterator[Any]:
    """A JVM with Kafka Streams, which can call back."""
    with run_kafka_jvm() as view:
        known = view._gateway_client.gateway_parameters
        parameters = CallbackServerParameters(port=0)
        back = JavaGateway(gateway_parameters=known, callback_server_parameters=parameters)
        java = back.java_gateway_server
        port = back.get_callback_server().get_listening_port()
        java.resetCallbackClient(java.getCallbackClient().getAddress(), port)
        yield back.jvm
        back.shutdown_callback_server()
