"""Two OPAs on this machine, one with each bundle, for as long as they are asked."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from warden.impact.bundles import Side
from warden.opa.server import LocalOpa
from warden.resources import share
from warden.snapshot.layout import latest_partitions
from warden.snapshot.store import read_partition

if TYPE_CHECKING:
    from warden.scan.doors import Opa

__all__ = ["address", "asked_opas", "load_states"]


@contextmanager
def asked_opas(sides: Iterable[Side], directory: Path) -> Iterator[list[LocalOpa]]:
    """Start an OPA for each side, and stop them at the end.

    They write no decision log: what they are asked is on record already.

    Args:
        sides: The bundles.
        directory: A directory to work in.
    """
    config = yaml.safe_load(share("opa-config.yaml").read_text(encoding="utf-8"))
    config.pop("decision_logs", None)
    path = directory / "opa-config.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    with ExitStack() as stack:
        yield [stack.enter_context(LocalOpa(side.bundle, config=path)) for side in sides]


def load_states(servers: Iterable[LocalOpa], snapshot: Path, clusters: Iterable[str]) -> list[str]:
    """Give the OPAs the state of some clusters, as a replicator does, and return those that the snapshot holds.

    Args:
        servers: OPAs that run.
        snapshot: The snapshot directory; each cluster's newest day counts.
        clusters: The clusters wanted.
    """
    wanted = set(clusters)
    found = [part for part in latest_partitions(snapshot) if part.cluster in wanted]
    for part in found:
        state = read_partition(part)
        for server in servers:
            with server.client(server.tokens.replicator) as client:
                client.put_data(["clusters", part.cluster], state)
    return [part.cluster for part in found]


def address(server: LocalOpa) -> "Opa":
    """Return where Spark's tasks find an OPA."""
    from warden.scan.doors import Opa

    return Opa(server.url, server.tokens.query)
