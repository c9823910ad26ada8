"""An OPA with random settings, in which every rule denies somewhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.fixtures.seed import SEED
from tests.rego.change.settings import build
from warden.policy.bundle.opa import evaluate_opa
from warden.policy.opa.client import OpaClient
from warden.policy.opa.local import LocalOpa

__all__ = ["Policy", "policy"]

_QUERY = "[data.catalog.state.inputs, data.site.reads, data.catalog.rules]"


@dataclass(frozen=True, slots=True)
class Policy:
    """An OPA that decides.

    Args:
        client: A client of it.
        reads: Id → the paths of what each rule reads of what rules see, as the bundle has them.
        rules: Id → METADATA of each rule of the library, as the bundle has it.
    """

    client: OpaClient
    reads: dict[str, list[list[str]]]
    rules: dict[str, dict[str, Any]]


@pytest.fixture(scope="session")
def policy(opa_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Policy]:
    """With the bundle of `tests.rego.change.settings.build`."""
    bundle = build(tmp_path_factory.mktemp("change"), Random(SEED), opa_binary)
    library, site, rules = evaluate_opa(opa_binary, "--bundle", str(bundle.path), _QUERY)
    reads = {**library, **{f"SITE-{name}": paths for name, paths in site.items()}}
    with LocalOpa(bundle, opa=opa_binary) as running, running.build_client() as client:
        yield Policy(client, reads, rules)
