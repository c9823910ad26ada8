"""An OPA that has a cluster hold so many partitions, and takes a state of any age."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from tests.fixtures.settings import few_rules
from warden.policy.bundle.build import build_bundle
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
    settings = yaml.safe_load(few_rules(directory / "settings.yaml").read_text())
    settings["rules"]["KFK-SIZ-002"] = {"mode": "deny", "params": {"maxPartitions": cap, "excludePrefixes": ["__"]}}
    settings["rules"]["KFK-SIZ-001"] = {"mode": "deny", "params": {"min": 1, "max": 100}}
    patient = {"maxAgeSeconds": 86400}
    settings["freshness"] = {"default": patient, "operations": {"DeleteTopic": patient, "DeleteRecords": patient}}
    (directory / "settings.yaml").write_text(yaml.safe_dump(settings))
    bundle = build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml", opa=opa)
    with LocalOpa(bundle, opa=opa) as running:
        yield running
