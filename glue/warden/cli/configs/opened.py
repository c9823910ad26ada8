"""What both actions have open: the cluster, the store, and the policy."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from warden.cli.topics.options import ChangeOptions
from warden.errors import ConfigurationError

if TYPE_CHECKING:
    from warden.api.warden import Warden
    from warden.cli.configs.over_service import ServiceConfigs
    from warden.config_store.configs import ClientConfigs
    from warden.sources.kafka.connection import Connection

__all__ = ["Opened", "Place", "is_quota", "opened"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where client configs are.

    Args:
        store: Address of their store.
        service: Address of the service that has them, in the store's place.
        token: The caller's token for it.
    """

    store: str
    service: str | None = None
    token: str | None = None


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
    configs: "ClientConfigs | ServiceConfigs"


@contextmanager
def opened(options: ChangeOptions, place: Place) -> Iterator[Opened]:
    """Open all of it.

    Raises:
        ConfigurationError: There is a service, and no token for it.
        WardenError: One of them cannot be opened.
    """
    from warden.api.warden import Warden
    from warden.config_store.configs import ClientConfigs
    from warden.config_store.open_store import open_store
    from warden.opa.session import open_session
    from warden.sources.kafka.connection import connect
    from warden.sources.kafka.partial_state import collect_access
    from warden.sources.kafka.security import read_properties

    security = read_properties(options.command_config) if options.command_config else {}
    with connect(options.bootstrap_server, security=security, timeout=options.timeout) as connection:
        state = collect_access(connection)
        with ExitStack() as stack:
            client = stack.enter_context(stack.enter_context(open_session(options.opa)).client())
            warden = Warden(
                client=client,
                cluster=options.cluster or state["meta"]["clusterId"],
                principal=options.principal,
                enforcement_point=options.enforcement_point,
            )
            if place.service is not None:
                yield Opened(connection, state, warden, _over_service(place, options))
            else:
                store = open_store(place.store, connection, security, options.timeout)
                stack.callback(store.close)
                yield Opened(connection, state, warden, ClientConfigs(store, warden, lambda: state))


def _over_service(place: Place, options: ChangeOptions) -> "ServiceConfigs":
    from warden.cli.configs.over_service import ServiceConfigs

    if place.service is None or not place.token:
        raise ConfigurationError("--service needs a token: give --service-token, or WARDEN_SERVICE_TOKEN")
    return ServiceConfigs(place.service, place.token, options.cluster, options.timeout)


def is_quota(key: str) -> bool:
    """Return whether a key is a quota, as the catalogue has it; what is unknown is none."""
    from warden.sources.kafka.configs import catalogue

    row = catalogue("clients")["configs"].get(key)
    return row is not None and row["kind"] == "quota"
