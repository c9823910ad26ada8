"""One OPA with the built bundle and the clusters of the design's example, for all tests of placement."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

_SEED = Path(__file__).with_name("seed")


@pytest.fixture(scope="session")
def seed() -> dict[str, Any]:
    """The design's query and response, and clusters as they could have been replicated."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in _SEED.glob("*.json")}


@pytest.fixture(scope="module")
def client(replicated_opa: LocalOpa, seed: dict[str, Any]) -> Iterator[OpaClient]:
    """A client of an OPA to which the clusters have been replicated over its REST API."""
    with OpaClient(replicated_opa.url, token=replicated_opa.tokens.replicator) as replicator:
        replicator.put_data(["kubernetes"], {"clusters": seed["clusters"]})
        with replicated_opa.build_client() as query_client:
            yield query_client
        replicator.put_data(["kubernetes"], {})
