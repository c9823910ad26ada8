"""The clients of the page about the gateway, as they are, through one: `make test-clients`."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.clients.programs import CLIENTS, Unavailable, run_client
from tests.enforce.gateway.running import gateway_with_state
from tests.fixtures.settings import ANY_AGE, build_with_settings, few_settings
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa, pytest.mark.clients]

_NAMES = (f"clients.{chr(ord('a') + number)}" for number in count())


@pytest.fixture(scope="module")
def address(broker: LocalBroker, opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A gateway under which names have a convention."""
    directory = tmp_path_factory.mktemp("clients")
    freshness = {"default": ANY_AGE, "operations": {"DeleteTopic": ANY_AGE}}
    bundle = build_with_settings({**few_settings(), "freshness": freshness}, directory, opa_binary)
    with LocalOpa(bundle, opa=opa_binary) as opa, gateway_with_state(opa, broker, directory) as gateway:
        yield gateway.address()


@pytest.fixture(scope="module")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where programs are built, once for all of a language."""
    return tmp_path_factory.mktemp("builds")


@pytest.mark.parametrize("client", CLIENTS)
def test_client(client: str, address: str, builds: Path) -> None:
    """A good topic is created and deleted; of a bad one the client shows the sentence, or what its code means."""
    try:
        printed = run_client(client, builds, address, next(_NAMES), f"Bad_{client}")
    except Unavailable as error:
        pytest.skip(f"{client} cannot be had here: {error}")

    assert ("ok", "ok") == (printed["good"], printed["delete"])
    assert CLIENTS[client][1] in printed["bad"]
