"""Connections that describing and altering share: the cluster, the store, and the policy."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from warden.base.errors import ConfigurationError
from warden.commands.shared.options import read_login
from warden.commands.topics.options import ChangeOptions

if TYPE_CHECKING:
    from warden.dynamic_clients import ClientConfigsAdmin
    from warden.enforce.client_configs.configs import ClientConfigs
    from warden.enforce.sdk.warden import Warden
    from warden.state.sources.kafka.login.connection import Connection

__all__ = ["ConfigsAddress", "OpenConnections", "is_quota", "open_connections"]


@dataclass(frozen=True, slots=True)
class ConfigsAddress:
    """Where client configs are.

    Args:
        store: Address of their store.
        service: Address of the service that has them, in the store's place.
        token: The caller's token for it.
    """

    store: str
    service: str | None = None
    token: str | None = None


class OpenConnections:
    """What is open: each part of it once it is needed.

    Args:
        options: Those of the command.
        place: Where client configs are.
        stack: What closes it.
    """

    def __init__(self, options: ChangeOptions, place: ConfigsAddress, stack: ExitStack) -> None:
        self._options, self._place, self._stack = options, place, stack

    @property
    def has_cluster(self) -> bool:
        """Whether it was said where the cluster is."""
        return bool(self._options.bootstrap_server)

    @cached_property
    def connection(self) -> "Connection":
        """The cluster.

        Raises:
            ConfigurationError: Nobody has said where it is.
            KafkaError: It does not answer.
        """
        from warden.state.sources.kafka.login.connection import connect

        if not self.has_cluster:
            raise ConfigurationError("quotas are the broker's: give --bootstrap-server beside --service")
        address, timeout = self._options.bootstrap_server, self._options.timeout
        return self._stack.enter_context(connect(address, security=self._security, timeout=timeout))

    @cached_property
    def state(self) -> dict[str, Any]:
        """What the cluster's decisions are by."""
        from warden.state.sources.kafka.read.request_state import collect_acls_and_quotas

        return collect_acls_and_quotas(self.connection)

    @cached_property
    def warden(self) -> "Warden":
        """The client that decides."""
        from warden.enforce.sdk.warden import Warden
        from warden.policy.opa.session import open_session

        cluster = self._options.cluster or self.state["meta"]["clusterId"]
        session = self._stack.enter_context(open_session(self._options.opa))
        return Warden(
            self._stack.enter_context(session.build_client()),
            cluster=cluster,
            principal=self._options.principal,
            enforcement_point=self._options.enforcement_point,
        )

    @cached_property
    def configs(self) -> "ClientConfigs | ClientConfigsAdmin":
        """The client configs.

        Raises:
            ConfigurationError: There is a service, and no token for it.
        """
        from warden.enforce.client_configs.configs import ClientConfigs
        from warden.enforce.client_configs.open_store import open_store

        if self._place.service is not None:
            return _build_service_admin(self._place, self._options)
        store = open_store(self._place.store, self.connection, self._security, self._options.timeout)
        self._stack.callback(store.close)
        return ClientConfigs(store, self.warden, lambda: self.state)

    @cached_property
    def has_configs(self) -> bool:
        """Whether there can be client configs: a store that is not there yet is not made to look into it."""
        from warden.enforce.client_configs.open_store import has_store

        return self._place.service is not None or has_store(self._place.store, self.connection)

    @cached_property
    def _security(self) -> dict[str, str]:
        return read_login(self._options.command_config)


@contextmanager
def open_connections(options: ChangeOptions, place: ConfigsAddress) -> Iterator[OpenConnections]:
    """Open what is needed, and close it at the end: with a service, the cluster and OPA are so for quotas alone."""
    with ExitStack() as stack:
        yield OpenConnections(options, place, stack)


def _build_service_admin(place: ConfigsAddress, options: ChangeOptions) -> "ClientConfigsAdmin":
    from warden.dynamic_clients import ClientConfigsAdmin

    if place.service is None or not place.token:
        raise ConfigurationError("--service needs a token: give --service-token, or WARDEN_SERVICE_TOKEN")
    return ClientConfigsAdmin(place.service, place.token, options.cluster, options.timeout)


def is_quota(key: str) -> bool:
    """Return whether a key is a quota, as the catalogue has it; what is unknown is none."""
    from warden.policy.bundle.catalog import read_catalog

    row = read_catalog("clients")["configs"].get(key)
    return row is not None and row["kind"] == "quota"
