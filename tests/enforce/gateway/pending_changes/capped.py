"""An OPA that has a cluster hold so many partitions, and takes a state of any age."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.fixtures.settings import ANY_AGE, build_with_settings, few_settings
from warden.policy.opa.local import LocalOpa

__all__ = ["start_capped_opa"]


@contextmanager
def start_capped_opa(opa: Path, directory: Path, cap: int) -> Iterator[LocalOpa]:
    """Start it.

    Args:
        opa: Its binary.
        directory: For its settings and bundle.
        cap: Most replicas of partitions, but for topics whose names begin with two underscores.
    """
    settings = few_settings()
    settings["rules"]["KFK-SIZ-002"] = {"mode": "deny", "params": {"maxPartitions": cap, "excludePrefixes": ["__"]}}
    settings["rules"]["KFK-SIZ-001"] = {"mode": "deny", "params": {"min": 1, "max": 100}}
    settings["freshness"] = {"default": ANY_AGE, "operations": {"DeleteTopic": ANY_AGE, "DeleteRecords": ANY_AGE}}
    with LocalOpa(build_with_settings(settings, directory, opa), opa=opa) as running:
        yield running
