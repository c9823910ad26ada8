"""What both actions have open: the cluster, the store, and the policy."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from warden.cli.topics.options import ChangeOptions

if TYPE_CHECKING:
    from warden.client.warden import Warden
    from warden.client_configs.configs import ClientConfigs
    from warden.sources.kafka.connection import Connection

__all__ = ["Opened", "is_quota", "opened"]


@dataclass(frozen=True, slots=True)
class Opened:
    """What is open.

    Args:
        connection: The cluster.
        state: What its decisions are by.
        warden: The client that decides.
        configs: The client configs.
    """

    connection: "Connection"
    state: dict[str, Any]
    warden: "Warden"
    configs: "ClientConfigs"


@contextmanager
def opened(options: ChangeOptions, address: str) -> Iterator[Opened]:
    """Open all of it.

    Raises:
        WardenError: One of them cannot be opened.
    """
    from warden.client.warden import Warden
    from warden.client_configs.configs import ClientConfigs
    from warden.client_configs.open_store import open_store
    from warden.opa.session import open_session
    from warden.sources.kafka.connection import connect
    from warden.sources.kafka.partial_state import collect_access
    from warden.sources.kafka.security import read_properties

    security = read_properties(options.command_config) if options.command_config else {}
    with connect(options.bootstrap_server, security=security, timeout=options.timeout) as connection:
        state = collect_access(connection)
        store = open_store(address, connection, security, options.timeout)
        try:
            with open_session(options.opa) as session, session.client() as client:
                warden = Warden(
                    client=client,
                    cluster=options.cluster or state["meta"]["clusterId"],
                    principal=options.principal,
                    enforcement_point=options.enforcement_point,
                )
                yield Opened(connection, state, warden, ClientConfigs(store, warden, lambda: state))
        finally:
            store.close()


def is_quota(key: str) -> bool:
    """Return whether a key is a quota, as the catalogue has it; what is unknown is none."""
    from warden.sources.kafka.configs import catalogue

    row = catalogue("clients")["configs"].get(key)
    return row is not None and row["kind"] == "quota"
