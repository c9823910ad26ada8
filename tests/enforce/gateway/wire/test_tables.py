"""The gateway's tables: made of Kafka's schemas, with a class for each API."""

from importlib import resources
from pathlib import Path

import pytest

from tools.gateway import make_tables, read_classes, read_message_schemas, render_table
from warden.base.toolchain.jars import obtain_kafka_jars
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.apis import APIS

pytestmark = pytest.mark.kafka


@pytest.fixture(scope="module")
def schemas():
    """Kafka's message schemas."""
    return read_message_schemas(next(jar for jar in obtain_kafka_jars() if "kafka-clients-" in jar.name))


def test_tables_are_those_of_the_schemas(schemas):
    """`python -m tools.gateway` would write the files that are there."""
    made = make_tables(schemas, read_classes())

    for name, table in made.items():
        assert render_table(table) == Path(str(resources.files("warden.enforce.gateway.wire") / name)).read_text(
            encoding="utf-8"
        ), name


def test_an_unclassified_api_is_named(schemas):
    """A new API of Kafka stops the tool, and with it the test above, until somebody has classified it."""
    new = schemas | {"MoveBrokerRequest": {"name": "MoveBrokerRequest", "type": "request", "apiKey": 99}}

    with pytest.raises(ValueError, match="nobody has classified MoveBroker"):
        make_tables(new, read_classes())


def test_an_api_that_kafka_does_not_have_is_named(schemas):
    """A class cannot name what Kafka has dropped, or the same twice."""
    classes = read_classes()

    with pytest.raises(ValueError, match="Paxos is no API"):
        make_tables(schemas, classes | {"pass": [*classes["pass"], "Paxos"]})
    with pytest.raises(ValueError, match="CreateTopics is named twice"):
        make_tables(schemas, classes | {"pass": [*classes["pass"], "CreateTopics"]})


@pytest.mark.parametrize(
    ("key", "version"),
    [
        (api.key, v)
        for api in APIS.values()
        if api.handling == "guard"
        for v in range(api.advertised[0], api.advertised[1] + 1)
    ],
)
def test_guarded_apis_can_be_decoded_in_every_version(key, version):
    """The codec has each message that has to be decided, in every version that the schemas have."""
    for kind in ("Request", "Response"):
        encoded = codec.encode(key, version, kind, {})

        assert codec.decode(key, version, kind, encoded).exact
