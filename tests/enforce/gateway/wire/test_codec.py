"""Differential test: messages as Kafka's own JSON converters in a JVM write and read them, and as the codec does."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tests.enforce.gateway.wire.messages import as_json, random_message, tagged_names, within, without_defaults
from tests.fixtures.case_counts import sample_or_all
from tests.fixtures.seed import SEED
from tools.catalog.jvm import run_kafka_jvm
from tools.gateway import read_message_schemas
from warden.base.toolchain.jars import obtain_kafka_jars
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.apis import APIS

pytestmark = pytest.mark.kafka

READ_TOO = ("Metadata", "ApiVersions", "SaslHandshake", "SaslAuthenticate")
"""APIs that are not guarded, and whose messages the gateway reads or changes."""

MESSAGES = [
    (api.key, kind, version)
    for api in APIS.values()
    if api.versions and (api.handling == "guard" or api.name in READ_TOO)
    for kind in ("Request", "Response")
    for version in range(api.versions[0], api.versions[1] + 1)
]


@pytest.fixture(scope="module")
def jvm() -> Iterator[Any]:
    """A JVM with Kafka's classes."""
    with run_kafka_jvm() as view:
        yield view


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    """Kafka's message schemas."""
    return read_message_schemas(next(jar for jar in obtain_kafka_jars() if "kafka-clients-" in jar.name))


def data_of(jvm: Any, name: str, version: int, message: Any) -> Any:
    """What Kafka reads of a message in JSON."""
    node = jvm.com.fasterxml.jackson.databind.ObjectMapper().readTree(json.dumps(message))
    return getattr(jvm.org.apache.kafka.common.message, f"{name}DataJsonConverter").read(node, version)


def bytes_of(jvm: Any, data: Any, version: int) -> bytes:
    """The bytes that Kafka writes."""
    return bytes(jvm.org.apache.kafka.common.protocol.MessageUtil.toByteBufferAccessor(data, version).buffer().array())


def json_of(jvm: Any, name: str, version: int, encoded: bytes) -> Any:
    """The JSON that Kafka writes of bytes."""
    accessor = jvm.org.apache.kafka.common.protocol.ByteBufferAccessor(jvm.java.nio.ByteBuffer.wrap(encoded))
    data = getattr(jvm.org.apache.kafka.common.message, f"{name}Data")(accessor, version)
    converter = getattr(jvm.org.apache.kafka.common.message, f"{name}DataJsonConverter")
    return json.loads(converter.write(data, version).toString())


@sample_or_all(1, 12)
def test_messages_are_kafkas_own(count: int, jvm: Any, schemas: dict[str, Any]) -> None:
    """JSON to Kafka's bytes, those to fields, and these to the same bytes: every guarded API in every version."""
    for key, kind, version in MESSAGES:
        name = f"{APIS[key].name}{kind}"
        chance = random.Random(f"{SEED} {name} {version}")
        for _ in range(count):
            message = random_message(schemas[name], version, chance)
            if name == "ApiVersionsResponse":
                message["errorCode"] = 0  # an error is answered in version 0, and passed on as it is
            sent = bytes_of(jvm, data_of(jvm, name, version, message), version)
            read = codec.decode(key, version, kind, sent)

            assert read.exact, (name, version, message)
            written = as_json(json_of(jvm, name, version, sent))
            got = without_defaults(as_json(read.fields), written, tagged_names(schemas[name]["fields"]))
            assert written == got, (name, version, message)
            assert sent == codec.encode(key, version, kind, read.fields), (name, version, message)


def test_an_unknown_tagged_field_is_never_exact(jvm: Any, schemas: dict[str, Any]) -> None:
    """What a later Kafka puts into a message is noticed, in every flexible version."""
    tag = jvm.org.apache.kafka.common.protocol.types.RawTaggedField
    for key, kind, version in MESSAGES:
        name = f"{APIS[key].name}{kind}"
        if not within(schemas[name]["flexibleVersions"], version) or name == "ApiVersionsResponse":
            continue
        message = random_message(schemas[name], version, random.Random(f"{SEED} {name} {version}"))
        data = data_of(jvm, name, version, message)
        data.unknownTaggedFields().add(tag(4000, b"later"))

        assert not codec.decode(key, version, kind, bytes_of(jvm, data, version)).exact, (name, version)
