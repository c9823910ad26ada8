"""Replicators of made-up sources, and what OPA has of them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tests.state.replicate.fake import FakeSource, replicating
from warden.base.errors import OpaUndefined
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa
from warden.state.replicate.replicator import Replicator


def topics(count: int) -> dict[str, Any]:
    """A document of so many topics."""
    return {"clusterSize": 1, "topics": {f"t{at}": {"configs": {}} for at in range(count)}}


@contextmanager
def running(opa: LocalOpa, *sources: FakeSource, url: str | None = None, **more: Any) -> Iterator[Replicator]:
    """A replicator of these sources, which ends without leaving a thread."""
    replicator = replicating(url or opa.url, opa.tokens.replicator, *sources, **more)
    try:
        yield replicator
    finally:
        replicator.stop()
    assert not replicator.is_alive


def replica_at(client: OpaClient, *root: str) -> dict[str, Any]:
    """What OPA has at a place; nothing where there is nothing."""
    try:
        return dict(client.get_data(root))
    except OpaUndefined:
        return {}


def holds(client: OpaClient, source: FakeSource, expected: Mapping[str, Any]) -> bool:
    """Whether OPA's replica is this document, meta apart."""
    replica = replica_at(client, *source.root)
    replica.pop("meta", None)
    return replica == expected
